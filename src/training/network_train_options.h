#pragma once

#include "training/option_table.h"
#include "training/train_request.h"

namespace copse {

// The part of the table that is about networks alone.
void add_network_options(OptionTable<TrainRequest>& table);

}  // namespace copse
