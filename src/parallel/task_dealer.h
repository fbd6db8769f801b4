#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

namespace copse {

// Deals out the tasks 0, 1, 2, ..., count - 1 to whoever is free: everyone gets the next one, and nobody gets
// one that another has got. Put expensive tasks first.
class TaskDealer {
 public:
  TaskDealer() = default;
  TaskDealer(const TaskDealer&) = delete;
  TaskDealer& operator=(const TaskDealer&) = delete;
  virtual ~TaskDealer() = default;

  // The next task of this process; nothing when all are dealt out, and from then on.
  virtual std::optional<std::size_t> next() = 0;
};

// Of one process; its threads may share it.
class LocalDealer : public TaskDealer {
 public:
  explicit LocalDealer(std::size_t count) : count_(count) {}

  std::optional<std::size_t> next() override {
    const std::size_t task = next_.fetch_add(1);
    return task < count_ ? std::optional(task) : std::nullopt;
  }

 private:
  std::size_t count_;
  std::atomic<std::size_t> next_ = 0;
};

}  // namespace copse
