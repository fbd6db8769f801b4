#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "copse/parse.h"
#include "text/attribute_list.h"
#include "treebank/head_probability.h"
#include "treebank/misc_probability.h"

namespace copse {
namespace {

constexpr std::string_view kUncertainKey = "Doubtful";
constexpr std::string_view kUncertainEntry = "Doubtful=Yes";

std::string_view label_of(const ParsedTree& tree, std::size_t word) {
  return tree.labels.empty() ? std::string_view("_") : std::string_view(tree.labels[word]);
}

bool has_tree(const Sentence& sentence, const ParsedTree& tree) {
  for (int word = 1; word <= sentence.size(); ++word) {
    const auto at = static_cast<std::size_t>(word);
    if (sentence[word].head() != tree.heads[at] || sentence[word].deprel() != label_of(tree, at))
      return false;
  }
  return true;
}

// The entries of MISC that are about the tree: those of the new one in the place of the old, if there are
// any.
class MiscWriter {
 public:
  void write(const ParsedTree& tree, std::size_t at, Token& word) {
    head_.clear();
    label_.clear();
    uncertain_.clear();
    if (!tree.head_probabilities.empty()) {
      fmt::format_to(std::back_inserter(head_), "{}={:.4f}", kHeadProbabilityKey,
                     tree.head_probabilities[at]);
    }
    if (!tree.label_probabilities.empty()) {
      fmt::format_to(std::back_inserter(label_), "{}={:.4f}", kLabelProbabilityKey,
                     tree.label_probabilities[at]);
    }
    if (!tree.is_uncertain.empty() && tree.is_uncertain[at]) uncertain_ = kUncertainEntry;

    text_.clear();
    for_each_attribute(word.misc(), [&](std::string_view entry) {
      if (std::string* own = own_entry(attribute_key(entry))) {
        add(*own);
        own->clear();
      } else {
        add(entry);
      }
      return true;
    });
    for (const std::string* own : {&head_, &label_, &uncertain_}) add(*own);
    const std::string_view written = text_.empty() ? std::string_view("_") : std::string_view(text_);
    if (written != word.misc()) word.set_checked(Row::kMisc, written);
  }

 private:
  std::string* own_entry(std::string_view key) {
    if (key == kHeadProbabilityKey) return &head_;
    if (key == kLabelProbabilityKey) return &label_;
    return key == kUncertainKey ? &uncertain_ : nullptr;
  }
  void add(std::string_view entry) {
    if (entry.empty()) return;
    if (!text_.empty()) text_ += '|';
    text_ += entry;
  }

  std::string head_;
  std::string label_;
  std::string uncertain_;
  std::string text_;
};

// The identifier of the sentence without what an earlier tree of the same parse has added to it.
std::string plain_id(const Sentence& sentence, std::size_t rank) {
  std::string id(*sentence.sent_id());
  const std::string suffix = fmt::format("-k{}", rank);
  const bool is_of_tree_before = sentence.comment("kbest_rank") == std::to_string(rank);
  if (rank > 1 && is_of_tree_before && id.ends_with(suffix)) id.resize(id.size() - suffix.size());
  return id;
}

void write_comments(const Parse& parse, std::size_t rank, Sentence& sentence) {
  const ParsedTree& tree = parse.trees[rank];
  if (parse.is_kbest) {
    if (rank > 0 && sentence.sent_id()) {
      sentence.set_comment("sent_id", fmt::format("{}-k{}", plain_id(sentence, rank), rank + 1));
    }
    if (rank > 0) sentence.layout().extra_blank_lines = 0;
    sentence.set_comment("kbest_rank", std::to_string(rank + 1));
    sentence.set_comment("tree_probability", fmt::format("{:#.4g}", std::exp(tree.log_probability)));
  } else {
    sentence.remove_comment("kbest_rank");
    sentence.remove_comment("tree_probability");
  }
  if (!tree.head_probabilities.empty()) {
    sentence.set_comment("tree_log_probability", fmt::format("{:.4f}", tree.log_probability));
    sentence.set_comment("tree_entropy", fmt::format("{:.4f}", parse.entropy));
  } else {
    sentence.remove_comment("tree_log_probability");
    sentence.remove_comment("tree_entropy");
  }
}

}  // namespace

void write_columns(const Parse& parse, std::size_t rank, Sentence& sentence) {
  if (sentence.empty()) return;
  const ParsedTree& tree = parse.trees.at(rank);
  const bool has_additions = parse.is_kbest || !tree.head_probabilities.empty() || !tree.is_uncertain.empty();
  if (has_additions) make_conllu(sentence);
  const bool is_conllu = sentence.layout().format == ConllFormat::conllu;
  const bool keeps_deps = !is_conllu || has_tree(sentence, tree);
  MiscWriter misc;
  for (int k = 1; k <= sentence.size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    Token& word = sentence[k];
    if (word.head() != tree.heads[at]) word.set_head(tree.heads[at]);
    if (word.deprel() != label_of(tree, at)) word.set_checked(Row::kDeprel, label_of(tree, at));
    if (!keeps_deps && word.deps() != "_") word.set_checked(Row::kDeps, "_");
    if (is_conllu) misc.write(tree, at, word);
  }
  if (is_conllu) write_comments(parse, rank, sentence);
}

}  // namespace copse
