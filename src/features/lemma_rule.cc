#include "features/lemma_rule.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "text/letter_case.h"
#include "text/unicode.h"
#include "text/utf8.h"
#include "treebank/field_text.h"

namespace copse {
namespace {

constexpr std::size_t kLongestWord = 200;  // bytes; beyond that, comparing all parts takes too long
constexpr char kKeep = '=';
constexpr char kRemove = '-';
constexpr char kInsert = '+';
constexpr char kBetween = '|';  // the scripts of both ends

using Letters = std::vector<std::string_view>;

Letters letters_of(std::string_view text) {
  Letters letters;
  while (!text.empty()) {
    std::size_t size = 1;
    while (size < text.size() && continues_character(text[size])) ++size;
    letters.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return letters;
}

struct CommonPart {
  std::size_t in_form = 0;
  std::size_t in_lemma = 0;
  std::size_t length = 0;
};

// The longest common part; the first one in the form among equals, and the first in the lemma of those.
CommonPart longest_common_part(const Letters& form, const Letters& lemma) {
  CommonPart longest;
  std::vector<std::size_t> lengths(lemma.size() +
                                   1);  // of common parts that end before a letter of the lemma
  for (std::size_t i = 0; i < form.size(); ++i) {
    for (std::size_t j = lemma.size(); j > 0; --j) {
      lengths[j] = form[i] == lemma[j - 1] ? lengths[j - 1] + 1 : 0;
      const CommonPart part{i + 1 - lengths[j], j - lengths[j], lengths[j]};
      if (part.length > longest.length || (part.length == longest.length && part.in_form == longest.in_form &&
                                           part.in_lemma < longest.in_lemma)) {
        longest = part;
      }
    }
  }
  return longest;
}

struct Script {
  std::string text;
  std::size_t edits = 0;  // letters that come and go
};

// The script with the fewest edits; among equals, letters are kept and taken away as early as possible.
Script script_between(const Letters& from, const Letters& to, std::size_t from_begin, std::size_t from_end,
                      std::size_t to_begin, std::size_t to_end) {
  const std::size_t rows = from_end - from_begin;
  const std::size_t columns = to_end - to_begin;
  const auto is_kept = [&](std::size_t i, std::size_t j) {
    return i < rows && j < columns && from[from_begin + i] == to[to_begin + j];
  };
  // Edits from letter i of one and j of the other on.
  std::vector<std::size_t> edits((rows + 1) * (columns + 1));
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return edits[i * (columns + 1) + j]; };
  for (std::size_t i = rows + 1; i-- > 0;) {
    for (std::size_t j = columns + 1; j-- > 0;) {
      if (i == rows || j == columns) {
        at(i, j) = (rows - i) + (columns - j);
        continue;
      }
      at(i, j) = 1 + std::min(at(i + 1, j), at(i, j + 1));
      if (is_kept(i, j)) at(i, j) = std::min(at(i, j), at(i + 1, j + 1));
    }
  }
  Script script{{}, at(0, 0)};
  for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
    if (is_kept(i, j) && at(i, j) == at(i + 1, j + 1)) {
      script.text += kKeep;
      ++i;
      ++j;
    } else if (i < rows && at(i, j) == at(i + 1, j) + 1) {
      script.text += kRemove;
      ++i;
    } else {
      (script.text += kInsert) += to[to_begin + j];
      ++j;
    }
  }
  return script;
}

// Calls use(operation, letter) for all of a script, the letter being empty unless it is one to insert; false
// if it is no script.
template <class Use>
bool for_each_edit(std::string_view script, Use use) {
  while (!script.empty()) {
    const char operation = script.front();
    script.remove_prefix(1);
    std::string_view letter;
    if (operation == kInsert) {
      if (script.empty()) return false;
      letter = first_character(script).bytes;
      script.remove_prefix(letter.size());
    } else if (operation != kKeep && operation != kRemove) {
      return false;
    }
    use(operation, letter);
  }
  return true;
}

// Letters of a form that a script reads.
std::size_t letters_read(std::string_view script) {
  std::size_t count = 0;
  for_each_edit(script, [&](char operation, std::string_view) { count += operation == kInsert ? 0 : 1; });
  return count;
}

std::string letters_inserted(std::string_view script) {
  std::string letters;
  for_each_edit(script, [&](char, std::string_view letter) { letters += letter; });
  return letters;
}

void run_script(std::string_view script, const std::string_view* letter, std::string& to) {
  for_each_edit(script, [&](char operation, std::string_view inserted) {
    if (operation == kInsert) {
      to += inserted;
    } else {
      if (operation == kKeep) to += *letter;
      ++letter;
    }
  });
}

}  // namespace

std::string LemmaRule::cased(std::string_view form, Casing casing) {
  switch (casing) {
    case Casing::lower:
      return lowered(form);
    case Casing::capital:
      return capitalised(form);
    case Casing::upper:
      return uppered(form);
    default:
      return std::string(form);
  }
}

LemmaRule LemmaRule::between(std::string_view form, std::string_view lemma) {
  LemmaRule best;
  if (form == lemma && form.size() > kLongestWord) return best;
  best.casing_ = Casing::whole;
  best.lemma_ = lemma;
  if (form.size() > kLongestWord || lemma.size() > kLongestWord) return best;
  std::size_t fewest_edits = SIZE_MAX;
  for (const bool reads_letters : {false, true}) {
    const std::string lemma_text = reads_letters ? decomposed(lemma) : std::string(lemma);
    const Letters to = letters_of(lemma_text);
    for (const Casing casing : {Casing::lower, Casing::keep, Casing::capital, Casing::upper}) {
      const std::string text = reads_letters ? decomposed(cased(form, casing)) : cased(form, casing);
      const Letters from = letters_of(text);
      const CommonPart common = longest_common_part(from, to);
      if (common.length == 0) continue;
      const Script front = script_between(from, to, 0, common.in_form, 0, common.in_lemma);
      const Script back = script_between(from, to, common.in_form + common.length, from.size(),
                                         common.in_lemma + common.length, to.size());
      if (front.edits + back.edits >= fewest_edits) continue;
      LemmaRule rule;
      rule.casing_ = casing;
      rule.reads_letters_ = reads_letters;
      rule.front_ = front.text;
      rule.back_ = back.text;
      // Letters of words that are not composed as Unicode does it do not become these words again.
      if (reads_letters && rule.apply(form) != lemma) continue;
      fewest_edits = front.edits + back.edits;
      best = std::move(rule);
    }
  }
  return best;
}

// The letter of the casing, in upper case if it reads letters, and both scripts; or the lemma.
std::string LemmaRule::text() const {
  const char casing = static_cast<char>(casing_);
  if (casing_ == Casing::whole) return casing + lemma_;
  return static_cast<char>(reads_letters_ ? casing - 'a' + 'A' : casing) + front_ + kBetween + back_;
}

std::optional<LemmaRule> LemmaRule::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  LemmaRule rule;
  const char letter = text[0];
  text.remove_prefix(1);
  if (letter == static_cast<char>(Casing::whole)) {
    rule.casing_ = Casing::whole;
    rule.lemma_ = text;
    return rule;
  }
  rule.reads_letters_ = letter >= 'A' && letter <= 'Z';
  rule.casing_ = static_cast<Casing>(rule.reads_letters_ ? letter - 'A' + 'a' : letter);
  constexpr std::string_view kCasings = "lkcu";
  if (kCasings.find(static_cast<char>(rule.casing_)) == std::string_view::npos) return std::nullopt;
  const bool is_rule = rule.reads_letters_ || text.find('\t') == std::string_view::npos
                           ? rule.read_scripts(text)
                           : rule.read_replacements(text);
  if (!is_rule) return std::nullopt;
  return rule;
}

bool LemmaRule::read_scripts(std::string_view text) {
  // The letter that separates scripts can be inserted, too.
  std::size_t end = 0;
  while (end < text.size() && text[end] != kBetween) {
    const std::size_t letter = text[end] == kInsert && end + 1 < text.size()
                                   ? first_character(text.substr(end + 1)).bytes.size()
                                   : 0;
    end += 1 + letter;
  }
  if (end >= text.size()) return false;
  front_ = text.substr(0, end);
  back_ = text.substr(end + 1);
  const auto nothing = [](char, std::string_view) {};
  return for_each_edit(front_, nothing) && for_each_edit(back_, nothing) &&
         std::max(front_.size(), back_.size()) <= 8 * kLongestWord;
}

// What models of version 0.1 have: how many characters are taken off the front, what is put there, and the
// same at the back, with tabs between them.
bool LemmaRule::read_replacements(std::string_view text) {
  const auto take_field = [&text] {
    const std::string_view field = text.substr(0, text.find('\t'));
    text.remove_prefix(std::min(text.size(), field.size() + 1));
    return field;
  };
  const auto take_number = [&](std::string& script) {
    const std::string_view field = take_field();
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error != std::errc() || end != field.data() + field.size() || number > kLongestWord) return false;
    script.assign(number, kRemove);
    return true;
  };
  const auto insert = [](std::string_view inserted, std::string& script) {
    for (const std::string_view letter : letters_of(inserted)) (script += kInsert) += letter;
  };
  if (!take_number(front_)) return false;
  insert(take_field(), front_);
  if (!take_number(back_)) return false;
  insert(text, back_);
  return text.find('\t') == std::string_view::npos;
}

bool LemmaRule::is_usable() const {
  if (casing_ == Casing::whole) return !lemma_.empty() && is_field_text(lemma_);
  return is_field_text(letters_inserted(front_)) && is_field_text(letters_inserted(back_));
}

std::string LemmaRule::apply(std::string_view form) const {
  if (casing_ == Casing::whole) return lemma_;
  std::string text = cased(form, casing_);
  if (front_.empty() && back_.empty()) return text;
  if (reads_letters_) text = decomposed(text);
  const Letters letters = letters_of(text);
  const std::size_t at_front = letters_read(front_);
  const std::size_t at_back = letters_read(back_);
  if (at_front + at_back > letters.size()) return std::string(form);
  std::string lemma;
  run_script(front_, letters.data(), lemma);
  const std::size_t back = letters.size() - at_back;
  for (std::size_t k = at_front; k < back; ++k) lemma += letters[k];
  run_script(back_, letters.data() + back, lemma);
  if (lemma.empty()) return std::string(form);
  return reads_letters_ ? composed(lemma) : lemma;
}

}  // namespace copse
