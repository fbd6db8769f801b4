#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serving/model_set.h"
#include "serving/route.h"

namespace copse {

// The REST protocol of UDPipe: /models and /process.
std::vector<Route> udpipe_routes(const ModelSet& models);

// The model that a client of UDPipe means: of that name; else the first one whose name begins with it up to a
// hyphen ("english" for english-ewt-2.15); else the one that the name begins with ("english-ewt-ud-2.15" for
// english). Throws RequestError 400 that says which there are.
const NamedModel& find_udpipe_model(const ModelSet& models, std::string_view name);

}  // namespace copse
