#include "segmentation/word_splitter.h"

#include <algorithm>
#include <limits>

#include "text/character_table.h"
#include "text/utf8.h"

namespace copse {
namespace {

enum class Casing : std::uint8_t { any, capital, upper };

// Of several letters in upper case, or of the first one alone.
Casing casing(std::string_view form) {
  const CharacterTable& table = CharacterTable::get();
  int upper = 0;
  bool is_first_upper = false;
  bool has_lower = false;
  for (std::string_view rest = form; !rest.empty();) {
    const bool is_first = rest.size() == form.size();
    const CharacterClass kind = table[take_character(rest)].kind;
    if (kind == CharacterClass::upper) {
      ++upper;
      is_first_upper = is_first_upper || is_first;
    }
    has_lower = has_lower || kind == CharacterClass::lower;
  }
  if (upper > 1 && !has_lower) return Casing::upper;
  return is_first_upper ? Casing::capital : Casing::any;
}

// Changes the first characters.
std::string changed_case(std::string_view text, std::size_t count, char32_t (*change)(char32_t)) {
  std::string result;
  while (!text.empty()) {
    const char32_t character = take_character(text);
    append_character(count > 0 ? change(character) : character, result);
    if (count > 0) --count;
  }
  return result;
}

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

bool is_form(std::string_view text) {
  return !text.empty() && is_valid_utf8(text) &&
         text.find_first_of(std::string_view("\t\n\r\0", 4)) == std::string_view::npos;
}

}  // namespace

std::u32string folded_text(std::string_view text) {
  const CharacterTable& table = CharacterTable::get();
  std::u32string folded;
  while (!text.empty()) folded += table[take_character(text)].folded;
  return folded;
}

WordSplit WordSplit::between(std::string_view form, std::span<const std::string_view> words) {
  WordSplit split;
  const std::u32string folded = folded_text(form);
  std::u32string joined;
  for (const std::string_view word : words) joined += folded_text(word);
  if (joined == folded) {
    for (const std::string_view word : words.subspan(1)) {
      split.lengths.push_back(static_cast<std::uint32_t>(count_characters(word)));
    }
    return split;
  }
  const std::u32string first = folded_text(words[0]);
  const auto common = static_cast<std::size_t>(
      std::mismatch(folded.begin(), folded.end(), first.begin(), first.end()).first - folded.begin());
  split.cut = static_cast<std::uint32_t>(folded.size() - common);
  split.words.emplace_back(words[0].substr(first_characters(words[0], common).size()));
  for (const std::string_view word : words.subspan(1)) split.words.emplace_back(word);
  const Casing form_casing = casing(form);
  if (form_casing == Casing::upper) {
    for (std::string& word : split.words) word = changed_case(word, kAll, frozen_lower);
  } else if (form_casing == Casing::capital && common == 0) {
    split.words[0] = changed_case(split.words[0], 1, frozen_lower);
  }
  return split;
}

bool WordSplit::apply(std::string_view form, std::vector<std::string>& result) const {
  const std::size_t size = count_characters(form);
  if (is_parts()) {
    std::size_t others = 0;
    for (const std::uint32_t length : lengths) others += length;
    if (others >= size) return false;
    result.clear();
    std::size_t end = first_characters(form, size - others).size();
    result.emplace_back(form.substr(0, end));
    for (const std::uint32_t length : lengths) {
      form.remove_prefix(end);
      end = first_characters(form, length).size();
      result.emplace_back(form.substr(0, end));
    }
    return true;
  }
  if (cut > size || (cut == size && words[0].empty())) return false;
  result.clear();
  result.push_back(std::string(first_characters(form, size - cut)) + words[0]);
  result.insert(result.end(), words.begin() + 1, words.end());
  const Casing form_casing = casing(form);
  if (form_casing == Casing::upper) {
    for (std::string& word : result) word = changed_case(word, kAll, frozen_upper);
  } else if (form_casing == Casing::capital) {
    result[0] = changed_case(result[0], 1, frozen_upper);
  }
  return true;
}

void WordSplit::save(ByteWriter& writer) const {
  writer.numbers<std::uint32_t>(lengths);
  writer.u32(cut);
  writer.u32(static_cast<std::uint32_t>(words.size()));
  for (const std::string& word : words) writer.text(word);
}

WordSplit WordSplit::load(ByteReader& reader) {
  WordSplit split;
  split.lengths = reader.numbers<std::uint32_t>();
  split.cut = reader.u32();
  for (std::uint32_t left = reader.u32(); left > 0; --left) split.words.emplace_back(reader.text());
  const auto fits = [](const WordSplit& s) {
    if (s.lengths.size() >= kMostWords || s.words.size() > kMostWords) return false;
    if (s.is_parts()) {
      return s.words.empty() && std::all_of(s.lengths.begin(), s.lengths.end(),
                                            [](std::uint32_t n) { return n > 0 && n < 10'000; });
    }
    return s.words.size() >= 2 && (s.words[0].empty() || is_form(s.words[0])) &&
           std::all_of(s.words.begin() + 1, s.words.end(), [](const std::string& w) { return is_form(w); });
  };
  if (!fits(split)) reader.fail("has a split that cannot be");
  return split;
}

bool WordSplitter::split(std::string_view form, std::vector<std::string>& words) const {
  if (form.empty() || empty()) return false;
  std::string_view last = last_characters(form, 1);
  if (may_end_[CharacterTable::get()[take_character(last)].folded & 0xFF] == 0) return false;
  const WordSplit* found = find(folded_text(form));
  return found != nullptr && found->apply(form, words);
}

const WordSplit* WordSplitter::find(const std::u32string& folded) const {
  const auto form = forms_.find(folded);
  if (form != forms_.end()) return form->second == kWhole ? nullptr : &splits_[form->second];
  if (ends_.empty()) return nullptr;
  for (std::size_t length = std::min(kLongestEnd, folded.size() - 1); length > 0; --length) {
    const auto end = ends_.find(folded.substr(folded.size() - length));
    if (end != ends_.end()) return &splits_[end->second];
  }
  return nullptr;
}

void WordSplitter::index() {
  may_end_.fill(0);
  for (const auto* table : {&forms_, &ends_}) {
    for (const auto& [text, split] : *table) may_end_[text.back() & 0xFF] = 1;
  }
}

void WordSplitter::save(ByteWriter& writer) const {
  writer.u32(static_cast<std::uint32_t>(splits_.size()));
  for (const WordSplit& split : splits_) split.save(writer);
  for (const auto* table : {&forms_, &ends_}) {
    const std::map<std::u32string, std::uint32_t> ordered(table->begin(), table->end());
    writer.u32(static_cast<std::uint32_t>(ordered.size()));
    for (const auto& [text, split] : ordered) {
      const std::vector<std::uint32_t> folded(text.begin(), text.end());
      writer.numbers<std::uint32_t>(folded);
      writer.u32(split);
    }
  }
}

WordSplitter WordSplitter::load(ByteReader& reader) {
  WordSplitter splitter;
  for (std::uint32_t left = reader.u32(); left > 0; --left)
    splitter.splits_.push_back(WordSplit::load(reader));
  for (auto* table : {&splitter.forms_, &splitter.ends_}) {
    for (std::uint32_t left = reader.u32(); left > 0; --left) {
      const std::vector<std::uint32_t> folded = reader.numbers<std::uint32_t>();
      const std::uint32_t split = reader.u32();
      const bool is_whole = split == kWhole && table == &splitter.forms_;
      if (folded.empty() || (split >= splitter.splits_.size() && !is_whole)) {
        reader.fail("has a split that is not there");
      }
      table->emplace(std::u32string(folded.begin(), folded.end()), split);
    }
  }
  splitter.index();
  return splitter;
}

}  // namespace copse
