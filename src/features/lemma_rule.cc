#include "features/lemma_rule.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "features/word_attributes.h"
#include "text/letter_case.h"
#include "text/utf8.h"
#include "treebank/field_text.h"

namespace copse {
namespace {

// The places where characters begin, and the end.
std::vector<std::size_t> boundaries(std::string_view text) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (!continues_character(text[k])) places.push_back(k);
  }
  places.push_back(text.size());
  return places;
}

struct CommonPart {
  std::size_t in_form = 0;  // in characters
  std::size_t in_lemma = 0;
  std::size_t length = 0;
};

// The longest common part; the first one in the form among equals, and the first in the lemma of those.
CommonPart longest_common_part(std::string_view form, std::string_view lemma) {
  const std::vector<std::size_t> form_places = boundaries(form);
  const std::vector<std::size_t> lemma_places = boundaries(lemma);
  const auto character = [](std::string_view text, const std::vector<std::size_t>& places, std::size_t k) {
    return text.substr(places[k], places[k + 1] - places[k]);
  };
  CommonPart longest;
  std::vector<std::size_t> lengths(
      lemma_places.size());  // of common parts that end before a lemma's character
  for (std::size_t i = 0; i + 1 < form_places.size(); ++i) {
    for (std::size_t j = lemma_places.size() - 1; j > 0; --j) {
      const bool is_equal = character(form, form_places, i) == character(lemma, lemma_places, j - 1);
      lengths[j] = is_equal ? lengths[j - 1] + 1 : 0;
      const CommonPart part{i + 1 - lengths[j], j - lengths[j], lengths[j]};
      if (part.length > longest.length || (part.length == longest.length && part.in_form == longest.in_form &&
                                           part.in_lemma < longest.in_lemma)) {
        longest = part;
      }
    }
  }
  return longest;
}

constexpr int kLongestWord = 200;  // bytes; beyond that, comparing every part with every other takes too long

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
  best.casing_ = Casing::whole;
  best.back_ = lemma;
  if (form.size() > kLongestWord || lemma.size() > kLongestWord) {
    if (form == lemma) best = LemmaRule();
    return best;
  }
  std::size_t fewest_changes = SIZE_MAX;
  for (const Casing casing : {Casing::lower, Casing::keep, Casing::capital, Casing::upper}) {
    const std::string text = cased(form, casing);
    const CommonPart common = longest_common_part(text, lemma);
    if (common.length == 0) continue;
    const std::size_t form_length = boundaries(text).size() - 1;
    const std::vector<std::size_t> lemma_places = boundaries(lemma);
    const std::size_t changes = form_length + lemma_places.size() - 1 - 2 * common.length;
    if (changes >= fewest_changes) continue;
    fewest_changes = changes;
    best.casing_ = casing;
    best.front_cut_ = static_cast<int>(common.in_form);
    best.back_cut_ = static_cast<int>(form_length - common.in_form - common.length);
    best.front_ = lemma.substr(0, lemma_places[common.in_lemma]);
    best.back_ = lemma.substr(lemma_places[common.in_lemma + common.length]);
  }
  return best;
}

// Letter of the casing, cut at the front, its replacement, the same at the back; tabs cannot be in a field.
std::string LemmaRule::text() const {
  std::string text(1, static_cast<char>(casing_));
  if (casing_ == Casing::whole) return text + back_;
  return text + std::to_string(front_cut_) + "\t" + front_ + "\t" + std::to_string(back_cut_) + "\t" + back_;
}

std::optional<LemmaRule> LemmaRule::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  LemmaRule rule;
  rule.casing_ = static_cast<Casing>(text[0]);
  text.remove_prefix(1);
  if (rule.casing_ == Casing::whole) {
    rule.back_ = text;
    return rule;
  }
  constexpr std::string_view kCasings = "lkcu";
  if (kCasings.find(static_cast<char>(rule.casing_)) == std::string_view::npos) return std::nullopt;
  const auto take_field = [&text] {
    const std::string_view field = text.substr(0, text.find('\t'));
    text.remove_prefix(std::min(text.size(), field.size() + 1));
    return field;
  };
  const auto take_number = [&](int& number) {
    const std::string_view field = take_field();
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    return error == std::errc() && end == field.data() + field.size() && number >= 0 &&
           number <= kLongestWord;
  };
  if (!take_number(rule.front_cut_)) return std::nullopt;
  rule.front_ = take_field();
  if (!take_number(rule.back_cut_)) return std::nullopt;
  rule.back_ = text;
  if (rule.back_.find('\t') != std::string::npos) return std::nullopt;
  return rule;
}

bool LemmaRule::is_usable() const {
  return is_field_text(front_) && is_field_text(back_) && (casing_ != Casing::whole || !back_.empty());
}

std::string LemmaRule::apply(std::string_view form) const {
  if (casing_ == Casing::whole) return back_;
  const std::string text = cased(form, casing_);
  const std::string_view front = first_characters(text, front_cut_);
  const std::string_view back = last_characters(text, back_cut_);
  const auto characters = [](std::string_view part) { return static_cast<int>(boundaries(part).size()) - 1; };
  const bool fits = characters(front) == front_cut_ && characters(back) == back_cut_ &&
                    front.size() + back.size() <= text.size();
  if (!fits) return std::string(form);
  const std::size_t kept = text.size() - front.size() - back.size();
  if (front_.empty() && back_.empty() && kept == 0) return std::string(form);
  return front_ + text.substr(front.size(), kept) + back_;
}

}  // namespace copse
