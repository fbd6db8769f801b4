#pragma once

#include <optional>
#include <string_view>

#include "copse/parallel/device.h"

namespace copse {

// Of the factors of large products in training; sums are floats in any case. bfloat16 has the range of float
// and 8 bits of precision: enough for training, at twice the speed or more where the processor has
// instructions for it. GPUs take it to mean their own rounding of floats for products (TF32).
enum class Precision { float32, bfloat16 };
std::string_view name(Precision precision);  // "float", "bfloat16"
std::optional<Precision> parse_precision(std::string_view name);

// Whether products in bfloat16 are quick on this processor, and right: it tries some.
bool has_bfloat16();
// The quickest.
Precision best_precision();
// Where nobody says: what the device is quickest with.
Precision best_precision(Device device);

}  // namespace copse
