#pragma once

#include <span>
#include <string_view>

#include "training/option_row.h"
#include "training/train_request.h"

namespace copse {

using TrainOption = RequestOption<TrainRequest>;

// Everything that a TrainRequest can be told, in the order of the help.
std::span<const TrainOption> train_options();

// The option of this name ("max_length"), or null.
const TrainOption* find_train_option(std::string_view name);

}  // namespace copse
