#pragma once

#include <memory>

#include "serving/route.h"

namespace copse {

// POST /v1/parse: JSON in and out; docs/serving.md and web/openapi.json say what is in it.
std::unique_ptr<ParseTask> answer_parse(const Request& request, RequestContext& context, Reply& reply);

}  // namespace copse
