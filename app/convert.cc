#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "console.h"
#include "convert_input.h"
#include "copse/treebank/conll.h"
#include "features/coarse_tags.h"
#include "number_text.h"
#include "option_values.h"
#include "segmentation/surface_text.h"
#include "status_line.h"
#include "treebank_input.h"

namespace copse {
namespace {

struct ConvertOptions {
  int max_words = ConllReadOptions().max_words;
  std::vector<std::string> files = {"-"};
  std::optional<InputFormat> from;
  std::string to;
  std::string head_rules = "english";
  std::optional<CoarseRule> coarse;
  std::string output = "-";
  std::string printed_rules;
};

ConversionRules load_rules(const std::string& name) {
  const std::string_view text = ConversionRules::builtin_text(name);
  return text.empty() ? ConversionRules::from_file(name) : ConversionRules::from_text(text, name);
}

constexpr std::string_view kTextFormat = "text";

bool writes_text(const ConvertOptions& options) {
  return options.to == kTextFormat || (options.to.empty() && options.output.ends_with(".txt"));
}

ConllFormat output_format(const ConvertOptions& options) {
  if (const std::optional<InputFormat> format = parse_input_format(options.to)) return format->conll;
  const std::optional<InputFormat> by_name = format_by_suffix(options.output);
  if (!by_name || by_name->is_penn) return ConllFormat::conllu;
  return by_name->conll == ConllFormat::detect ? ConllFormat::conllx : by_name->conll;  // .conll is the older
}

// To `text` if the output is the standard output.
std::unique_ptr<SentenceWriter> open_writer(const ConvertOptions& options, std::string& text) {
  const bool to_standard_output = options.output == "-";
  if (writes_text(options)) {
    return std::make_unique<TextWriter>(to_standard_output ? TextWriter::to_text(text)
                                                           : TextWriter(options.output));
  }
  const ConllFormat format = output_format(options);
  return std::make_unique<ConllWriter>(to_standard_output ? ConllWriter::to_text(text, format)
                                                          : ConllWriter(options.output, format));
}

void fill_coarse_tags(Sentence& sentence, CoarseRule rule) {
  if (rule == CoarseRule::treebank) return;
  for (Token& word : sentence.words()) {
    const std::string coarse(coarse_tag(word, rule));
    // The fine tag must not be lost where the only tag is in the coarse column.
    if (word.xpos() == "_") word.set_xpos(std::string(word.upos()));
    word.set_upos(coarse);
  }
}

void convert(const ConvertOptions& options) {
  if (!options.printed_rules.empty()) {
    write_output(ConversionRules::builtin_text(options.printed_rules));
    return;
  }
  std::vector<std::string> read_files = options.files;
  read_files.push_back(options.head_rules);
  expect_one_standard_input("FILES", read_files);
  const ConversionRules rules = load_rules(options.head_rules);
  const std::vector<std::string> files = expand_folders(options.files, options.from);
  expect_no_input("--output", options.output, files);
  expect_no_input("--output", options.output, {options.head_rules});
  // Also the standard output gets all or nothing: an error is seen before anything is written.
  std::string text;
  const std::unique_ptr<SentenceWriter> writer = open_writer(options, text);
  int trees_without_words = 0;
  for (const std::string& file : files) {
    trees_without_words +=
        read_sentences(file, options.from, rules, options.max_words, [&](Sentence& sentence) {
          if (options.coarse) fill_coarse_tags(sentence, *options.coarse);
          writer->write(sentence);
        });
  }
  writer->close();
  if (!text.empty()) write_output(text);
  if (trees_without_words > 0) {
    StatusLine().print("copse: " + counted(trees_without_words, "tree") + " without words left out");
  }
}

}  // namespace

void add_convert(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("convert", "Make dependencies of Penn brackets; convert CoNLL formats");
  command->footer(
      "Brackets become dependencies by head rules: in every constituent the rules choose\n"
      "the child with the head, and the other children depend on it. Traces and other\n"
      "empty elements are left out, and labels such as SUB, OBJ and NMOD are derived from\n"
      "the constituents. Rules for English (Yamada and Matsumoto) and Chinese are built in;\n"
      "--print-rules shows them, as a start for rules of your own.\n\n"
      "Formats are told by the ends of names (.mrg, .conllu, .conllx, .dp and others) or by\n"
      "the first bytes. Of a folder, the files in it and below with such names are read, in\n"
      "order of their paths; with --from, also files whose names tell nothing. All goes to\n"
      "one output, and only if all of the input could be read.\n\n"
      "--coarse fills the coarse tags (UPOS, CPOSTAG) from the fine ones: english (the first\n"
      "two characters, PRP and PRP$ whole), czech (the first), chinese (all but the last, PU\n"
      "and CD whole), none (a copy), treebank (stay as they are).\n\n"
      "Examples:\n"
      "  copse convert wsj/02 wsj/03 --coarse english --output train.conllx\n"
      "  copse convert ctb/ --from penn --head-rules chinese --output ctb.conllu\n"
      "  copse convert --print-rules english > mine.rules\n"
      "  zcat trees.gz | copse convert --head-rules mine.rules --to conllx\n"
      "  copse convert old.conllx --to conllu --output new.conllu\n"
      "  copse convert dev.conllu --to text | copse segment --model segments.copse");
  auto options = std::make_shared<ConvertOptions>();
  command
      ->add_option("FILES", options->files,
                   "Files and folders, gzip or zstd data too; - is the standard input")
      ->option_text("[-]");
  const std::string formats = "conllx, conllu or tab3 (FORM POS HEAD)";
  add_choice(*command, "--from", options->from, parse_input_format, {"penn", "conllx", "conllu", "tab3"},
             "Format of the input: penn (brackets), " + formats)
      ->option_text("NAME [by name or content]");
  command
      ->add_option("--to", options->to,
                   "Format of the output: " + formats + ", or text (the running text, nothing else)")
      ->check(CLI::IsMember(std::vector<std::string>{"conllx", "conllu", "tab3", std::string(kTextFormat)}))
      ->option_text("NAME [by name of output, or conllu]");
  command->add_option("--head-rules", options->head_rules, "english, chinese, or a file with rules")
      ->option_text("NAME|FILE [english]");
  add_choice(*command, "--coarse", options->coarse, parse_coarse_rule,
             {"treebank", "english", "czech", "chinese", "none"}, "Fill the coarse tags by this rule")
      ->option_text("RULE [as in the input]");
  command->add_option("--output", options->output, "Appears when it is complete; - is the standard output")
      ->option_text("FILE [-]");
  add_max_words_option(*command, options->max_words);
  command->add_option("--print-rules", options->printed_rules, "Write rules that are built in, and no more")
      ->check(CLI::IsMember(ConversionRules::builtin_names()))
      ->option_text("NAME");
  command->callback([options] { convert(*options); });
}

}  // namespace copse
