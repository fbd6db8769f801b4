#include <array>
#include <charconv>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "copse/error.h"
#include "copse/treebank/conll.h"
#include "io/output_file.h"
#include "text/utf8.h"
#include "treebank/rows.h"
#include "treebank/sentence_check.h"

namespace copse {
namespace {

std::string_view line_end(const Layout& layout) { return layout.crlf ? "\r\n" : "\n"; }

void append_number(int number, std::string& out) {
  std::array<char, 12> digits;
  const auto result = std::to_chars(digits.begin(), digits.end(), number);
  out.append(digits.begin(), result.ptr);
}

std::string_view first_value(std::string_view preferred, std::string_view other) {
  return preferred == "_" ? other : preferred;
}

// Appends the rows of a sentence in one format. The row before is ended when the next one starts, so that the
// end of the last row is the caller's to choose.
class RowWriter {
 public:
  RowWriter(const Layout& layout, ConllFormat format, std::string& out)
      : format_(format), keeps_columns_(format == layout.format), end_(line_end(layout)), out_(out) {}

  void comment(std::string_view line) {
    if (!has_conllu_lines()) return;
    start_row();
    out_.append(line);
  }

  void operator()(const MultiwordToken& range) { extra(range.first(), '-', range.last(), range); }
  void operator()(const EmptyNode& node) { extra(node.word(), '.', node.index(), node); }

  void operator()(int index, const Token& word) {
    start_row();
    if (format_ == ConllFormat::tab3) {
      join({word.form(), first_value(word.xpos(), word.upos()), word.head_text()});
      return;
    }
    append_number(index, out_);
    out_.push_back('\t');
    if (keeps_columns_) {
      out_.append(word.columns());
    } else if (format_ == ConllFormat::conllx) {
      join({word.form(), word.lemma(), first_value(word.upos(), word.xpos()),
            first_value(word.xpos(), word.upos()), word.feats(), word.head_text(), word.deprel(), "_", "_"});
    } else {
      join({word.form(), word.lemma(), word.upos(), word.xpos(), word.feats(), word.head_text(),
            word.deprel(), "_", "_"});
    }
  }

 private:
  // A sentence that was read as CoNLL-X may have comments; it keeps them.
  bool has_conllu_lines() const { return format_ == ConllFormat::conllu || keeps_columns_; }

  void extra(int first, char separator, int second, const Row& row) {
    if (format_ != ConllFormat::conllu) return;
    start_row();
    append_number(first, out_);
    out_.push_back(separator);
    append_number(second, out_);
    out_.push_back('\t');
    out_.append(row.columns());
  }

  void start_row() {
    if (!std::exchange(is_first_, false)) out_.append(end_);
  }

  void join(std::initializer_list<std::string_view> fields) {
    bool is_first = true;
    for (const std::string_view field : fields) {
      if (!std::exchange(is_first, false)) out_.push_back('\t');
      out_.append(field);
    }
  }

  ConllFormat format_;
  bool keeps_columns_;
  std::string_view end_;
  std::string& out_;
  bool is_first_ = true;
};

}  // namespace

class ConllWriter::Impl {
 public:
  Impl(std::optional<OutputFile> file, std::string* text, ConllFormat format)
      : file_(std::move(file)), out_(text == nullptr ? buffer_ : *text), format_(format) {}

  ~Impl() {
    // An exception on its way means that something is missing; nobody hears of a failure now.
    if (!file_ || std::uncaught_exceptions() > exceptions_) return;
    try {
      file_->close();
    } catch (const DataError&) {
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void write(const Sentence& sentence) {
    if (const std::optional<Defect> defect = find_defect(sentence, false)) {
      throw DataError("cannot write a sentence: " + defect->reason);
    }
    const Layout& layout = sentence.layout();
    start_sentence(layout);
    RowWriter rows(layout, format_ == ConllFormat::detect ? layout.format : format_, out_);
    for (const std::string& line : sentence.comments()) rows.comment(line);
    for_each_row(sentence, rows);
    if (layout.end != SentenceEnd::nothing) out_.append(line_end(layout));
    if (layout.end == SentenceEnd::blank_line) out_.append(line_end(layout));
    last_ = layout;
    if (file_) pass_on();
  }

  void flush() {
    if (file_) file_->flush();
  }

  void close() {
    if (file_) file_->close();
  }

 private:
  // Ends the sentence before as the middle of a file needs it, however it ended in its own file.
  void start_sentence(const Layout& layout) {
    if (!last_) {
      if (layout.byte_order_mark) out_.append(kByteOrderMark);
    } else if (last_->end != SentenceEnd::blank_line) {
      out_.append(line_end(*last_));
      if (last_->end == SentenceEnd::nothing) out_.append(line_end(*last_));
    }
    for (uint64_t k = 0; k < layout.extra_blank_lines; ++k) out_.append(line_end(layout));
  }

  void pass_on() {
    file_->write(out_);
    out_.clear();
  }

  std::optional<OutputFile> file_;
  std::string buffer_;
  std::string& out_;
  ConllFormat format_;
  std::optional<Layout> last_;
  int exceptions_ = std::uncaught_exceptions();
};

ConllWriter::ConllWriter(const std::string& path, ConllFormat format)
    : ConllWriter(std::make_unique<Impl>(OutputFile(path), nullptr, format)) {}

ConllWriter::ConllWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ConllWriter ConllWriter::to_text(std::string& text, ConllFormat format) {
  return ConllWriter(std::make_unique<Impl>(std::nullopt, &text, format));
}

ConllWriter::ConllWriter(ConllWriter&&) noexcept = default;
ConllWriter& ConllWriter::operator=(ConllWriter&&) noexcept = default;
ConllWriter::~ConllWriter() = default;

void ConllWriter::write(const Sentence& sentence) { impl_->write(sentence); }
void ConllWriter::flush() { impl_->flush(); }
void ConllWriter::close() { impl_->close(); }

}  // namespace copse
