#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "parallel/task_dealer.h"
#include "parallel/team.h"
#include "parse_command.h"

namespace copse {

// Whether --output names a folder: one that there is, or any name with a slash at its end.
bool is_folder_name(const std::string& output);

// Makes who deals out so many tasks to the processes of a team. Collective.
using MakeDealer = std::function<std::unique_ptr<TaskDealer>(std::size_t tasks)>;

// `copse parse` with a folder for its output: every file is parsed into one of its own, by all processes of a
// team together. Collective.
void parse_to_folder(const ParseCommandOptions& options, Team& team, const MakeDealer& make_dealer);

}  // namespace copse
