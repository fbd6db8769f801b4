#include "segmentation/slots.h"

#include <algorithm>

namespace copse {

void SlotRules::save(ByteWriter& writer) const {
  for (const bool value : is_dense) writer.u8(value ? 1 : 0);
  for (const auto& row : is_open) {
    for (const bool value : row) writer.u8(value ? 1 : 0);
  }
  words.save(writer);
}

SlotRules SlotRules::load(ByteReader& reader) {
  SlotRules rules;
  for (bool& value : rules.is_dense) value = reader.u8() != 0;
  for (auto& row : rules.is_open) {
    for (bool& value : row) value = reader.u8() != 0;
  }
  rules.words = KnownWords::load(reader);
  return rules;
}

void SlotReader::read(const TextRow& row, const SlotRules& rules) {
  row_ = &row;
  rules_ = &rules;
  find_units();
  find_slots();
}

void SlotReader::find_units() {
  const TextRow& row = *row_;
  units_.clear();
  has_dense_ = false;
  unit_of_.resize(static_cast<std::size_t>(row.size()));
  bool continues = false;
  for (int k = 0; k < row.size(); ++k) {
    if (row.is_space(k)) {
      continues = false;
    } else {
      const bool is_dense = rules_->is_dense_letter(row[k]) && row[k].kind != CharacterClass::mark;
      const bool is_mark = row[k].kind == CharacterClass::mark && k > 0 && !row.is_space(k - 1);
      if (is_dense || (!continues && !is_mark)) {
        units_.push_back({k, k, is_dense, 0, 0, 0, 0, 0, 0});
        has_dense_ = has_dense_ || is_dense;
        continues = !is_dense;
      }
      units_.back().end = k + 1;
    }
    unit_of_[static_cast<std::size_t>(k)] = static_cast<int>(units_.size()) - 1;
  }
  for (Unit& unit : units_) describe(unit);
}

void SlotReader::describe(Unit& unit) const {
  const TextRow& row = *row_;
  const auto is_core = [&row](int k) {
    return is_word_part(row[k].kind) || row[k].kind == CharacterClass::digit;
  };
  int core_begin = unit.begin;
  int core_end = unit.end;
  while (core_begin < core_end && !is_core(core_begin)) ++core_begin;
  while (core_end > core_begin && !is_core(core_end - 1)) --core_end;
  TextHash whole;
  TextHash core;
  std::uint64_t shape = 0;
  CharacterClass last = CharacterClass::outside;
  bool is_long = false;
  for (int k = unit.begin; k < unit.end; ++k) {
    whole.add(row[k].folded);
    if (k >= core_begin && k < core_end) core.add(row[k].folded);
    const CharacterClass kind = row[k].kind;
    if (kind != last) {
      shape = mix(shape + static_cast<std::uint64_t>(kind) + 1);
      is_long = false;
    } else if (!is_long) {
      shape = mix(shape + kCharacterClasses + 1);
      is_long = true;
    }
    last = kind;
  }
  unit.hash = whole.value();
  unit.core = core.value();
  unit.shape = shape;
  unit.core_begin = core_begin;
  unit.known = rules_->words.find(unit.hash);
  unit.core_known = unit.hash == unit.core ? unit.known : rules_->words.find(unit.core);
}

void SlotReader::find_slots() {
  const TextRow& row = *row_;
  slots_.clear();
  int run_end = 0;  // of the letters around
  bool is_split = false;
  for (int k = 0; k < row.size(); ++k) {
    if (row.is_space(k)) continue;
    const TextRow::Character& character = row[k];
    const TextRow::Character& before = row[k - 1];
    if (k >= run_end && is_word_part(character.kind)) {
      TextHash run;
      for (run_end = k; is_word_part(row[run_end].kind); ++run_end) run.add(row[run_end].folded);
      is_split = (rules_->words.find(run.value()) & kSplitRun) != 0;
    }
    if (before.kind == CharacterClass::outside) continue;
    bool is_slot = true;
    if (before.kind != CharacterClass::space) {
      if (character.kind == CharacterClass::mark)
        is_slot = false;
      else if (rules_->is_dense_letter(character) || rules_->is_dense_letter(before))
        is_slot = true;
      else if (is_word_part(character.kind) && is_word_part(before.kind))
        is_slot = is_split;
      else
        is_slot =
            rules_->is_open[static_cast<std::size_t>(before.kind)][static_cast<std::size_t>(character.kind)];
    }
    if (is_slot) slots_.push_back(k);
  }
}

}  // namespace copse
