#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "copse/error.h"
#include "copse/treebank/conll.h"
#include "io/byte_source.h"
#include "number_text.h"
#include "option_values.h"
#include "parsing/projectivize.h"
#include "sentence_output.h"
#include "status_line.h"
#include "text/utf8.h"
#include "treebank/pseudo_projective.h"
#include "treebank_input.h"
#include "trees/heads.h"

namespace copse {
namespace {

enum class Method { best_match, pseudo };

std::optional<Method> parse_method(const std::string& name) {
  return name == "pseudo" ? Method::pseudo : Method::best_match;
}

struct ProjectivizeOptions {
  std::vector<std::string> files = {"-"};
  int max_words = ConllReadOptions().max_words;
  std::string output = "-";
  std::optional<Method> method;
  std::optional<LiftScheme> scheme;
  std::optional<RootMode> root;
  bool inverse = false;

  bool is_pseudo() const {
    return method.value_or(inverse ? Method::pseudo : Method::best_match) == Method::pseudo;
  }
};

void check_usage(const ProjectivizeOptions& options) {
  expect_one_standard_input("FILES", options.files);
  expect_no_input("--output", options.output, options.files);
  const bool is_pseudo = options.is_pseudo();
  if (options.inverse && !is_pseudo) {
    throw CLI::ValidationError("--inverse", "only --method pseudo keeps what is needed to go back");
  }
  if (options.scheme && (!is_pseudo || options.inverse)) {
    throw CLI::ValidationError("--scheme", options.inverse ? "the labels tell; leave it out with --inverse"
                                                           : "belongs to --method pseudo");
  }
  if (options.root && is_pseudo) {
    throw CLI::ValidationError("--root", "belongs to --method best-match; lifting keeps a single root");
  }
}

struct LiftCounts {
  std::int64_t sentences = 0;
  std::int64_t changed_trees = 0;
  std::int64_t changed_arcs = 0;
  std::int64_t partial = 0;
  std::int64_t not_restorable = 0;
};

// So many of the arcs that --inverse will not restore are shown one by one.
constexpr std::size_t kMostShown = 10;

std::string report(const ProjectivizeOptions& options, const LiftCounts& counts) {
  std::string text = fmt::format("copse: {}, ", counted(counts.sentences, "sentence"));
  const auto trees = counted(counts.changed_trees, "tree");
  const auto arcs = counted(counts.changed_arcs, "arc");
  if (options.inverse) {
    text += fmt::format("{} restored in {}", arcs, trees);
  } else if (options.is_pseudo()) {
    text += fmt::format("{} lifted in {}", arcs, trees);
    if (counts.not_restorable > 0) {
      text += fmt::format(", of which --inverse will restore {} to a wrong head", counts.not_restorable);
    }
  } else {
    text += fmt::format("{} changed in {}", arcs, trees);
  }
  if (counts.partial > 0) text += fmt::format("; {} partial, left alone", counts.partial);
  return text;
}

class Converter {
 public:
  explicit Converter(const ProjectivizeOptions& options) : options_(options) {}

  // The number of heads that have changed.
  int convert(Sentence& sentence) {
    if (options_.inverse) return pseudo_projective_decode(sentence);
    if (options_.is_pseudo()) {
      return pseudo_projective_encode(sentence, options_.scheme.value_or(LiftScheme::head_and_path));
    }
    if (!is_tree(sentence.heads())) return 0;
    const int changed =
        projectivizer_.projectivize(sentence.heads(), options_.root.value_or(RootMode::multi), heads_);
    if (changed > 0) sentence.set_heads(heads_);
    return changed;
  }

 private:
  const ProjectivizeOptions& options_;
  Projectivizer projectivizer_;
  std::vector<int> heads_;
};

void projectivize(const ProjectivizeOptions& options) {
  check_usage(options);
  SentenceOutput output(options.output, "");
  Converter converter(options);
  LiftCounts counts;
  std::vector<std::string> wrong_arcs;
  const bool is_encoding = options.is_pseudo() && !options.inverse;
  ConllReadOptions reading;
  reading.max_words = options.max_words;
  for (const std::string& path : options.files) {
    const std::string name = input_name(path);
    ConllReader reader(path, reading);
    for (Sentence sentence; reader.next(sentence);) {
      if (options.is_pseudo() && reader.format() == ConllFormat::tab3) {
        throw DataError(
            fmt::format("{}: FORM POS HEAD files have no labels to write marks into; convert it to "
                        "CoNLL-U, or use --method best-match",
                        name));
      }
      ++counts.sentences;
      if (!sentence.empty() && !is_tree(sentence.heads())) ++counts.partial;
      const std::vector<int> heads = sentence.heads();
      const int changed = converter.convert(sentence);
      counts.changed_arcs += changed;
      counts.changed_trees += changed > 0 ? 1 : 0;
      if (is_encoding && changed > 0) {
        for (const WrongRestoration& wrong : find_wrong_restorations(heads, sentence)) {
          ++counts.not_restorable;
          if (wrong_arcs.size() == kMostShown) continue;
          wrong_arcs.push_back(
              fmt::format("copse: {}:{}: --inverse will restore word {}, {}, to head {} instead of {}", name,
                          reader.first_line(), wrong.word, quoted(sentence[wrong.word].form()),
                          wrong.restored, wrong.head));
        }
      }
      output.writer().write(sentence);
      output.emit();
    }
  }
  output.close();
  StatusLine status;
  for (const std::string& arc : wrong_arcs) status.print(arc);
  status.print(report(options, counts));
}

}  // namespace

void add_projectivize(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("projectivize", "Make trees projective, or turn pseudo-projective ones back");
  command->footer(
      "A tree is projective if every word between a head and its modifier descends from that\n"
      "head: drawn above the sentence, no arcs cross. Both methods change heads, and keep all\n"
      "other columns, comments, multiword tokens and empty nodes.\n\n"
      "best-match gives the projective tree that shares the most arcs with the old one; this is\n"
      "what `copse train` does on its own. What was changed cannot be told any more.\n\n"
      "pseudo lifts arcs, the shortest first: a word moves from its head to the head of that,\n"
      "until nothing crosses. The labels keep what was done, and --inverse undoes it, also in\n"
      "the output of a parser that has learnt such labels:\n"
      "  obl|xcomp   was lifted from a word with the label xcomp (obl| with --scheme path)\n"
      "  xcomp%      something was lifted past this arc (not with --scheme head)\n"
      "The characters | % and \\ of other labels get a backslash, which --inverse takes away.\n"
      "--inverse looks below the new head for the right label, top-down and from left to right,\n"
      "along arcs with % where there are some; a word whose head is not found stays. It never\n"
      "makes a cycle, and leaves no mark. Where several words have the right label, the first one\n"
      "is taken, and may be the wrong one: lifting tells how often, and shows the first ten.\n\n"
      "Partial trees (with words that have no head) keep their heads. How much was changed is\n"
      "said on the standard error.\n\n"
      "Examples:\n"
      "  copse projectivize train.conllu --output projective.conllu\n"
      "  copse projectivize --method pseudo < train.conllu > lifted.conllu\n"
      "  copse projectivize --inverse < parsed.conllu > restored.conllu");
  auto options = std::make_shared<ProjectivizeOptions>();
  command
      ->add_option("FILES,--input", options->files, "Trees, gzip or zstd data too; - is the standard input")
      ->option_text("FILE ... [-]");
  command->add_option("--output", options->output, "Appears when it is complete; - is the standard output")
      ->option_text("FILE [-]");
  add_choice(*command, "--method", options->method, parse_method, {"best-match", "pseudo"},
             "best-match: fewest changes; pseudo: lift arcs, and say so in the labels")
      ->option_text("NAME [best-match, or pseudo with --inverse]");
  add_choice(*command, "--scheme", options->scheme, parse_lift_scheme, {"head", "path", "head+path"},
             "What labels keep: the old head's label, the path to it, or both")
      ->option_text("NAME [head+path]");
  add_choice(*command, "--root", options->root, parse_root_mode, {"multi", "single"},
             "Of best-match: whether several words may depend on the root, or exactly one")
      ->option_text("NAME [multi]");
  add_max_words_option(*command, options->max_words);
  command->add_flag("--inverse", options->inverse, "Undo --method pseudo, of any scheme");
  command->callback([options] { projectivize(*options); });
}

}  // namespace copse
