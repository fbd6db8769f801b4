#include "segmentation/list_lines.h"

#include <algorithm>
#include <vector>

#include "segmentation/text_line.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::size_t kFewestItems = 20;
// Of words alone: text that has every token on a line of its own is not that long without punctuation.
constexpr std::size_t kFewestWords = 40;
constexpr std::size_t kLongestItem = 40;  // of an item
constexpr std::size_t kMostWords = 5;

struct Line {
  std::size_t begin;
  std::size_t end;  // behind the line break
  std::size_t characters;
  std::size_t first_word_characters;
  bool is_one_word;
};

std::size_t count_words(std::string_view line) {
  std::size_t words = 0;
  while (!line.empty()) {
    ++words;
    line = trimmed_line(line.substr(first_word(line).size()));
  }
  return words;
}

bool may_be_item(std::string_view trimmed) {
  return !trimmed.empty() && count_characters(trimmed) <= kLongestItem && ends_in_word(trimmed) &&
         count_words(trimmed) <= kMostWords;
}

bool is_list(const std::vector<Line>& run) {
  const bool are_words =
      std::all_of(run.begin(), run.end(), [](const Line& line) { return line.is_one_word; });
  if (run.size() < (are_words ? kFewestWords : kFewestItems)) return false;
  std::size_t width = 0;
  for (const Line& line : run) width = std::max(width, line.characters);
  std::size_t on_purpose = 0;
  for (std::size_t k = 0; k + 1 < run.size(); ++k) {
    const bool had_room = run[k].characters + 1 + run[k + 1].first_word_characters <= width;
    on_purpose += run[k].is_one_word || had_room ? 1 : 0;
  }
  return 2 * on_purpose >= run.size() - 1;
}

}  // namespace

LineRun find_list(std::string_view text, const ListContext& context) {
  std::vector<Line> run;
  const auto is_found = [&] {
    return (context.continues_list && !run.empty() && run.front().begin == 0) || is_list(run);
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t line_break = text.find('\n', begin);
    const bool is_last = line_break == std::string_view::npos;
    if (is_last && context.goes_on) break;
    const std::size_t end = is_last ? text.size() : line_break + 1;
    const std::string_view line = trimmed_line(text.substr(begin, std::min(line_break, end) - begin));
    if (may_be_item(line)) {
      const std::string_view first = first_word(line);
      run.push_back(
          {begin, end, count_characters(line), count_characters(first), first.size() == line.size()});
    } else if (is_found()) {
      break;
    } else {
      run.clear();
    }
    begin = end;
  }
  if (!is_found()) return {};
  LineRun list{run.front().begin, run.back().end};
  const bool is_rest_blank = text.find_first_not_of(" \t\r\v\f\n", list.end) == std::string_view::npos;
  if (is_rest_blank && !context.goes_on) list.end = text.size();
  return list;
}

}  // namespace copse
