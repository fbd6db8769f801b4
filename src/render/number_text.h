#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse {

// 1234567 as 1,234,567.
std::string grouped(int64_t number);

// "1 word", "2,001 words".
std::string counted(int64_t number, std::string_view singular);

}  // namespace copse
