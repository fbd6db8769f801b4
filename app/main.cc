#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <exception>
#include <new>
#include <string>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "interrupted.h"
#include "option_values.h"
#include "stop_signals.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr const char* kDescription =
    "Copse is a dependency parser that knows how sure it is. For every sentence it\n"
    "has a probability distribution over all projective trees, and answers questions\n"
    "about it exactly: the best trees, the probability of each arc, what follows if\n"
    "an arc is given.\n";

constexpr const char* kFooter =
    "Examples:\n"
    "  copse train --train train.conllu --dev dev.conllu --model en.copse\n"
    "                                    learn a model from trees\n"
    "  copse parse --model en.copse < text.conllu > parsed.conllu\n"
    "                                    find the trees of new sentences\n"
    "  copse tag --model tags.copse < text.conllu > tagged.conllu\n"
    "                                    tag words: UPOS, XPOS, FEATS, LEMMA\n"
    "  copse select --most-uncertain 100 < pool.conllu > next.conllu\n"
    "                                    sentences worth annotating\n"
    "  copse segment --model segments.copse < text.txt > sentences.conllu\n"
    "                                    find sentences and words in raw text\n"
    "  copse vectors --text wiki.txt --output en.vectors\n"
    "                                    learn vectors of words from plain text\n"
    "  copse pretrain --text wiki.txt --output en.encoder\n"
    "                                    learn an encoder from plain text\n"
    "  copse eval --gold dev.conllu --system parsed.conllu\n"
    "                                    accuracy with confidence intervals\n"
    "  copse analyze --gold dev.conllu --system parsed.conllu --output page.html\n"
    "                                    where a parser goes wrong, in charts\n"
    "  copse info en.copse               what a model is and how it was made\n"
    "  copse check train.conllu          errors and figures of a treebank\n"
    "  copse convert wsj --output wsj.conllx\n"
    "                                    Penn brackets to dependencies\n"
    "  copse projectivize --method pseudo < train.conllu > lifted.conllu\n"
    "                                    trees without crossing arcs\n"
    "  copse show dev.conllu             draw the trees of a treebank\n"
    "  copse serve                       a web service, and a page to try things out\n"
    "  copse demo                        exact inference on an ambiguous sentence\n"
    "  copse completion bash             completes commands in a shell: bash, zsh, fish\n"
    "  copse manual parse                the page of a command, for man\n"
    "  copse parse --help                all about one command\n"
    "\n"
    "Results go to the standard output, messages to the standard error. The exit\n"
    "status is 0, 1 for data that cannot be used, or 2 for a wrong command line.";

void add_commands(CLI::App& program) {
  program.set_version_flag("--version", "copse " COPSE_VERSION, "Print the version and exit");
  program.footer(kFooter);
  program.require_subcommand(1);
  add_train(program);
  add_parse(program);
  add_tag(program);
  add_select(program);
  add_segment(program);
  add_vectors(program);
  add_pretrain(program);
  add_eval(program);
  add_analyze(program);
  add_info(program);
  add_pack(program);
  add_check(program);
  add_convert(program);
  add_projectivize(program);
  add_show(program);
#ifdef COPSE_WITH_SERVER
  add_serve(program);
#endif
  add_demo(program);
  add_completion(program);
  add_manual(program);
  refuse_non_finite_numbers(program);
}

// CLI11 writes sentences, some with several lines; ours are parts of one line.
std::string as_clause(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  while (!message.empty() && (message.back() == '.' || message.back() == ' ')) message.pop_back();
  if (message.size() > 1 && std::islower(static_cast<unsigned char>(message[1])) != 0) {
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  }
  return message;
}

std::string command_line_so_far(const CLI::App& program) {
  std::string names = "copse";
  for (const CLI::App* command : program.get_subcommands()) names += " " + command->get_name();
  return names;
}

// Of a word that is no command CLI11 says only that it misses a command.
std::string usage_message(const CLI::App& program, const CLI::ParseError& error, const std::string& first) {
  const bool is_missing_command = program.get_subcommands().empty() && error.get_name() == "RequiredError";
  if (!is_missing_command) return as_clause(error.what());
  if (first.empty()) return "a command is missing";
  return fmt::format("there is no {} {}", first[0] == '-' ? "option" : "command", copse::quoted(first));
}

int run(int argc, const char* const* argv) {
  CLI::App program(kDescription, "copse");
  add_commands(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForVersion& version) {
    write_output(fmt::format("{}\n", version.what()));
  } catch (const CLI::CallForHelp&) {
    write_output(program.help());
  } catch (const CLI::ParseError& error) {
    report_error(fmt::format("{}; see `{} --help`", usage_message(program, error, argc > 1 ? argv[1] : ""),
                             command_line_so_far(program)));
    return kBadUsage;
  }
  return has_reported_errors() ? kBadData : kSuccess;
}

int run_reporting_errors(int argc, const char* const* argv) {
  try {
    return run(argc, argv);
  } catch (const ReaderGone&) {
    return has_reported_errors() ? kBadData : kSuccess;
  } catch (const Interrupted& interruption) {
    report_error(interruption.what());
    return interruption.status();
  } catch (const DataError& error) {
    report_error(error.what());
  } catch (const std::bad_alloc&) {
    report_error("out of memory; use a machine with more of it, or less data");
  } catch (const std::exception& error) {
    report_error(fmt::format("internal error: {}; please report it", error.what()));
  }
  return kBadData;
}

}  // namespace
}  // namespace copse

int main(int argc, char** argv) {
  // A reader who leaves early is then seen as a failed write, and temporary files are removed as usual.
  std::signal(SIGPIPE, SIG_IGN);
  copse::clean_up_on_signals();
  try {
    return copse::run_reporting_errors(argc, argv);
  } catch (...) {
    return copse::kBadData;  // there was not even memory for a message
  }
}
