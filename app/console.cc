#include "console.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "copse/error.h"
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

void report_error(std::string_view message) {
  errors_were_reported = true;
  const std::string line = fmt::format("copse: {}\n", printable(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

bool has_reported_errors() { return errors_were_reported; }

}  // namespace copse
