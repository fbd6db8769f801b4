#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace copse {

// How to make a lemma of a form: change the case, edit letters at both ends, counted from there, and keep
// what is between them; or take a lemma as it is. Rules that were learnt from some words can be applied to
// others, because letters that stay are not named.
//
// Letters are those of Unicode's canonical decomposition: accents are letters of their own, and so are the
// two or three letters of a syllable of Hangul.
class LemmaRule {
 public:
  // The rule with the fewest edits.
  static LemmaRule between(std::string_view form, std::string_view lemma);
  // Of what text() gave, in this version or before; nothing if that is not a rule.
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
  // What parse() reads behind the letter of the casing.
  bool read_scripts(std::string_view text);
  bool read_replacements(std::string_view text);

  Casing casing_ = Casing::keep;
  bool reads_letters_ = false;  // characters otherwise
  // Edits from the left to the right: '=' keeps a character or letter, '-' takes one away, '+' puts the next
  // one there.
  std::string front_;
  std::string back_;
  std::string lemma_;  // if it is taken as it is
};

}  // namespace copse
