#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse {

// 1234567 as 1,234,567.
std::string grouped(int64_t number);

// "1 word", "2,001 words".
std::string counted(int64_t number, std::string_view singular);

// "0.4 s", "38 s", "4:05 min", "1:02:03 h".
std::string duration(double seconds);

// 0.98765 as "98.77%".
std::string percent_text(double share);

// A rate per second: "0.53", "7.2", "1,234".
std::string rate(double per_second);

}  // namespace copse
