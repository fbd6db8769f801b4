#include "console.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "copse/error.h"
#include "copse/setting_error.h"
#include "current_team.h"
#include "io/output_file.h"
#include "render/text_width.h"

namespace copse {
namespace {

bool errors_were_reported = false;

bool is_output_without_reader() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

void write_output(std::string_view text) {
  if (!current_team().leads()) return;
  try {
    OutputFile output("-");
    output.write(text);
    output.close();
  } catch (const DataError&) {
    if (is_output_without_reader()) throw ReaderGone();
    throw;
  }
}

std::string message_of(const DataError& error) {
  const auto* of_setting = dynamic_cast<const SettingError*>(&error);
  if (of_setting == nullptr) return error.what();
  std::string option = of_setting->setting();
  std::replace(option.begin(), option.end(), '_', '-');
  return fmt::format("{} (--{})", error.what(), option);
}

void report_error(std::string_view message) {
  errors_were_reported = true;
  const std::string line = fmt::format("copse: {}\n", printable(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

bool has_reported_errors() { return errors_were_reported; }

}  // namespace copse
