#include "render/number_text.h"

#include <fmt/format.h>

namespace copse {

std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (int position = static_cast<int>(digits.size()) - 3; position > 0; position -= 3) {
    digits.insert(static_cast<size_t>(position), ",");
  }
  return digits;
}

std::string counted(int64_t number, std::string_view singular) {
  return fmt::format("{} {}{}", grouped(number), singular, number == 1 ? "" : "s");
}

}  // namespace copse
