#pragma once

#include <CLI/CLI.hpp>

namespace copse {

// One function and one file per subcommand: it adds the command, its options and what it does to the program.
void add_train(CLI::App& program);
void add_parse(CLI::App& program);
void add_tag(CLI::App& program);
void add_select(CLI::App& program);
void add_segment(CLI::App& program);
void add_vectors(CLI::App& program);
void add_pretrain(CLI::App& program);
void add_eval(CLI::App& program);
void add_analyze(CLI::App& program);
void add_info(CLI::App& program);
void add_models(CLI::App& program);
void add_combine(CLI::App& program);
void add_pack(CLI::App& program);
void add_check(CLI::App& program);
void add_convert(CLI::App& program);
void add_projectivize(CLI::App& program);
void add_show(CLI::App& program);
void add_demo(CLI::App& program);
#ifdef COPSE_WITH_SERVER
void add_serve(CLI::App& program);
#endif
void add_completion(CLI::App& program);
// After all others, whose pages it writes.
void add_manual(CLI::App& program);

}  // namespace copse
