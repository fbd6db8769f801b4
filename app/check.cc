#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "console.h"
#include "convert_input.h"
#include "copse/error.h"
#include "copse/treebank/conll.h"
#include "io/byte_source.h"
#include "number_text.h"
#include "render/text_width.h"
#include "treebank/attribute_check.h"
#include "treebank_input.h"
#include "treebank_statistics.h"

namespace copse {
namespace {

struct CheckedFile {
  std::string name;
  ConllFormat format = ConllFormat::detect;
  TreebankStatistics statistics;
  std::optional<std::string> error;
};

// Readers take FEATS and MISC as they are; here they are to be right.
void check_attributes(const Sentence& sentence, const std::string& name, std::size_t first_line) {
  if (sentence.layout().format != ConllFormat::conllu) return;
  const std::optional<Defect> defect = find_attribute_defect(sentence);
  if (!defect) return;
  const std::size_t line = first_line + sentence.comments().size() + defect->row;
  throw DataError(fmt::format("{}:{}: {}", name, line, defect->reason));
}

CheckedFile check_file(const std::string& path, const ConllReadOptions& options) {
  CheckedFile file;
  file.name = input_name(path);
  try {
    ConllReader reader(path, options);
    Sentence sentence;
    while (reader.next(sentence)) {
      file.format = reader.format();
      check_attributes(sentence, file.name, reader.first_line());
      file.statistics.include(sentence, file.name, reader.first_line());
    }
  } catch (const DataError& error) {
    file.error = message_of(error);
    report_error(*file.error);
  }
  return file;
}

double share(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string place(const Maximum& maximum) {
  return maximum.line == 0 ? "" : fmt::format(", first at {}:{}", printable(maximum.file), maximum.line);
}

std::string summary_text(const TreebankStatistics& s) {
  std::string out;
  const auto row = [&](std::string_view what, int64_t number, const std::string& remark = "") {
    out += fmt::format("{:<30}{:>13}{}{}\n", what, grouped(number), remark.empty() ? "" : "  ", remark);
  };
  row("sentences", s.sentences);
  row("words", s.words);
  row("multiword tokens", s.multiword_tokens);
  row("empty nodes", s.empty_nodes);
  row("labels", static_cast<int64_t>(s.labels.size()));
  row("coarse tags", static_cast<int64_t>(s.coarse_tags.size()));
  row("fine tags", static_cast<int64_t>(s.fine_tags.size()));
  row("words without head", s.words_without_head,
      s.words_without_head == 0 ? "" : fmt::format("in {}", counted(s.partial_sentences, "sentence")));
  row("sentences with several roots", s.sentences_with_several_roots,
      fmt::format("{:.2f}%", 100.0 * share(s.sentences_with_several_roots, s.sentences)));
  row("non-projective sentences", s.non_projective_sentences,
      fmt::format("{:.2f}%", 100.0 * share(s.non_projective_sentences, s.sentences - s.partial_sentences)));
  row("non-projective arcs", s.non_projective_arcs,
      fmt::format("{:.2f}%", 100.0 * share(s.non_projective_arcs, s.arcs_of_whole_trees)));
  row("longest sentence", s.longest_sentence.value, "words" + place(s.longest_sentence));
  row("deepest tree", s.deepest_tree.value, "arcs below each other" + place(s.deepest_tree));
  return out;
}

std::string file_text(const CheckedFile& file) {
  const TreebankStatistics& s = file.statistics;
  const std::string name = printable(file.name);
  if (s.sentences == 0)
    return fmt::format("{}: no sentences{}\n", name, file.error ? " before the error" : "");
  return fmt::format("{}: {}, {}, {}{}\n", name, format_name(file.format), counted(s.sentences, "sentence"),
                     counted(s.words, "word"), file.error ? " before the error" : "");
}

nlohmann::ordered_json as_json(const Maximum& maximum) {
  nlohmann::ordered_json json = {{"value", maximum.value}, {"file", nullptr}, {"line", nullptr}};
  if (maximum.line > 0) {
    json["file"] = maximum.file;
    json["line"] = maximum.line;
  }
  return json;
}

nlohmann::ordered_json as_json(const TreebankStatistics& s) {
  return {
      {"sentences", s.sentences},
      {"words", s.words},
      {"multiword_tokens", s.multiword_tokens},
      {"empty_nodes", s.empty_nodes},
      {"labels", s.labels.size()},
      {"coarse_tags", s.coarse_tags.size()},
      {"fine_tags", s.fine_tags.size()},
      {"words_without_head", s.words_without_head},
      {"partial_sentences", s.partial_sentences},
      {"sentences_with_several_roots", s.sentences_with_several_roots},
      {"non_projective_sentences", s.non_projective_sentences},
      {"non_projective_arcs", s.non_projective_arcs},
      {"non_projective_arc_share", share(s.non_projective_arcs, s.arcs_of_whole_trees)},
      {"longest_sentence", as_json(s.longest_sentence)},
      {"deepest_tree", as_json(s.deepest_tree)},
  };
}

nlohmann::ordered_json as_json(const CheckedFile& file) {
  nlohmann::ordered_json json = {{"file", file.name}, {"format", nullptr}, {"error", nullptr}};
  if (file.format != ConllFormat::detect) json["format"] = format_name(file.format);
  if (file.error) json["error"] = *file.error;
  json["statistics"] = as_json(file.statistics);
  return json;
}

std::string json_report(const std::vector<CheckedFile>& files, const TreebankStatistics& total) {
  nlohmann::ordered_json json = {{"files", nlohmann::ordered_json::array()}, {"total", as_json(total)}};
  for (const CheckedFile& file : files) json["files"].push_back(as_json(file));
  // Names of files need not be UTF-8.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string text_report(const std::vector<CheckedFile>& files, const TreebankStatistics& total) {
  std::string out;
  for (const CheckedFile& file : files) out += file_text(file);
  return total.sentences == 0 ? out : out + "\n" + summary_text(total);
}

struct CheckOptions {
  TreebankInput input;
  bool json = false;
};

void check(const CheckOptions& options) {
  std::vector<CheckedFile> files;
  TreebankStatistics total;
  const ConllReadOptions reading = options.input.read_options();
  const InputFormat format{false, reading.format};
  for (const std::string& path : expand_folders(options.input.files, format, FilesOfFolder::telling)) {
    files.push_back(check_file(path, reading));
    total.include(files.back().statistics);
  }
  write_output(options.json ? json_report(files, total) : text_report(files, total));
}

}  // namespace

void add_check(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("check", "Look for errors in treebank files and count what is in them");
  command->footer(
      "Reports the first error of each file with its line, and a summary of all that\n"
      "could be read. The exit status is 1 if any file has an error. Of CoNLL-U, FEATS and MISC are\n"
      "checked, too, which other commands take as they are. Of a folder, the files in it\n"
      "and below are read whose names tell a treebank (.conllu, .conllx, .conll, .dp; also with\n"
      ".gz or .zst).\n\n"
      "Examples:\n"
      "  copse check train.conllu dev.conllu.gz\n"
      "  copse check UD_English-EWT\n"
      "  zcat corpus.gz | copse check --format conllx\n"
      "  copse check --json *.conllu | jq .total.non_projective_arc_share");
  auto options = std::make_shared<CheckOptions>();
  add_treebank_input(*command, options->input);
  command->add_flag("--json", options->json, "Write the report as JSON, for programs");
  command->callback([options] { check(*options); });
}

}  // namespace copse
