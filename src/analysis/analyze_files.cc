#include <fmt/format.h>

#include "analysis/analysis.h"
#include "analysis/analyzer.h"
#include "copse/error.h"
#include "evaluation/side_by_side.h"
#include "io/byte_source.h"

namespace copse {

Analysis analyze_files(const NamedFile& gold, std::span<const NamedFile> systems,
                       const AnalysisOptions& options) {
  if (systems.empty()) throw DataError("there is no system to analyse; name at least one file");
  std::vector<std::string> paths;
  for (const NamedFile& system : systems) paths.push_back(system.path);
  Analyzer analyzer(systems.size(), options);
  bool has_sentence = false;
  read_side_by_side(
      gold.path, paths,
      [&](const Sentence& sentence, std::span<const Sentence* const> parsed) {
        analyzer.add(sentence, parsed);
        has_sentence = true;
      },
      options.evaluation.max_words);
  if (!has_sentence) {
    throw DataError(
        fmt::format("{}: there is no sentence; analyse files with sentences", input_name(gold.path)));
  }
  Analysis analysis = analyzer.result();
  analysis.gold_file = gold.name;
  for (size_t k = 0; k < systems.size(); ++k) {
    analysis.systems[k].name = systems[k].name;
    analysis.systems[k].file = input_name(systems[k].path);
  }
  return analysis;
}

}  // namespace copse
