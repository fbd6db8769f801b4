#include <fmt/format.h>

#include <utility>

#include "copse/error.h"
#include "io/output_file.h"
#include "render/rendering.h"

namespace copse {

class RenderedWriter::Impl {
 public:
  Impl(std::optional<OutputFile> file, std::string* text, std::unique_ptr<Rendering> rendering)
      : file_(std::move(file)), out_(text == nullptr ? buffer_ : *text), rendering_(std::move(rendering)) {}

  void write(const Sentence& sentence) {
    ++sentences_;
    try {
      rendering_->add(sentence, out_);
    } catch (const DataError& error) {
      throw DataError(fmt::format("sentence {}: {}", sentences_, error.what()));
    }
    pass_on();
  }
  void flush() {
    if (file_) file_->flush();
  }
  void close() {
    if (std::exchange(is_closed_, true)) return;
    rendering_->finish(out_);
    pass_on();
    if (file_) file_->close();
  }

 private:
  void pass_on() {
    if (!file_) return;
    file_->write(out_);
    out_.clear();
  }

  std::optional<OutputFile> file_;
  std::string buffer_;
  std::string& out_;
  std::unique_ptr<Rendering> rendering_;
  int64_t sentences_ = 0;
  bool is_closed_ = false;
};

RenderedWriter::RenderedWriter(const std::string& path, std::unique_ptr<Rendering> rendering)
    : RenderedWriter(std::make_unique<Impl>(OutputFile(path), nullptr, std::move(rendering))) {}
RenderedWriter::RenderedWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

RenderedWriter RenderedWriter::to_text(std::string& text, std::unique_ptr<Rendering> rendering) {
  return RenderedWriter(std::make_unique<Impl>(std::nullopt, &text, std::move(rendering)));
}

RenderedWriter::RenderedWriter(RenderedWriter&&) noexcept = default;
RenderedWriter& RenderedWriter::operator=(RenderedWriter&&) noexcept = default;
RenderedWriter::~RenderedWriter() = default;

void RenderedWriter::write(const Sentence& sentence) { impl_->write(sentence); }
void RenderedWriter::flush() { impl_->flush(); }
void RenderedWriter::close() { impl_->close(); }

}  // namespace copse
