#include "evaluation/side_by_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "copse/error.h"
#include "evaluation/open_treebank.h"
#include "text/utf8.h"
#include "treebank/head_probability.h"

namespace copse {
namespace {

constexpr const char* kAdvice =
    "evaluate files with the same sentences and words, or use `copse eval --aligned`, which needs only the "
    "same text";

void check_words(const OpenTreebank& gold, const OpenTreebank& system) {
  const int gold_size = gold.sentence().size();
  const int system_size = system.sentence().size();
  for (int word = 1; word <= std::min(gold_size, system_size); ++word) {
    const std::string_view expected = gold.sentence()[word].form();
    const std::string_view found = system.sentence()[word].form();
    if (found == expected) continue;
    throw DataError(fmt::format("{}: word {} is {}, but {} in {}; {}", system.place(word), word,
                                quoted(found), quoted(expected), gold.place(word), kAdvice));
  }
  if (system_size == gold_size) return;
  throw DataError(fmt::format("{}: the sentence has {} word{}, but {} in {}; {}", system.place(), system_size,
                              system_size == 1 ? "" : "s", gold_size, gold.place(), kAdvice));
}

void check_probabilities(const OpenTreebank& system) {
  for (int word = 1; word <= system.sentence().size(); ++word) {
    try {
      head_probability(system.sentence()[word]);
    } catch (const DataError& error) {
      throw DataError(fmt::format("{}: {}", system.place(word), error.what()));
    }
  }
}

}  // namespace

void read_side_by_side(const std::string& gold_path, std::span<const std::string> system_paths,
                       const ComparedSentenceVisitor& visit, int max_words) {
  ConllReadOptions gold_options;
  gold_options.max_words = max_words;
  ConllReadOptions system_options = gold_options;
  system_options.validate_trees = false;
  OpenTreebank gold(gold_path, gold_options);
  std::vector<OpenTreebank> systems;
  for (const std::string& path : system_paths) systems.emplace_back(path, system_options);
  std::vector<const Sentence*> sentences(systems.size());
  while (gold.next()) {
    for (size_t k = 0; k < systems.size(); ++k) {
      if (!systems[k].next()) {
        throw DataError(fmt::format("{}: this sentence is missing in {}, which ends before; {}", gold.place(),
                                    systems[k].name(), kAdvice));
      }
      check_words(gold, systems[k]);
      check_probabilities(systems[k]);
      sentences[k] = &systems[k].sentence();
    }
    visit(gold.sentence(), sentences);
  }
  for (OpenTreebank& system : systems) {
    if (!system.next()) continue;
    throw DataError(fmt::format("{}: this sentence is not in {}, which ends before; {}", system.place(),
                                gold.name(), kAdvice));
  }
}

}  // namespace copse
