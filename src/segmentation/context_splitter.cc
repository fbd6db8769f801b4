#include "segmentation/context_splitter.h"

#include <algorithm>
#include <map>
#include <string>

#include "parallel/team.h"
#include "segmentation/surface_text.h"
#include "segmentation/text_features.h"
#include "sequence/sequence_trainer.h"

namespace copse {
namespace {

// Chosen on development data of several languages; docs/notes/segmentation.md has the figures.
constexpr std::int64_t kFewestOfADecision = 3;
constexpr double kContextL2 = 0.5;

// Numbers that end up in model files: new ones are added at the end.
struct ContextTemplate {
  enum Number : std::uint64_t {
    kForm = 1,
    kNeighbour,             // and the next three: two before, one before, one after, two after
    kEnd = kNeighbour + 4,  // of two and three characters, of the token before and of that after
    kBeginning = kEnd + 4,  // of the token after, two characters
    kBothNeighbours,
    kKey,
  };
};

struct TokenHashes {
  std::uint64_t form = 0;
  std::uint64_t beginning = 0;
  std::uint64_t ends[2] = {};
};

TokenHashes hashes_of(std::string_view token) {
  const std::u32string folded = folded_text(token);
  const std::u32string_view all = folded;
  const auto end = [&](std::size_t count) { return all.substr(all.size() - std::min(count, all.size())); };
  return {text_hash(all), text_hash(all.substr(0, 2)), {text_hash(end(2)), text_hash(end(3))}};
}

// A position for each token that is decided about; its number is added to `places`.
void observe_tokens(std::span<const std::string_view> tokens, const KnownWords& forms,
                    SequenceObservations& out, std::vector<std::uint32_t>& places) {
  using T = ContextTemplate;
  out.clear();
  places.clear();
  std::vector<TokenHashes> hashes;
  hashes.reserve(tokens.size());
  for (const std::string_view token : tokens) hashes.push_back(hashes_of(token));
  const auto at = [&](std::size_t token, int distance) {
    const auto place = static_cast<std::ptrdiff_t>(token) + distance;
    const bool is_inside = place >= 0 && place < static_cast<std::ptrdiff_t>(hashes.size());
    return is_inside ? hashes[static_cast<std::size_t>(place)] : TokenHashes{};
  };
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const std::uint64_t form = hashes[k].form;
    if (forms.find(form) == 0) continue;
    out.add(text_feature(T::kForm, form));
    std::uint64_t number = T::kNeighbour;
    for (const int distance : {-2, -1, 1, 2}) out.add(text_feature(number++, form, at(k, distance).form));
    number = T::kEnd;
    for (const int distance : {-1, 1}) {
      for (const std::uint64_t end : at(k, distance).ends) out.add(text_feature(number++, form, end));
    }
    out.add(text_feature(T::kBeginning, form, at(k, 1).beginning));
    out.add(text_feature(T::kBothNeighbours, form, at(k, -1).form, at(k, 1).form));
    out.end_position({text_feature(T::kKey, form), SequenceObservations::kNoKey});
    places.push_back(static_cast<std::uint32_t>(k));
  }
}

using Decision = std::optional<WordSplit>;  // nothing: a word

class SentenceSource : public SequenceSource {
 public:
  SentenceSource(std::span<const Sentence> sentences, const ContextSplitter& splitter, Team& team)
      : splitter_(&splitter) {
    std::map<Decision, Label> labels = {{Decision(), Label{0}}};
    for (const WordSplit& split : splitter.splits) labels.emplace(split, static_cast<Label>(labels.size()));
    SequenceObservations observations;
    std::vector<std::uint32_t> places;
    for (std::size_t number = 0; number < sentences.size(); ++number) {
      if (!is_own(team, number)) continue;
      Tokens tokens = tokens_of(sentences[number]);
      observe_tokens(tokens.forms, splitter.forms, observations, places);
      std::vector<Label> gold;
      for (const std::uint32_t place : places) {
        const auto found = labels.find(tokens.decisions[place]);
        if (found != labels.end()) gold.push_back(found->second);
      }
      if (gold.empty() || gold.size() != places.size()) continue;
      numbers_.push_back(number);
      forms_.push_back(std::move(tokens.forms));
      gold_.push_back(std::move(gold));
    }
  }

  struct Tokens {
    std::vector<std::string_view> forms;
    std::vector<Decision> decisions;
  };
  static Tokens tokens_of(const Sentence& sentence) {
    Tokens tokens;
    std::vector<std::string_view> words;
    for (const SurfaceToken& token : surface_tokens(sentence)) {
      tokens.forms.push_back(token.form);
      words.clear();
      for (int word = token.first; word <= token.last; ++word) words.push_back(sentence[word].form());
      const bool is_usable = words.size() >= 2 && words.size() <= WordSplit::kMostWords &&
                             words.size() <= folded_text(token.form).size();
      tokens.decisions.push_back(is_usable ? Decision(WordSplit::between(token.form, words)) : Decision());
    }
    return tokens;
  }

  std::size_t size() const override { return numbers_.size(); }
  std::uint64_t number(std::size_t k) const override { return numbers_[k]; }
  void observe(std::size_t k, int /*worker*/, SequenceObservations& observations) const override {
    std::vector<std::uint32_t> places;
    observe_tokens(forms_[k], splitter_->forms, observations, places);
  }
  std::span<const Label> gold(std::size_t k) const override { return gold_[k]; }

 private:
  const ContextSplitter* splitter_;
  std::vector<std::size_t> numbers_;
  std::vector<std::vector<std::string_view>> forms_;
  std::vector<std::vector<Label>> gold_;
};

}  // namespace

void ContextSplitterPass::assign(std::span<const std::string_view> tokens) {
  decisions_.assign(tokens.size(), std::nullopt);
  observe_tokens(tokens, splitter_->forms, observations_, places_);
  if (places_.empty()) return;
  labeller_.assign(observations_);
  const std::span<const Label> labels = labeller_.best();
  for (std::size_t k = 0; k < places_.size(); ++k) {
    decisions_[places_[k]] = labels[k] == 0 ? nullptr : &splitter_->splits[labels[k] - 1U];
  }
}

void ContextSplitter::save(ByteWriter& writer) const {
  forms.save(writer);
  writer.u32(static_cast<std::uint32_t>(splits.size()));
  for (const WordSplit& split : splits) split.save(writer);
  model.save(writer);
}

ContextSplitter ContextSplitter::load(ByteReader& reader) {
  ContextSplitter splitter;
  splitter.forms = KnownWords::load(reader);
  for (std::uint32_t left = reader.u32(); left > 0; --left)
    splitter.splits.push_back(WordSplit::load(reader));
  splitter.model = SequenceModel::load(reader);
  if (splitter.model.labels != static_cast<int>(splitter.splits.size()) + 1) {
    reader.fail("has labels that do not fit");
  }
  return splitter;
}

std::optional<ContextSplitter> train_context_splitter(std::span<const Sentence> sentences, TaskPool& pool) {
  std::map<std::u32string, std::map<Decision, std::int64_t>> counts;
  for (const Sentence& sentence : sentences) {
    const SentenceSource::Tokens tokens = SentenceSource::tokens_of(sentence);
    for (std::size_t k = 0; k < tokens.forms.size(); ++k) {
      ++counts[folded_text(tokens.forms[k])][tokens.decisions[k]];
    }
  }
  ContextSplitter splitter;
  std::map<WordSplit, std::int64_t> splits;
  for (const auto& [form, decisions] : counts) {
    const auto is_frequent = [](const auto& decision) { return decision.second >= kFewestOfADecision; };
    if (std::count_if(decisions.begin(), decisions.end(), is_frequent) < 2) continue;
    splitter.forms.add(text_hash(form), 1);
    for (const auto& [decision, count] : decisions) {
      if (decision && count >= kFewestOfADecision) splits[*decision] += count;
    }
  }
  if (splits.empty()) return std::nullopt;
  for (const auto& [split, count] : splits) splitter.splits.push_back(split);
  SequenceTrainingOptions options;
  options.order = 1;
  options.labels = static_cast<int>(splitter.splits.size()) + 1;
  options.l2 = kContextL2;
  options.fewest_for_list = 1;
  SequenceObserver nobody;
  splitter.model =
      train_sequence_model(SentenceSource(sentences, splitter, pool.team()), nullptr, options, pool, nobody);
  return splitter;
}

}  // namespace copse
