#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "parallel/task_dealer.h"
#include "parallel/team.h"

namespace copse {

// The processes that do this command together: one, unless main() has made a team.
Team& current_team();

// Deals out tasks to the processes of the team, while each of them is at work. Collective, and so is its end;
// one at a time.
std::unique_ptr<TaskDealer> make_dealer(std::size_t tasks);

// For main() and tests; borrows the team.
using DealerMaker = std::function<std::unique_ptr<TaskDealer>(std::size_t tasks)>;
void set_current_team(Team& team, DealerMaker make_dealer);

}  // namespace copse
