#include "network/word_inputs.h"

#include <algorithm>
#include <utility>

#include "features/hashing.h"
#include "network/word_units.h"
#include "text/attribute_list.h"
#include "text/character_table.h"
#include "text/letter_case.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::size_t kShapeCharacters = 6;
// A letter that only one word has is unknown, so that something is learnt of letters that are.
constexpr std::size_t kLeastLetters = 2;
// Of a longer list of features, the first ones.
constexpr std::size_t kMostFeatures = 64;

std::uint64_t shape_hash(std::string_view form) {
  std::uint64_t hash = 0;
  const CharacterTable& table = CharacterTable::get();
  for (std::size_t k = 0; k < kShapeCharacters && !form.empty(); ++k) {
    const char32_t character = take_character(form);
    const CharacterClass kind = table[character].kind;
    const bool stands_for_itself = kind != CharacterClass::lower && kind != CharacterClass::upper &&
                                   kind != CharacterClass::letter && kind != CharacterClass::digit;
    const auto code = static_cast<std::uint64_t>(kind) << 32;
    hash = mix(hash + code + (stands_for_itself ? static_cast<std::uint64_t>(character) : 0) + 1);
  }
  return hash;
}

void expect_begin(std::vector<std::uint32_t>& begins) {
  if (begins.empty()) begins.push_back(0);
}

}  // namespace

void WordInputs::clear() {
  for (auto* list :
       {&words, &affixes, &character_begins, &characters, &upos, &xpos, &feature_begins, &features}) {
    list->clear();
  }
  vectors.clear();
}

void WordInputs::append(const WordInputs& from, std::size_t begin, std::size_t count) {
  const auto copy = [&](const auto& source, auto& target, std::size_t columns) {
    if (source.empty()) return;
    const auto first = source.begin() + static_cast<std::ptrdiff_t>(begin * columns);
    target.insert(target.end(), first, first + static_cast<std::ptrdiff_t>(count * columns));
  };
  // Lists of any length for each row.
  const auto copy_lists = [&](const auto& source_begins, const auto& source, auto& begins, auto& target) {
    expect_begin(begins);
    for (std::size_t row = begin; row < begin + count; ++row) {
      target.insert(target.end(), source.begin() + source_begins[row],
                    source.begin() + source_begins[row + 1]);
      begins.push_back(static_cast<std::uint32_t>(target.size()));
    }
  };
  copy(from.words, words, 1);
  copy(from.vectors, vectors, 1);
  copy(from.affixes, affixes, from.affixes.size() / std::max<std::size_t>(from.rows(), 1));
  copy(from.upos, upos, 1);
  copy(from.xpos, xpos, 1);
  copy_lists(from.feature_begins, from.features, feature_begins, features);
  if (from.characters.empty()) {
    expect_begin(character_begins);
    character_begins.insert(character_begins.end(), count, 0);
  } else {
    copy_lists(from.character_begins, from.characters, character_begins, characters);
  }
}

void InputReader::append(const Sentence& sentence, WordInputs& inputs) {
  expect_begin(inputs.character_begins);
  expect_begin(inputs.feature_begins);
  append_root(inputs);
  for (const Token& word : sentence.words()) {
    lower_text(word.form(), lower_);
    inputs.words.push_back(vocabularies_->words.find(lower_));
    if (vectors_ != nullptr) {
      const auto found = vectors_->find(lower_);
      inputs.vectors.push_back(found ? static_cast<std::int32_t>(*found) : -1);
    }
    if (shape_->reads_affixes()) append_affixes(word.form(), inputs);
    if (shape_->reads_characters()) append_characters(word.form(), inputs);
    inputs.character_begins.push_back(static_cast<std::uint32_t>(inputs.characters.size()));
    append_tags(word, inputs);
  }
}

void InputReader::append_root(WordInputs& inputs) const {
  inputs.words.push_back(static_cast<std::uint32_t>(vocabularies_->words.size()));
  if (vectors_ != nullptr) inputs.vectors.push_back(-1);
  for (std::size_t kind = 0; kind < shape_->affix_kinds(); ++kind) {
    inputs.affixes.push_back(root_affix(kind, shape_->affix_rows));
  }
  if (shape_->reads_characters()) inputs.characters.push_back(Vocabulary::kUnknown);
  inputs.character_begins.push_back(static_cast<std::uint32_t>(inputs.characters.size()));
  if (shape_->upos > 0) inputs.upos.push_back(Vocabulary::kUnknown);
  if (shape_->xpos > 0) inputs.xpos.push_back(Vocabulary::kUnknown);
  inputs.feature_begins.push_back(static_cast<std::uint32_t>(inputs.features.size()));
}

void find_affixes(std::string_view form, std::string_view lower, std::size_t rows,
                  std::span<std::uint32_t> affixes) {
  const std::uint64_t hashes[kMostAffixes] = {
      hash_text(first_characters(lower, 3)),
      hash_text(last_characters(lower, 3)),
      hash_text(last_characters(lower, 2)),
      hash_text(last_characters(lower, 4)),
      shape_hash(form),
      mix(hash_text(first_characters(lower, 1)) + hash_text(last_characters(lower, 5))),
      hash_text(last_characters(lower, 1)),
      hash_text(first_characters(lower, 2)),
  };
  for (std::size_t kind = 0; kind < affixes.size(); ++kind) {
    affixes[kind] = static_cast<std::uint32_t>(kind * rows + 1 + hashes[kind] % (rows - 1));
  }
}

void InputReader::append_affixes(std::string_view form, WordInputs& inputs) const {
  const std::size_t kinds = shape_->affix_kinds();
  inputs.affixes.resize(inputs.affixes.size() + kinds);
  find_affixes(form, lower_, shape_->affix_rows, std::span(inputs.affixes).last(kinds));
}

void InputReader::append_characters(std::string_view form, WordInputs& inputs) const {
  append_units(
      form, shape_->spelling, [this](std::string_view unit) { return vocabularies_->characters.find(unit); },
      inputs.characters);
}

void InputReader::append_tags(const Token& word, WordInputs& inputs) const {
  if (shape_->upos > 0) inputs.upos.push_back(vocabularies_->upos.find(word.upos()));
  if (shape_->xpos > 0) inputs.xpos.push_back(vocabularies_->xpos.find(word.xpos()));
  if (shape_->features > 0) {
    std::size_t count = 0;
    for_each_attribute(word.feats(), [&](std::string_view entry) {
      const std::uint32_t number = vocabularies_->features.find(entry);
      if (number != Vocabulary::kUnknown) inputs.features.push_back(number);
      return ++count < kMostFeatures;
    });
  }
  inputs.feature_begins.push_back(static_cast<std::uint32_t>(inputs.features.size()));
}

InputVocabularies count_inputs(std::span<const Sentence* const> sentences, const InputChoice& choice) {
  VocabularyCounter words;
  VocabularyCounter characters;
  VocabularyCounter upos;
  VocabularyCounter xpos;
  VocabularyCounter features;
  std::string lower;
  for (const Sentence* sentence : sentences) {
    for (const Token& word : sentence->words()) {
      lower_text(word.form(), lower);
      words.add(lower);
      if (choice.spelling != Spelling::affixes) {
        for_each_unit(word.form(), choice.spelling, [&](std::string_view unit) { characters.add(unit); });
      }
      if (!choice.reads_tags) continue;
      if (word.upos() != "_") upos.add(word.upos());
      if (word.xpos() != "_") xpos.add(word.xpos());
      for_each_attribute(word.feats(), [&](std::string_view entry) {
        if (!entry.empty()) features.add(entry);
        return true;
      });
    }
  }
  Vocabulary units = characters.vocabulary(choice.spelling == Spelling::both ? kLeastLetters : 1);
  if (units.empty()) units = characters.vocabulary(1);
  return {words.vocabulary(2), std::move(units), upos.vocabulary(1), xpos.vocabulary(1),
          features.vocabulary(1)};
}

void set_input_sizes(const InputVocabularies& vocabularies, NetworkShape& shape) {
  const auto size = [](const Vocabulary& vocabulary) { return vocabulary.empty() ? 0 : vocabulary.size(); };
  shape.words = vocabularies.words.size() + 1;  // and the root
  shape.characters = size(vocabularies.characters);
  shape.upos = size(vocabularies.upos);
  shape.xpos = size(vocabularies.xpos);
  shape.features = size(vocabularies.features);
}

void InputVocabularies::add_to(SectionFileWriter& file) const {
  words.add_to(file, "network/words");
  characters.add_to(file, "network/characters");
  upos.add_to(file, "network/upos");
  xpos.add_to(file, "network/xpos");
  features.add_to(file, "network/features");
}

InputVocabularies InputVocabularies::from_file(const SectionFile& file) {
  return {Vocabulary::from_file(file, "network/words"), Vocabulary::from_file(file, "network/characters"),
          Vocabulary::from_file(file, "network/upos"), Vocabulary::from_file(file, "network/xpos"),
          Vocabulary::from_file(file, "network/features")};
}

}  // namespace copse
