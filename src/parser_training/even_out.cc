#include "parser_training/even_out.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "features/sentence_parts.h"
#include "io/bytes.h"
#include "parallel/team_values.h"

namespace copse {
namespace {

struct SentenceCost {
  std::uint64_t number;
  std::int64_t cost;
};

// Iterations add up the weights of tuples of words, and go through parts several times.
std::int64_t cost_of(const TrainingSentence& example, Factorization factorization, SentenceParts& parts) {
  parts.assign(example.sentence.size(), example.candidates, factorization);
  return static_cast<std::int64_t>(parts.tuples().size()) + static_cast<std::int64_t>(parts.parts().count());
}

// Expensive sentences first, each to the process with the least work so far. Returns the ranks of `own`,
// which are in the order of their numbers.
std::vector<std::size_t> assign_ranks(Team& team, std::span<const SentenceCost> own) {
  std::vector<SentenceCost> all = gather_values(team, own);
  std::sort(all.begin(), all.end(), [](const SentenceCost& a, const SentenceCost& b) {
    return a.cost != b.cost ? a.cost > b.cost : a.number < b.number;
  });
  std::vector<std::int64_t> loads(static_cast<std::size_t>(team.size()));
  std::vector<std::size_t> ranks(own.size());
  for (const SentenceCost& sentence : all) {
    const auto least = std::min_element(loads.begin(), loads.end());
    *least += sentence.cost;
    const auto found =
        std::lower_bound(own.begin(), own.end(), sentence.number,
                         [](const SentenceCost& mine, std::uint64_t number) { return mine.number < number; });
    if (found == own.end() || found->number != sentence.number) continue;
    ranks[static_cast<std::size_t>(found - own.begin())] = static_cast<std::size_t>(least - loads.begin());
  }
  return ranks;
}

void write(const TrainingSentence& example, ByteWriter& bytes) {
  bytes.u64(example.number);
  bytes.u8(example.is_complete ? 1 : 0);
  bytes.numbers(std::span<const int>(example.heads));
  for (const Token& word : example.sentence.words()) bytes.text(word.columns());
  bytes.u64(example.candidates.size());
  for (const Arc& arc : example.candidates) {
    bytes.i32(arc.head);
    bytes.i32(arc.modifier);
  }
}

TrainingSentence read(ByteReader& bytes) {
  TrainingSentence example;
  example.number = bytes.u64();
  example.is_complete = bytes.u8() != 0;
  example.heads = bytes.numbers<int>();
  for (std::size_t word = 1; word < example.heads.size(); ++word) {
    Token token;
    if (!token.assign_columns(bytes.text())) bytes.fail("has a word without columns");
    example.sentence.add_word(std::move(token));
  }
  example.candidates.resize(bytes.count(2 * sizeof(std::int32_t)));
  for (Arc& arc : example.candidates) {
    arc.head = bytes.i32();
    arc.modifier = bytes.i32();
  }
  return example;
}

}  // namespace

void even_out(std::vector<TrainingSentence>& sentences, Factorization factorization, Team& team) {
  if (team.is_alone()) return;
  std::vector<SentenceCost> costs;
  costs.reserve(sentences.size());
  SentenceParts parts;
  for (const TrainingSentence& example : sentences) {
    costs.push_back({example.number, cost_of(example, factorization, parts)});
  }
  const std::vector<std::size_t> ranks = assign_ranks(team, costs);
  std::vector<ByteWriter> writers(static_cast<std::size_t>(team.size()));
  std::vector<TrainingSentence> own;
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    if (ranks[k] == static_cast<std::size_t>(team.rank()))
      own.push_back(std::move(sentences[k]));
    else
      write(sentences[k], writers[ranks[k]]);
    sentences[k] = {};  // for the sake of memory
  }
  Team::Parcels parcels;
  for (ByteWriter& writer : writers) parcels.push_back(writer.take());
  parcels = team.exchange(std::move(parcels));
  for (std::vector<std::byte>& parcel : parcels) {
    ByteReader reader(parcel, "a sentence of another process");
    while (reader.remaining() > 0) own.push_back(read(reader));
    parcel = {};
  }
  std::sort(own.begin(), own.end(),
            [](const TrainingSentence& a, const TrainingSentence& b) { return a.number < b.number; });
  sentences = std::move(own);
}

}  // namespace copse
