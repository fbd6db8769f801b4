#include "serving/workspace.h"

#include <algorithm>
#include <utility>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace copse {
namespace {

// Charts grow with the square of the length at least: what is allocated for sentences up to this one is a few
// megabytes, and stays.
constexpr int kOrdinaryWords = 120;

}  // namespace

Pipeline& Workspace::pipeline(const NamedModel& model, const ParseOptions& options) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.model == &model; });
  if (found == entries_.end()) {
    entries_.push_back({&model, std::make_unique<Pipeline>(model.model, options)});
    return *entries_.back().pipeline;
  }
  found->pipeline->set_options(options);
  return *found->pipeline;
}

void Workspace::give_back() {
  if (std::exchange(longest_, 0) <= kOrdinaryWords) return;
  entries_.clear();
#ifdef __GLIBC__
  ::malloc_trim(0);  // the library would keep it for later
#endif
}

}  // namespace copse
