#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "copse/error.h"
#include "io/byte_source.h"

namespace copse {
namespace {

// The compressed bytes that have been read from a source but not yet used.
class InputBuffer {
 public:
  explicit InputBuffer(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), bytes_(size_t{64} << 10) {}

  std::string_view unused() const { return {bytes_.data() + begin_, end_ - begin_}; }
  void use(size_t count) { begin_ += count; }

  // Reads on behind the unused bytes; false at the end of the source.
  bool fill() {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
    const size_t count = source_->read(std::span(bytes_).subspan(end_));
    end_ += count;
    return count > 0;
  }

  ByteSource& source() { return *source_; }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> bytes_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(InputBuffer input) : input_(std::move(input)) {}

  size_t read(std::span<char> out) override {
    const std::string_view unused = input_.unused();
    if (unused.empty()) return input_.source().read(out);
    const size_t count = unused.copy(out.data(), out.size());
    input_.use(count);
    return count;
  }

 private:
  InputBuffer input_;
};

// What gzip and zstd have in common: a run of frames, each of which must be complete.
class CompressedSource : public ByteSource {
 public:
  CompressedSource(InputBuffer input, std::string name, const char* kind)
      : input_(std::move(input)), name_(std::move(name)), kind_(kind) {}

  size_t read(std::span<char> out) override {
    if (out.empty()) return 0;
    while (true) {
      if (input_.unused().empty() && !input_.fill()) at_end_ = true;
      if (at_end_ && !inside_frame_) return 0;
      const Step step = decompress_some(input_.unused(), out);
      input_.use(step.used);
      inside_frame_ = !step.frame_done;
      if (step.produced > 0) return step.produced;
      if (at_end_ && inside_frame_) fail("truncated", "get or make it again");
    }
  }

 protected:
  struct Step {
    size_t used = 0;
    size_t produced = 0;
    bool frame_done = false;
  };
  // Begins a new frame when the last one is done. Makes progress whenever it can.
  virtual Step decompress_some(std::string_view in, std::span<char> out) = 0;

  [[noreturn]] void fail_corrupt() const { fail("corrupt", "get or make it again"); }

 private:
  [[noreturn]] void fail(const char* state, const char* advice) const {
    throw DataError(name_ + ": the " + kind_ + " data is " + state + "; " + advice);
  }

  InputBuffer input_;
  std::string name_;
  const char* kind_;
  bool at_end_ = false;
  bool inside_frame_ = false;
};

class GzipSource : public CompressedSource {
 public:
  GzipSource(InputBuffer input, std::string name)
      : CompressedSource(std::move(input), std::move(name), "gzip") {
    constexpr int kGzipHeaderWithLargestWindow = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipHeaderWithLargestWindow) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }

 protected:
  Step decompress_some(std::string_view in, std::span<char> out) override {
    if (std::exchange(member_done_, false)) inflateReset(&stream_);
    const size_t out_size = std::min<size_t>(out.size(), UINT32_MAX);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out_size);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) fail_corrupt();
    member_done_ = status == Z_STREAM_END;
    return {in.size() - stream_.avail_in, out_size - stream_.avail_out, member_done_};
  }

 private:
  z_stream stream_{};
  bool member_done_ = false;
};

class ZstdSource : public CompressedSource {
 public:
  ZstdSource(InputBuffer input, std::string name)
      : CompressedSource(std::move(input), std::move(name), "zstd"), context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
  }

 protected:
  Step decompress_some(std::string_view in, std::span<char> out) override {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const size_t status = ZSTD_decompressStream(context_.get(), &output, &input);
    if (ZSTD_isError(status) != 0) fail_corrupt();
    return {input.pos, output.pos, status == 0};
  }

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
};

bool is_gzip(std::string_view start) { return start.starts_with("\x1F\x8B"); }

bool is_zstd(std::string_view start) {
  const auto byte = [start](size_t k) { return static_cast<unsigned char>(start[k]); };
  if (start.size() < 4) return false;
  const bool is_skippable = (byte(0) & 0xF0) == 0x50 && start.substr(1, 3) == "\x2A\x4D\x18";
  return is_skippable || start.starts_with("\x28\xB5\x2F\xFD");
}

}  // namespace

bool is_compressed(std::string_view start) { return is_gzip(start) || is_zstd(start); }

std::unique_ptr<ByteSource> decompress(std::unique_ptr<ByteSource> source, std::string name) {
  InputBuffer input(std::move(source));
  while (input.unused().size() < kCompressionBytes && input.fill()) {
  }
  const std::string_view start = input.unused();
  if (is_gzip(start)) return std::make_unique<GzipSource>(std::move(input), std::move(name));
  if (is_zstd(start)) return std::make_unique<ZstdSource>(std::move(input), std::move(name));
  return std::make_unique<PlainSource>(std::move(input));
}

}  // namespace copse
