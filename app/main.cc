#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>
#include <string>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "current_team.h"
#include "interrupted.h"
#include "option_values.h"
#include "stop_signals.h"
#include "team_start.h"
#include "usage_message.h"

namespace copse {
namespace {

constexpr const char* kDescription =
    "Copse is a dependency parser that knows how sure it is. For every sentence it\n"
    "has a probability distribution over all projective trees, and answers questions\n"
    "about it exactly: the best trees, the probability of each arc, what follows if\n"
    "an arc is given.\n";

// For who types the name of the program and looks what happens.
constexpr const char* kWelcome =
    "Copse finds the dependency trees of sentences, and says how sure it is of every arc.\n"
    "Three things to try:\n"
    "\n"
    "  echo \"I saw the man with the telescope.\" | copse parse --output-format tree\n"
    "                             the tree of a sentence, drawn here\n"
    "  copse parse text.txt --probabilities --output parsed.conllu\n"
    "                             the trees of a text of yours, with probabilities\n"
    "  copse demo                 what follows when somebody decides an arc\n"
    "\n"
    "`copse --help` has all commands, `copse parse --help` all about one of them.\n";

constexpr const char* kFooter =
    "At once, with the English model that is in the box:\n"
    "  echo \"I saw the man with the telescope.\" | copse parse --output-format tree\n"
    "                                    draw the tree of a sentence\n"
    "  copse parse text.txt --output parsed.conllu\n"
    "                                    find sentences, words, tags and trees of a text\n"
    "  copse parse text.txt --probabilities --output-format html --output parsed.html\n"
    "                                    the same as a page, doubtful arcs marked\n"
    "  copse tag text.txt                words with tags and lemmas only\n"
    "  copse segment text.txt            sentences and words only\n"
    "  copse select text.txt --most-uncertain 10\n"
    "                                    sentences that are worth annotating\n"
    "  copse demo                        exact inference on an ambiguous sentence\n"
    "  copse models                      the models that there are, by language\n"
    "  copse info english                what the model is and how it was made\n"
    "\n"
    "With trees of your own:\n"
    "  copse check train.conllu          errors and figures of a treebank\n"
    "  copse show dev.conllu             draw the trees of a treebank\n"
    "  copse train --train train.conllu --dev dev.conllu --model mine.copse --pipeline\n"
    "                                    learn a model that goes from text to trees\n"
    "  copse parse --model mine.copse dev.conllu --output parsed.conllu\n"
    "                                    find the trees of new sentences\n"
    "  copse combine parser.copse tags.copse segments.copse --output all.copse\n"
    "                                    models that were learnt apart in one file\n"
    "  copse eval --gold dev.conllu --system parsed.conllu\n"
    "                                    accuracy with confidence intervals\n"
    "  copse analyze --gold dev.conllu --system parsed.conllu --output page.html\n"
    "                                    where a parser goes wrong, in charts\n"
    "  copse convert wsj --output wsj.conllx\n"
    "                                    Penn brackets to dependencies\n"
    "  copse projectivize --method pseudo < train.conllu > lifted.conllu\n"
    "                                    trees without crossing arcs\n"
    "  copse vectors --text wiki.txt --output en.vectors\n"
    "                                    learn vectors of words from plain text\n"
    "  copse pretrain --text wiki.txt --output en.encoder\n"
    "                                    learn an encoder from plain text\n"
    "  copse serve                       a web service, and a page to try things out\n"
    "  copse completion bash             completes commands in a shell: bash, zsh, fish\n"
    "\n"
    "`copse parse --help` has all about one command. Results go to the standard output,\n"
    "messages to the standard error. The exit status is 0, 1 for data that cannot be used,\n"
    "2 for a wrong command line, or 75 after SIGTERM or SIGUSR1: run it again. (Only a server that\n"
    "these stop ends with 0.)";

void add_commands(CLI::App& program) {
  program.set_version_flag(
      "--version",
      std::string("copse " COPSE_VERSION) + (is_mpi_compiled_in() ? ", with MPI" : ", without MPI"),
      "Print the version and exit");
  program.footer(kFooter);
  program.require_subcommand(1);
  add_parse(program);
  add_tag(program);
  add_segment(program);
  add_select(program);
  add_show(program);
  add_train(program);
  add_eval(program);
  add_analyze(program);
  add_info(program);
  add_models(program);
  add_combine(program);
  add_pack(program);
  add_check(program);
  add_convert(program);
  add_projectivize(program);
#ifdef COPSE_WITH_SERVER
  add_serve(program);
#endif
  add_vectors(program);
  add_pretrain(program);
  add_demo(program);
  add_completion(program);
  add_manual(program);
  refuse_non_finite_numbers(program);
}

// What is to happen between the reading of a command's options and its work.
void start_before_work(CLI::App& program, TeamStart& team) {
  for (CLI::App* command : program.get_subcommands({})) {
    command->parse_complete_callback([command, &team] { team.start(*command); });
  }
}

int run(int argc, const char* const* argv, TeamStart& team) {
  if (argc == 1 && ::isatty(STDOUT_FILENO) == 1) {
    write_output(kWelcome);
    return kSuccess;
  }
  CLI::App program(kDescription, "copse");
  add_commands(program);
  start_before_work(program, team);
  try {
    program.parse(argc, argv);
  } catch (const BadLaunch& bad) {
    team.say_once(bad.what());
    return kBadUsage;
  } catch (const CLI::CallForVersion& version) {
    write_output(fmt::format("{}\n", version.what()));
  } catch (const CLI::CallForHelp&) {
    write_output(program.help());
  } catch (const CLI::ParseError& error) {
    const std::string message = usage_message(program, error, {argv + 1, argv + argc});
    team.fail(kBadUsage, message);
    team.say_once(message);
    return kBadUsage;
  }
  return has_reported_errors() ? kBadData : kSuccess;
}

// One line, which names the process if it is one of several; these end then.
int report_failure(const TeamStart& team, const std::string& message) {
  team.fail(kBadData, message);
  report_error(message);
  return kBadData;
}

int run_reporting_errors(int argc, const char* const* argv, TeamStart& team) {
  try {
    return run(argc, argv, team);
  } catch (const ReaderGone&) {
    return has_reported_errors() ? kBadData : kSuccess;
  } catch (const Interrupted& interruption) {
    team.say_once(interruption.what());
    return interruption.status();
  } catch (const DataError& error) {
    return report_failure(team, message_of(error));
  } catch (const std::bad_alloc&) {
    return report_failure(team, current_team().is_alone()
                                    ? "out of memory; use a machine with more of it, or less data"
                                    : "out of memory; use more machines, or fewer processes on each of them, "
                                      "or a smaller --memory");
  } catch (const std::exception& error) {
    return report_failure(team, fmt::format("internal error: {}; please report it", error.what()));
  }
}

}  // namespace
}  // namespace copse

int main(int argc, char** argv) {
  // A reader who leaves early is then seen as a failed write, and temporary files are removed as usual.
  std::signal(SIGPIPE, SIG_IGN);
  copse::clean_up_on_signals();
  try {
    copse::TeamStart team({argv + 1, argv + argc});
    const int status = copse::run_reporting_errors(argc, argv, team);
    team.end();
    return status;
  } catch (...) {
    return copse::kBadData;  // there was not even memory for a message
  }
}
