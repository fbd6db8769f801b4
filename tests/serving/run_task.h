#pragma once

#include <memory>
#include <utility>

#include "serving/route.h"
#include "serving/workspace.h"

namespace copse::testing {

// Does all of a task, as workers do it in turns with others.
inline void run_task(std::unique_ptr<ParseTask> task, Workspace& workspace) {
  while (task->step(workspace)) {
  }
}

// A handler that does everything at once.
template <class Handle>
ParseHandler at_once(Handle handle) {
  return [handle](const Request& request, RequestContext& context, Reply& reply) {
    handle(request, context, reply);
    return std::unique_ptr<ParseTask>();
  };
}

}  // namespace copse::testing
