#pragma once

#include "parallel/team.h"
#include "training/pretrain_request.h"
#include "training/train_request.h"

namespace copse {

// Throws UsageError for options that do not go together, or not with a team like this.
void check_request(const TrainRequest& request, const Team& team);
void check_request(const PretrainRequest& request, const Team& team);

}  // namespace copse
