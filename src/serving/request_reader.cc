#include "serving/request_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "serving/request_error.h"

namespace copse {
namespace {

constexpr std::size_t kLongestHead = std::size_t{64} << 10;  // with a query, which may hold a text

}  // namespace

void RequestReader::add(std::string_view bytes) {
  if (!head_ && buffer_.empty()) bytes.remove_prefix(std::min(bytes.find_first_not_of("\r\n"), bytes.size()));
  buffer_ += bytes;
}

std::optional<RequestHead> RequestReader::next() {
  if (!head_ && !take_head()) return std::nullopt;
  if (!take_body()) return std::nullopt;
  chunks_.reset();
  wants_continue_ = false;
  return std::exchange(head_, std::nullopt);
}

bool RequestReader::take_head() {
  buffer_.erase(0, std::min(buffer_.find_first_not_of("\r\n"), buffer_.size()));
  const std::optional<std::size_t> length = head_length(buffer_, std::exchange(searched_, buffer_.size()));
  if (length.value_or(buffer_.size()) > kLongestHead) {
    throw RequestError(431, fmt::format("the headers of the request are longer than {} bytes", kLongestHead));
  }
  if (!length) return false;
  RequestHead head = parse_request_head(std::string_view(buffer_).substr(0, *length));
  buffer_.erase(0, *length);
  searched_ = 0;
  head_ = std::move(head);
  if (head_->content_length > max_body_) {
    throw RequestError(
        413,
        fmt::format("the body is longer than {} bytes; send less at a time, or raise max_body", max_body_));
  }
  if (head_->is_chunked) chunks_.emplace(max_body_);
  wants_continue_ = head_->expects_continue && head_->has_body() && buffer_.empty();
  return true;
}

bool RequestReader::take_body() {
  if (chunks_) {
    buffer_.erase(0, chunks_->add(buffer_));
    if (chunks_->is_complete()) head_->request.body = std::move(chunks_->content());
    return chunks_->is_complete();
  }
  const auto length = static_cast<std::size_t>(head_->content_length);
  if (buffer_.size() < length) return false;
  if (buffer_.size() == length) {
    head_->request.body = std::exchange(buffer_, {});
  } else {
    head_->request.body = buffer_.substr(0, length);
    buffer_.erase(0, length);
  }
  return true;
}

bool RequestReader::has_begun() const {
  return head_.has_value() || buffer_.find_first_not_of("\r\n") != std::string::npos;
}

bool RequestReader::wants_continue() { return std::exchange(wants_continue_, false); }

std::size_t RequestReader::size() const { return buffer_.size() + (chunks_ ? chunks_->content().size() : 0); }

std::string RequestReader::path() const {
  return head_ ? head_->request.path : std::string(requested_path(buffer_));
}

}  // namespace copse
