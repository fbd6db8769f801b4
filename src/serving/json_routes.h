#pragma once

#include <vector>

#include "serving/model_set.h"
#include "serving/route.h"

namespace copse {

// /v1/parse and /v1/models, which web/openapi.json describes. Borrows the models.
std::vector<Route> json_routes(const ModelSet& models);

}  // namespace copse
