#pragma once

#include <string>

#include "serving/request_error.h"

namespace copse {

// {"error": {"message": "one line", "where": "constraints[2].head"}}, without a line end; the place only if
// there is one, and the status only where the head of the reply cannot tell it any more.
std::string error_json(const RequestError& error, bool with_status = false);

}  // namespace copse
