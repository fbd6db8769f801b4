#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pipeline/model_settings.h"
#include "training/option_row.h"
#include "training/pretrain_request.h"

namespace copse {

using PretrainOption = RequestOption<PretrainRequest>;

// Everything that a PretrainRequest can be told, in the order of the help.
std::span<const PretrainOption> pretrain_options();

// The option of this name ("max_words"), or null.
const PretrainOption* find_pretrain_option(std::string_view name);

// What the encoder says about its making.
ModelSettings encoder_settings(const PretrainRequest& request);
// Of the options that checkpoints depend on.
std::uint64_t fingerprint(const PretrainRequest& request);

}  // namespace copse
