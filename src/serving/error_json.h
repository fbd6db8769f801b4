#pragma once

#include <string>

#include "serving/request_error.h"

namespace copse {

// {"error": {"status": 400, "message": "one line", "where": "constraints[2].head"}}, without a line end; the
// place only if there is one.
std::string error_json(const RequestError& error);

}  // namespace copse
