#include "current_team.h"

#include <utility>

namespace copse {
namespace {

Team* team_of_command = nullptr;
DealerMaker dealer_of_command;

}  // namespace

Team& current_team() { return team_of_command != nullptr ? *team_of_command : Team::alone(); }

std::unique_ptr<TaskDealer> make_dealer(std::size_t tasks) {
  if (current_team().is_alone()) return std::make_unique<LocalDealer>(tasks);
  return dealer_of_command(tasks);
}

void set_current_team(Team& team, DealerMaker make_dealer) {
  team_of_command = &team;
  dealer_of_command = std::move(make_dealer);
}

}  // namespace copse
