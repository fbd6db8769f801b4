#include "segmentation/training_text.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "segmentation/surface_text.h"

namespace copse {
namespace {

// Long enough that most boundaries between sentences are seen from both sides.
constexpr std::size_t kPieceBytes = 2000;
constexpr int kLongestKnownWord = 40;  // characters

// A script is dense if so many runs of letters have been seen, and so large a share of them has a token that
// begins inside.
constexpr std::int64_t kFewestRuns = 20;
constexpr double kDenseShare = 0.2;

struct RunCounts {
  std::int64_t all = 0;
  std::int64_t split = 0;
};

class RuleLearner {
 public:
  RuleLearner() {
    for (auto& row : pairs_) row.fill({});
  }

  void add(const TrainingPiece& piece) {
    row_.assign(piece.text);
    is_start_.assign(static_cast<std::size_t>(row_.size()), false);
    std::size_t token = 0;
    for (int k = 0; k < row_.size(); ++k) {
      while (token < piece.tokens.size() && piece.tokens[token].offset < row_.offset(k)) ++token;
      if (token == piece.tokens.size() || piece.tokens[token].offset != row_.offset(k)) continue;
      is_start_[static_cast<std::size_t>(k)] = true;
      add_word(piece.tokens[token], k);
    }
    for (int k = 1; k < row_.size(); ++k) {
      if (row_.is_space(k) || row_.is_space(k - 1)) continue;
      RunCounts& pair =
          pairs_[static_cast<std::size_t>(row_[k - 1].kind)][static_cast<std::size_t>(row_[k].kind)];
      ++pair.all;
      pair.split += is_start(k) ? 1 : 0;
    }
    add_runs();
  }

  SlotRules rules() {
    for (std::size_t script = 0; script < kScripts; ++script) {
      const RunCounts& runs = scripts_[script];
      rules_.is_dense[script] = runs.all >= kFewestRuns && static_cast<double>(runs.split) >=
                                                               kDenseShare * static_cast<double>(runs.all);
    }
    // Scripts of the same kind with little data follow the others.
    const auto is_dense_kind = [](std::size_t script) {
      return is_written_without_spaces(static_cast<std::uint8_t>(script));
    };
    bool is_any_dense = false;
    for (std::size_t script = 0; script < kScripts; ++script) {
      is_any_dense = is_any_dense || (rules_.is_dense[script] && is_dense_kind(script));
    }
    for (std::size_t script = 0; script < kScripts && is_any_dense; ++script) {
      if (is_dense_kind(script) && scripts_[script].all < kFewestRuns) rules_.is_dense[script] = true;
    }
    for (std::size_t a = 0; a < kCharacterClasses; ++a) {
      for (std::size_t b = 0; b < kCharacterClasses; ++b) {
        rules_.is_open[a][b] = pairs_[a][b].all == 0 || pairs_[a][b].split > 0;
      }
    }
    for (const auto& [hash, script] : split_runs_) {
      if (!rules_.is_dense[script]) rules_.words.add(hash, kSplitRun);
    }
    return std::move(rules_);
  }

 private:
  bool is_start(int k) const { return is_start_[static_cast<std::size_t>(k)]; }

  void add_word(const TrainingPiece::Start& token, int k) {
    TextHash hash;
    int length = 0;
    for (int end = k; end < row_.size() && row_.offset(end) < token.end; ++end, ++length)
      hash.add(row_[end].folded);
    if (length > kLongestKnownWord) return;
    KnownWords::Flags flags = kKnownToken;
    if (row_[k].kind != CharacterClass::upper)
      flags |= kKnownLower;
    else if (token.label != kSentence)
      flags |= kKnownCapital;
    rules_.words.add(hash.value(), flags);
  }

  void add_runs() {
    for (int begin = 0; begin < row_.size();) {
      if (!is_word_part(row_[begin].kind)) {
        ++begin;
        continue;
      }
      TextHash hash;
      bool is_split = false;
      int end = begin;
      for (; is_word_part(row_[end].kind); ++end) {
        hash.add(row_[end].folded);
        is_split = is_split || (end > begin && is_start(end));
      }
      if (end - begin > 1) {
        RunCounts& runs = scripts_[row_[begin].script];
        ++runs.all;
        runs.split += is_split ? 1 : 0;
        if (is_split) split_runs_.emplace_back(hash.value(), row_[begin].script);
      }
      begin = end;
    }
  }

  TextRow row_;
  std::vector<bool> is_start_;  // by character: a token
  std::array<std::array<RunCounts, kCharacterClasses>, kCharacterClasses> pairs_;
  std::array<RunCounts, kScripts> scripts_{};
  std::vector<std::pair<std::uint64_t, std::uint8_t>> split_runs_;
  SlotRules rules_;
};

}  // namespace

std::vector<TrainingPiece> training_pieces(std::span<const Sentence> sentences) {
  std::vector<TrainingPiece> pieces;
  RunningText running;
  for (const Sentence& sentence : sentences) {
    if (sentence.empty()) continue;
    if (pieces.empty() || begins_paragraph(sentence) || pieces.back().text.size() > kPieceBytes) {
      pieces.emplace_back();
      running = RunningText();
    }
    TrainingPiece& piece = pieces.back();
    running.add(sentence, piece.text);
    for (std::size_t k = 0; k < running.starts().size(); ++k) {
      const std::size_t begin = running.starts()[k];
      const std::size_t end = begin + running.tokens()[k].form.size();
      piece.tokens.push_back(
          {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), k == 0 ? kSentence : kToken});
    }
  }
  return pieces;
}

std::vector<Label> slot_labels(const TrainingPiece& piece, const TextRow& row, std::span<const int> slots,
                               std::int64_t& lost) {
  std::vector<Label> labels;
  std::size_t token = piece.tokens.empty() ? 0 : 1;  // the first one needs no slot
  for (const int slot : slots) {
    for (; token < piece.tokens.size() && piece.tokens[token].offset < row.offset(slot); ++token) ++lost;
    const bool is_start = token < piece.tokens.size() && piece.tokens[token].offset == row.offset(slot);
    labels.push_back(is_start ? piece.tokens[token++].label : kInside);
  }
  lost += static_cast<std::int64_t>(piece.tokens.size() - token);
  return labels;
}

SlotRules learn_rules(std::span<const TrainingPiece> pieces, const std::vector<bool>& is_left_out) {
  RuleLearner learner;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (!is_left_out[k]) learner.add(pieces[k]);
  }
  return learner.rules();
}

namespace {

// use(form, words) for every token.
template <class Use>
void for_each_token(std::span<const Sentence> sentences, Use use) {
  std::vector<std::string_view> words;
  for (const Sentence& sentence : sentences) {
    for (const SurfaceToken& token : surface_tokens(sentence)) {
      words.clear();
      for (int word = token.first; word <= token.last; ++word) words.push_back(sentence[word].form());
      use(token.form, std::span<const std::string_view>(words));
    }
  }
}

}  // namespace

WordSplitter learn_splits(std::span<const Sentence> sentences) {
  WordSplitterTrainer trainer;
  for_each_token(sentences, [&](std::string_view form, std::span<const std::string_view> words) {
    if (words.size() == 1) {
      trainer.add_word(form);
    } else {
      trainer.add_split(form, words);
    }
  });
  return trainer.train();
}

std::vector<SplitExample> split_examples(std::span<const Sentence> sentences) {
  std::map<std::u32string, std::map<std::vector<std::u32string>, std::int64_t>> counts;
  for_each_token(sentences, [&](std::string_view form, std::span<const std::string_view> words) {
    std::vector<std::u32string> folded;
    if (words.size() == 1) {
      folded.push_back(folded_text(form));
    } else {
      for (const std::string_view word : words) folded.push_back(folded_text(word));
    }
    ++counts[folded_text(form)][std::move(folded)];
  });
  std::vector<SplitExample> examples;
  for (const auto& [form, splits] : counts) {
    const auto best = std::max_element(splits.begin(), splits.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    examples.push_back({form, best->first});
  }
  return examples;
}

}  // namespace copse
