#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace copse {

// How to make a lemma of a form: change the case, take characters off both ends and put others there; or take
// a lemma as it is. Rules that were learnt from some words can be applied to others.
class LemmaRule {
 public:
  // The rule with the fewest changes.
  static LemmaRule between(std::string_view form, std::string_view lemma);
  // Of what text() gave; nothing if that is not a rule.
  static std::optional<LemmaRule> parse(std::string_view text);

  // A name without white space at its ends: equal rules have equal ones.
  std::string text() const;
  // Whether what it puts into lemmas can stand in a column: rules of damaged files may not.
  bool is_usable() const;
  // The form itself, if it is too short for the rule.
  std::string apply(std::string_view form) const;

  bool operator==(const LemmaRule&) const = default;

 private:
  enum class Casing : char { lower = 'l', keep = 'k', capital = 'c', upper = 'u', whole = 'w' };

  static std::string cased(std::string_view form, Casing casing);

  Casing casing_ = Casing::keep;
  int front_cut_ = 0;  // characters
  int back_cut_ = 0;
  std::string front_;  // what replaces them
  std::string back_;   // or the whole lemma
};

}  // namespace copse
