#include "status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "current_team.h"
#include "render/text_width.h"

namespace copse {
namespace {

constexpr std::chrono::milliseconds kShortestShow{100};
constexpr std::string_view kEraseLine = "\r\x1b[K";

void write_error_stream(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

int columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}  // namespace

StatusLine::StatusLine() : is_live_(current_team().leads() && ::isatty(STDERR_FILENO) == 1) {}

void StatusLine::show(std::string_view text) {
  if (!is_live_) return;
  const auto now = std::chrono::steady_clock::now();
  if (is_shown_ && now - last_change_ < kShortestShow) return;
  last_change_ = now;
  // A full line would make the terminal scroll.
  write_error_stream(std::string(kEraseLine) + cut_to_width(printable(text), columns() - 1, "..."));
  is_shown_ = true;
}

void StatusLine::clear() {
  if (is_shown_) write_error_stream(kEraseLine);
  is_shown_ = false;
}

void StatusLine::print(std::string_view message) {
  if (!current_team().leads()) return;
  clear();
  write_error_stream(printable(message) + "\n");
}

}  // namespace copse
