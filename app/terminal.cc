#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace copse {
namespace {

constexpr int kUsualColumns = 80;

// Empty when the variable is not set.
std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

bool is_colour_terminal() {
  const std::string_view terminal = environment("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR").empty() && !terminal.empty() &&
         terminal != "dumb";
}

int terminal_columns() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const int columns = std::atoi(std::string(environment("COLUMNS")).c_str());
  return columns > 0 ? columns : kUsualColumns;
}

bool is_utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (environment(name).empty()) continue;
    std::string locale(environment(name));
    std::transform(locale.begin(), locale.end(), locale.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return true;  // nothing said: nearly every terminal of today is a UTF-8 one
}

}  // namespace

void add_terminal_options(CLI::App& command, TerminalOptions& options) {
  command.add_option("--colour,--color", options.colour, "auto (on a terminal), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->option_text("WHEN [auto]");
  command.add_flag("--ascii", options.ascii, "Draw with ASCII characters only");
  command.add_option("--columns", options.columns, "Longest line; 0 takes the width of the terminal")
      ->check(CLI::Range(0, 10'000))
      ->option_text("N [0]");
}

Canvas canvas_for(const TerminalOptions& options) {
  Canvas canvas;
  canvas.columns = options.columns > 0 ? options.columns : terminal_columns();
  canvas.colour = options.colour == "always" || (options.colour == "auto" && is_colour_terminal());
  canvas.unicode = !options.ascii && is_utf8_locale();
  return canvas;
}

}  // namespace copse
