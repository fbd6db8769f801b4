#include <memory>
#include <string>

#include "command_outline.h"
#include "commands.h"
#include "completion_script.h"
#include "console.h"

namespace copse {

void add_completion(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("completion", "Write a script by which a shell completes commands");
  command->footer(
      "The script completes the names of commands and options, values that are one of some\n"
      "words, and the names of files. Installed packages have it in its place already.\n\n"
      "Examples:\n"
      "  copse completion bash > ~/.local/share/bash-completion/completions/copse\n"
      "  copse completion zsh > ~/.zfunc/_copse      # with fpath+=~/.zfunc before compinit\n"
      "  copse completion fish > ~/.config/fish/completions/copse.fish\n"
      "  source <(copse completion bash)             # for this shell alone");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->option_text(" ");
  command->callback([shell, &program] {
    const CommandOutline outline = outline_of(program);
    write_output(*shell == "bash"  ? bash_completion(outline)
                 : *shell == "zsh" ? zsh_completion(outline)
                                   : fish_completion(outline));
  });
}

}  // namespace copse
