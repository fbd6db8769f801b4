#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "features/known_words.h"
#include "io/bytes.h"
#include "segmentation/text_row.h"
#include "sequence/sequence_observations.h"

namespace copse {

// What is decided about a slot: a place before a character, in which a token may begin.
enum SlotLabel : std::uint16_t {
  kInside,    // no token begins here
  kToken,     // a token begins, but no sentence
  kSentence,  // a token and a sentence
};
inline constexpr int kSlotLabels = 3;

// Flags of known words. The words are tokens; those with kSplitRun alone are runs of letters.
enum WordFlag : KnownWords::Flags {
  kKnownToken = 1,
  kKnownLower = 2,    // seen with a small letter, or none, at its beginning
  kKnownCapital = 4,  // seen with a capital letter elsewhere than at the beginning of a sentence
  kSplitRun = 8,      // letters that follow each other, with the beginning of a token among them
};

// Where slots are: wherever training data makes it thinkable that a token begins.
struct SlotRules {
  // Scripts whose letters follow each other without spaces: tokens may begin everywhere.
  std::array<bool, kScripts> is_dense{};
  // By the kinds of the characters before and after the slot, not both of them parts of words.
  std::array<std::array<bool, kCharacterClasses>, kCharacterClasses> is_open{};
  KnownWords words;

  bool is_dense_letter(const TextRow::Character& character) const {
    return is_dense[character.script] && is_word_part(character.kind);
  }

  void save(ByteWriter& writer) const;
  static SlotRules load(ByteReader& reader);
};

// Finds the slots of a text, and what a model gets to see of them. A workspace for one thread.
class SlotReader {
 public:
  // Keeps the row and the rules until the next call.
  void read(const TextRow& row, const SlotRules& rules);

  // The characters before which there are slots, in order. The beginning of the text is none: a sentence
  // begins there anyway.
  std::span<const int> slots() const { return slots_; }

  // Overwrites the observations: a position for each slot.
  void observe(SequenceObservations& observations);

 private:
  // A run of characters without space, or one letter of a dense script.
  struct Unit {
    int begin;
    int end;
    bool is_dense;
    std::uint64_t hash;
    std::uint64_t core;   // without punctuation at both ends
    std::uint64_t shape;  // kinds of characters that follow each other
    int core_begin;
    KnownWords::Flags known;
    KnownWords::Flags core_known;
  };

  void find_units();
  void describe(Unit& unit) const;
  void find_slots();
  void match_words();
  const Unit& unit(int number) const;
  void add_characters(int slot, SequenceObservations& out) const;
  void add_units_around(int slot, int unit_number, SequenceObservations& out) const;
  void add_inside_unit(int slot, int unit_number, SequenceObservations& out) const;
  void add_matches(int slot, SequenceObservations& out) const;

  const TextRow* row_ = nullptr;
  const SlotRules* rules_ = nullptr;
  std::vector<Unit> units_;
  std::vector<int> unit_of_;  // by character; spaces have that of the character before
  std::vector<int> slots_;
  // By character: the longest known token that begins there, that ends before it, and that has it inside.
  std::vector<std::uint8_t> longest_from_;
  std::vector<std::uint8_t> longest_to_;
  std::vector<std::uint8_t> longest_around_;
  bool has_dense_ = false;
};

}  // namespace copse
