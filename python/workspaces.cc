#include "workspaces.h"

#include <unistd.h>

#include <algorithm>

namespace copse::python {
namespace {

// Of one model; each may have some tens of megabytes.
constexpr std::size_t kMostKept = 4;

}  // namespace

Workspace::Workspace(const Model& model, int threads) : model_(model), pool_(threads), process_(::getpid()) {}

bool Workspace::is_of_this_process() const { return process_ == ::getpid(); }

void Workspace::parse(const ParseOptions& options, std::span<PipelineItem> items) {
  if (pipeline_ && device_ == options.device) {
    pipeline_->set_options(options);
  } else {
    pipeline_.emplace(model_, options, pool_);
    device_ = options.device;
  }
  pipeline_->parse(items);
}

Workspaces::~Workspaces() {
  // Nobody could wait for threads that are not in this process.
  for (std::unique_ptr<Workspace>& workspace : free_) {
    if (!workspace->is_of_this_process()) static_cast<void>(workspace.release());
  }
}

std::unique_ptr<Workspace> Workspaces::take(int threads) {
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    for (std::unique_ptr<Workspace>& workspace : free_) {
      if (!workspace->is_of_this_process()) static_cast<void>(workspace.release());
    }
    std::erase(free_, nullptr);
    const auto found = std::find_if(free_.rbegin(), free_.rend(), [threads](const auto& workspace) {
      return workspace->threads() == threads;
    });
    if (found != free_.rend()) {
      std::unique_ptr<Workspace> workspace = std::move(*found);
      free_.erase(std::next(found).base());
      return workspace;
    }
  }
  return std::make_unique<Workspace>(model_, threads);
}

void Workspaces::give_back(std::unique_ptr<Workspace> workspace) {
  std::unique_ptr<Workspace> oldest;  // goes away when the others may be used again
  const std::lock_guard<std::mutex> guard(mutex_);
  if (free_.size() == kMostKept) {
    oldest = std::move(free_.front());
    free_.erase(free_.begin());
  }
  free_.push_back(std::move(workspace));
}

}  // namespace copse::python
