#include "treebank/dealt_sentences.h"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>

#include "io/bytes.h"

namespace copse {
namespace {

// Fields as they are, not CoNLL: sentences without words and heads beyond the last word travel, too.
class SentenceWriterInBytes {
 public:
  std::vector<std::byte> take() { return writer_.take(); }

  void put(std::uint64_t number) { writer_.u64(number); }

  void put(const Sentence& sentence) {
    writer_.u64(sentence.comments().size());
    for (const std::string& line : sentence.comments()) writer_.text(line);
    writer_.u64(static_cast<std::uint64_t>(sentence.size()));
    for (int index = 0; index <= sentence.size(); ++index) writer_.text(sentence[index].columns());
    writer_.u64(sentence.multiwords().size());
    for (const MultiwordToken& token : sentence.multiwords()) {
      writer_.i32(token.first());
      writer_.i32(token.last());
      writer_.text(token.columns());
    }
    writer_.u64(sentence.empty_nodes().size());
    for (const EmptyNode& node : sentence.empty_nodes()) {
      writer_.i32(node.word());
      writer_.text(node.columns());
    }
    put(sentence.layout());
  }

 private:
  void put(const Layout& layout) {
    writer_.u8(static_cast<std::uint8_t>(layout.format));
    writer_.u8(static_cast<std::uint8_t>(layout.end));
    writer_.u8(layout.byte_order_mark ? 1 : 0);
    writer_.u8(layout.crlf ? 1 : 0);
    writer_.u64(layout.extra_blank_lines);
  }

  ByteWriter writer_;
};

class SentenceReaderFromBytes {
 public:
  explicit SentenceReaderFromBytes(std::span<const std::byte> bytes)
      : reader_(bytes, "a process of the team") {}

  bool is_at_end() const { return reader_.remaining() == 0; }

  std::uint64_t number() { return reader_.u64(); }

  Sentence take() {
    Sentence sentence;
    for (std::size_t left = reader_.count(1); left > 0; --left) sentence.add_comment(reader_.text());
    const std::size_t words = reader_.count(1);
    take_row(sentence[0]);
    for (std::size_t left = words; left > 0; --left) take_row(sentence.add_word(Token()));
    for (std::size_t left = reader_.count(1); left > 0; --left) {
      const int first = reader_.i32();
      take_row(sentence.add_multiword(first, reader_.i32()));
    }
    for (std::size_t left = reader_.count(1); left > 0; --left)
      take_row(sentence.add_empty_node(reader_.i32()));
    Layout& layout = sentence.layout();
    layout.format = static_cast<ConllFormat>(reader_.u8());
    layout.end = static_cast<SentenceEnd>(reader_.u8());
    layout.byte_order_mark = reader_.u8() != 0;
    layout.crlf = reader_.u8() != 0;
    layout.extra_blank_lines = reader_.u64();
    return sentence;
  }

 private:
  template <class AnyRow>
  void take_row(AnyRow& row) {
    if (!row.assign_columns(reader_.text())) reader_.fail("a row is damaged");
  }

  ByteReader reader_;
};

}  // namespace

std::vector<Sentence> gather_sentences(Team& team, std::span<const Sentence> own) {
  if (team.is_alone()) return {own.begin(), own.end()};
  SentenceWriterInBytes writer;
  for (const Sentence& sentence : own) writer.put(sentence);
  const Team::Parcels parcels = team.gather(writer.take());

  std::vector<SentenceReaderFromBytes> readers(parcels.begin(), parcels.end());
  std::vector<Sentence> all;
  std::size_t turn = 0;
  while (!readers[turn].is_at_end()) {
    all.push_back(readers[turn].take());
    turn = (turn + 1) % readers.size();
  }
  for (const SentenceReaderFromBytes& reader : readers) {
    if (!reader.is_at_end()) throw std::logic_error("the sentences of the team are not dealt out in turn");
  }
  return all;
}

std::vector<Sentence> deal_anew(Team& team, std::vector<Sentence> sentences,
                                std::span<const std::size_t> numbers) {
  if (team.is_alone()) return sentences;
  const auto processes = static_cast<std::size_t>(team.size());
  std::vector<SentenceWriterInBytes> writers(processes);
  for (std::size_t k = 0; k < sentences.size(); ++k) {
    writers[numbers[k] % processes].put(numbers[k]);
    writers[numbers[k] % processes].put(sentences[k]);
    sentences[k].clear();
  }
  Team::Parcels parcels;
  for (SentenceWriterInBytes& writer : writers) parcels.push_back(writer.take());
  std::map<std::uint64_t, Sentence> own;
  for (const std::vector<std::byte>& parcel : team.exchange(std::move(parcels))) {
    for (SentenceReaderFromBytes reader(parcel); !reader.is_at_end();) {
      const std::uint64_t number = reader.number();
      own.emplace(number, reader.take());
    }
  }
  std::vector<Sentence> dealt;
  for (auto& [number, sentence] : own) {
    if (number != number_of_own(team, dealt.size())) throw std::logic_error("sentences with wrong numbers");
    dealt.push_back(std::move(sentence));
  }
  return dealt;
}

std::vector<Sentence> keep_own(const Team& team, std::vector<Sentence> all) {
  if (team.is_alone()) return all;
  std::vector<Sentence> own;
  for (std::size_t k = 0; number_of_own(team, k) < all.size(); ++k) {
    own.push_back(std::move(all[number_of_own(team, k)]));
  }
  return own;
}

}  // namespace copse
