#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "command_outline.h"
#include "commands.h"
#include "console.h"
#include "io/output_file.h"
#include "man_page.h"

namespace copse {
namespace {

struct ManualOptions {
  std::string command;
  std::string folder;
};

void write_page(const std::filesystem::path& path, const std::string& page) {
  OutputFile output(path.string());
  output.write(page);
  output.close();
}

void write_all_pages(const CommandOutline& program, const std::filesystem::path& folder) {
  std::error_code error;  // if there is no folder, writing says so
  std::filesystem::create_directories(folder, error);
  write_page(folder / "copse.1", program_page(program));
  for (const CommandOutline& command : program.commands) {
    write_page(folder / ("copse-" + command.name + ".1"), command_page(program, command));
  }
}

std::string page_of(const CommandOutline& program, const std::string& name) {
  for (const CommandOutline& command : program.commands) {
    if (command.name == name) return command_page(program, command);
  }
  return program_page(program);
}

}  // namespace

void add_manual(CLI::App& program) {
  CLI::App* command = program.add_subcommand("manual", "Write the manual page of a command, for man");
  command->footer(
      "A page has what --help says. Installed packages have all of them: `man copse-parse`.\n\n"
      "Examples:\n"
      "  copse manual parse | man -l -\n"
      "  copse manual --folder ~/.local/share/man/man1");
  std::vector<std::string> names;
  for (const CLI::App* other : program.get_subcommands({})) names.push_back(other->get_name());
  auto options = std::make_shared<ManualOptions>();
  CLI::Option* name =
      command->add_option("COMMAND", options->command, "The command; without one, the page of the program")
          ->check(CLI::IsMember(names))
          ->option_text(" ");
  command->add_option("--folder", options->folder, "Write all pages here: copse.1, copse-parse.1, ...")
      ->option_text("FOLDER")
      ->excludes(name);
  command->callback([options, &program] {
    const CommandOutline outline = outline_of(program);
    if (options->folder.empty())
      write_output(page_of(outline, options->command));
    else
      write_all_pages(outline, options->folder);
  });
}

}  // namespace copse
