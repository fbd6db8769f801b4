#pragma once

#include <CLI/CLI.hpp>
#include <span>

#include "training/option_row.h"
#include "training/pretrain_request.h"
#include "training/train_request.h"

namespace copse {

// The options of a command that learns, as their table has them. Borrows table and request.
void add_options(CLI::App& command, std::span<const RequestOption<TrainRequest>> options,
                 TrainRequest& request);
void add_options(CLI::App& command, std::span<const RequestOption<PretrainRequest>> options,
                 PretrainRequest& request);

// An option that means the same for a command that has no such table: with the same name and help.
template <class Value>
CLI::Option* add_same_option(CLI::App& command, const OptionRow& row, Value& value) {
  return command.add_option(row.flag(), value, row.help)->option_text(row.value_text());
}

}  // namespace copse
