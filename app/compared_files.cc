#include "compared_files.h"

namespace copse {

void ComparedFiles::sort_out() {
  auto next = files.begin();
  if (gold.empty() && next != files.end()) gold = *next++;
  systems.insert(systems.end(), next, files.end());
  files.clear();
  if (gold.empty()) throw CLI::RequiredError("--gold");
  if (systems.empty()) throw CLI::RequiredError("--system");
}

void add_compared_files(CLI::App& command, ComparedFiles& files, const std::string& system_text,
                        const std::string& system_form) {
  command
      .add_option("FILES", files.files,
                  "The gold file, unless --gold names it, and those of the systems, as with --system")
      ->option_text("FILE ...");
  command.add_option("--gold", files.gold, "The right trees; - is the standard input")->option_text("FILE");
  command.add_option("--system", files.systems, system_text)->option_text(system_form);
}

}  // namespace copse
