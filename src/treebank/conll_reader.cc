#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "copse/error.h"
#include "text/utf8.h"
#include "treebank/conll_source.h"
#include "treebank/format_detection.h"
#include "treebank/line_reader.h"
#include "treebank/sentence_check.h"

namespace copse {
namespace {

constexpr size_t kTenColumns = 10;
constexpr size_t kThreeColumns = 3;

std::string counted_columns(size_t count) {
  return std::to_string(count) + (count == 1 ? " column" : " columns");
}

size_t count_columns(std::string_view line) { return 1 + std::count(line.begin(), line.end(), '\t'); }

size_t count_words(std::string_view line) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  size_t count = 0;
  for (size_t k = 0; k < line.size(); ++k) {
    if (!is_space(line[k]) && (k == 0 || is_space(line[k - 1]))) ++count;
  }
  return count;
}

// The two numbers of an ID such as 3-4 or 8.1.
std::optional<std::pair<int, int>> parse_pair(std::string_view id, char separator) {
  const size_t middle = id.find(separator);
  if (middle == std::string_view::npos) return std::nullopt;
  const int first = parse_head(id.substr(0, middle)).value_or(kNoHead);
  const int second = parse_head(id.substr(middle + 1)).value_or(kNoHead);
  if (first == kNoHead || second == kNoHead) return std::nullopt;
  return std::pair(first, second);
}

}  // namespace

class ConllReader::Impl {
 public:
  Impl(std::unique_ptr<ByteSource> source, const std::string& name, const ConllReadOptions& options)
      : options_(options),
        format_(options.format),
        lines_(decompress(std::move(source), name), name, options.max_line_bytes) {}

  bool next(Sentence& sentence) {
    sentence.clear();
    if (at_end_) return false;
    at_end_ = true;  // and stays so when an error ends the reading
    at_end_ = !read_sentence(sentence);
    return !at_end_;
  }

  size_t first_line() const { return first_line_; }
  ConllFormat format() const { return format_; }

 private:
  bool advance() {
    if (!lines_.next()) return false;
    line_ = lines_.text();
    if (lines_.number() == 1 && line_.starts_with(kByteOrderMark)) {
      line_.remove_prefix(kByteOrderMark.size());
      byte_order_mark_ = true;
    }
    return true;
  }

  bool read_sentence(Sentence& sentence) {
    Layout layout;
    while (true) {
      if (!advance()) return false;
      if (!line_.empty()) break;
      ++layout.extra_blank_lines;
    }
    first_line_ = lines_.number();
    layout.byte_order_mark = std::exchange(byte_order_mark_, false);
    layout.crlf = lines_.end() == LineEnd::crlf;
    if (format_ == ConllFormat::detect && looks_like_tab3(line_)) format_ = ConllFormat::tab3;

    size_t bytes = 0;
    while (true) {
      bytes += line_.size();
      if (bytes > options_.max_sentence_bytes) {
        fail("the sentence is longer than " + std::to_string(options_.max_sentence_bytes) +
             " bytes; put blank lines between sentences");
      }
      read_line(sentence);
      const LineEnd end = lines_.end();
      if (!advance()) {
        layout.end = end == LineEnd::none ? SentenceEnd::nothing : SentenceEnd::line_end;
        break;
      }
      if (line_.empty()) break;
    }
    check_whole(sentence);
    settle_format(sentence);
    layout.format = format_;
    sentence.layout() = layout;
    return true;
  }

  void check_whole(const Sentence& sentence) const {
    const std::optional<Defect> defect = find_defect(sentence, options_.validate_trees);
    if (!defect) return;
    const size_t line =
        sentence.empty() ? first_line_ : first_line_ + sentence.comments().size() + defect->row;
    lines_.fail_at(line, defect->reason);
  }

  void settle_format(const Sentence& sentence) {
    if (format_ == ConllFormat::detect) {
      format_ = judge_ten_columns(sentence);
    } else if (options_.format == ConllFormat::detect && format_ == ConllFormat::conllx &&
               has_conllu_lines(sentence)) {
      format_ = ConllFormat::conllu;  // the first sentence did not show it
    }
  }

  void read_line(Sentence& sentence) {
    check_bytes();
    if (format_ == ConllFormat::tab3) {
      read_three_columns(sentence);
    } else if (line_.starts_with('#')) {
      if (!sentence.empty() || !sentence.multiwords().empty() || !sentence.empty_nodes().empty()) {
        fail("a comment after the first row of a sentence; move it before, or put a blank line there");
      }
      sentence.add_comment(line_);
    } else {
      read_ten_columns(sentence);
    }
  }

  void check_bytes() const {
    if (line_.find('\0') != std::string_view::npos) fail("a NUL byte in the text; remove it");
    if (line_.find('\r') != std::string_view::npos) {
      fail("a carriage return inside a line; end lines in LF or CR LF");
    }
    const size_t valid = valid_utf8_prefix(line_);
    if (valid == line_.size()) return;
    const bool is_utf16 =
        lines_.number() == 1 && (line_.starts_with("\xFF\xFE") || line_.starts_with("\xFE\xFF"));
    fail("invalid UTF-8 at byte " + std::to_string(valid + 1) + " of the line, " +
         quoted(line_.substr(valid, 1)) + (is_utf16 ? ", as in UTF-16" : "") + "; convert the file to UTF-8");
  }

  void read_three_columns(Sentence& sentence) {
    check_columns(kThreeColumns);
    const size_t first = line_.find('\t');
    const size_t second = line_.find('\t', first + 1);
    columns_.assign(line_.substr(0, first)).append("\t_\t_\t");
    columns_.append(line_.substr(first + 1, second - first - 1)).append("\t_\t");
    columns_.append(line_.substr(second + 1)).append("\t_\t_\t_");
    add_word(sentence, columns_, kThreeColumns);
  }

  void read_ten_columns(Sentence& sentence) {
    const size_t tab = line_.find('\t');
    if (tab == std::string_view::npos) check_columns(kTenColumns);
    const std::string_view id = line_.substr(0, tab);
    const std::string_view columns = line_.substr(tab + 1);
    if (parse_head(id) == sentence.size() + 1) {
      add_word(sentence, columns, kTenColumns);
      return;
    }
    check_columns(kTenColumns);
    if (const auto range = parse_pair(id, '-')) {
      check_allows(id, "range");
      add_range(sentence, range->first, range->second, columns);
    } else if (const auto node = parse_pair(id, '.')) {
      check_allows(id, "empty node");
      add_node(sentence, node->first, node->second, columns);
    } else {
      fail("ID " + quoted(id) + " where " + std::to_string(sentence.size() + 1) +
           " is due; number the words of a sentence 1, 2, 3 and so on, with a blank line after the last");
    }
  }

  void check_allows(std::string_view id, const char* what) const {
    if (options_.format == ConllFormat::conllx) {
      fail(std::string("the ") + what + " " + quoted(id) +
           " has no place in CoNLL-X; read the file as CoNLL-U");
    }
  }

  void add_word(Sentence& sentence, std::string_view columns, size_t expected_columns) {
    if (sentence.size() >= options_.max_words) {
      lines_.fail_for("max_words", "the sentence has more than " + std::to_string(options_.max_words) +
                                       " words; put blank lines between sentences, or raise the limit");
    }
    if (!word_.assign_columns(columns)) {
      check_columns(expected_columns);
      fail_head(word_.head_text());
    }
    check_field_sizes();
    sentence.add_word(word_);
  }

  void add_range(Sentence& sentence, int first, int last, std::string_view columns) {
    try {
      sentence.add_multiword(first, last).assign_columns(columns);
    } catch (const DataError& error) {
      fail(error.what());
    }
    if (first != sentence.size() + 1) {
      fail("the range " + std::to_string(first) + "-" + std::to_string(last) +
           " is out of place; put it right before word " + std::to_string(first));
    }
    check_field_sizes();
  }

  void add_node(Sentence& sentence, int word, int index, std::string_view columns) {
    const auto ranges = sentence.multiwords();
    const auto nodes = sentence.empty_nodes();
    const bool after_range = !ranges.empty() && ranges.back().first() > sentence.size();
    const int due = nodes.empty() || nodes.back().word() != word ? 1 : nodes.back().index() + 1;
    if (word != sentence.size() || index != due || after_range) {
      fail("the empty node " + std::to_string(word) + "." + std::to_string(index) +
           " is out of order; put the nodes N.1, N.2 and so on right after word N");
    }
    sentence.add_empty_node(word).assign_columns(columns);
    check_field_sizes();
  }

  void check_columns(size_t expected) const {
    const size_t found = count_columns(line_);
    if (found != expected) {
      const bool has_spaces = found == 1 && count_words(line_) > 1;
      const bool is_space_only = count_words(line_) == 0;
      fail(counted_columns(found) + " found, " + std::to_string(expected) + " expected; " +
           (is_space_only  ? "remove the spaces to make the line blank"
            : has_spaces   ? "separate the columns by tabs, not by spaces"
            : expected > 3 ? "write ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC separated by tabs"
                           : "write FORM POS HEAD separated by tabs"));
    }
    for (size_t column = 1, begin = 0; column <= found; ++column) {
      const size_t end = std::min(line_.find('\t', begin), line_.size());
      if (end == begin) fail("column " + std::to_string(column) + " is empty; write _ for no value");
      begin = end + 1;
    }
  }

  void check_field_sizes() const {
    if (line_.size() <= options_.max_field_bytes) return;
    for (size_t column = 1, begin = 0; begin <= line_.size(); ++column) {
      const size_t end = std::min(line_.find('\t', begin), line_.size());
      if (end - begin > options_.max_field_bytes) {
        fail("column " + std::to_string(column) + " is longer than " +
             std::to_string(options_.max_field_bytes) + " bytes; shorten it");
      }
      begin = end + 1;
    }
  }

  [[noreturn]] void fail_head(std::string_view text) const {
    const bool is_number = text.find_first_not_of("0123456789") == std::string_view::npos;
    const char* reason = !is_number            ? " is not a number"
                         : text.front() == '0' ? " has leading zeros"
                                               : " is out of range";
    fail("HEAD " + quoted(text) + reason + "; use the ID of a word, 0 for the root or _ for none");
  }

  [[noreturn]] void fail(const std::string& reason) const { lines_.fail(reason); }

  ConllReadOptions options_;
  ConllFormat format_;
  LineReader lines_;
  std::string_view line_;
  bool byte_order_mark_ = false;  // seen, but not yet in the layout of a sentence
  bool at_end_ = false;
  size_t first_line_ = 0;
  Token word_;           // reused for every row
  std::string columns_;  // reused for every row of three columns
};

ConllReader::ConllReader(const std::string& path, const ConllReadOptions& options)
    : ConllReader(std::make_unique<Impl>(open_file(path), input_name(path), options)) {}
ConllReader::ConllReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ConllReader ConllSource::open(std::unique_ptr<ByteSource> source, const std::string& name,
                              const ConllReadOptions& options) {
  return ConllReader(std::make_unique<ConllReader::Impl>(std::move(source), name, options));
}

ConllReader ConllReader::from_text(std::string text, const ConllReadOptions& options,
                                   const std::string& name) {
  return ConllSource::open(open_memory(std::move(text)), name, options);
}

ConllReader::ConllReader(ConllReader&&) noexcept = default;
ConllReader& ConllReader::operator=(ConllReader&&) noexcept = default;
ConllReader::~ConllReader() = default;

bool ConllReader::next(Sentence& sentence) { return impl_->next(sentence); }
size_t ConllReader::first_line() const { return impl_->first_line(); }
ConllFormat ConllReader::format() const { return impl_->format(); }

std::vector<Sentence> read_conll(const std::string& path, const ConllReadOptions& options) {
  ConllReader reader(path, options);
  std::vector<Sentence> sentences;
  // Copies take just the memory they need, and the sentence that is read into keeps its own.
  for (Sentence sentence; reader.next(sentence);) sentences.push_back(sentence);
  return sentences;
}

}  // namespace copse
