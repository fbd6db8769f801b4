#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "language/language_profile.h"

namespace copse {

// A language that a text can be in, and who knows it.
struct KnownLanguage {
  std::string model;     // as it is named
  std::string language;  // such as Portuguese; empty: nobody said
  LanguageProfile profile;

  std::string name() const { return language.empty() ? model : language; }
};

// The language whose profile the text is likest to; the first one of equals. There is at least one.
std::size_t likest_language(std::span<const KnownLanguage> languages, const LetterGroups& text);

// Reads along with a parser, and notices text that is not in the language of its model.
class LanguageWatch {
 public:
  // What else is known, the own language perhaps among it: asked for when text is doubtful for the first
  // time.
  using Others = std::function<std::span<const KnownLanguage>()>;

  // Borrows the profile, and the others.
  LanguageWatch(const LanguageProfile& own, Others others) : own_(&own), others_(std::move(others)) {}

  // A passage that is in another language.
  struct Passage {
    const KnownLanguage* language;  // null: none that is known, and so was the one before, if there is any
  };
  // A sentence more. Sentences come together until their letters tell the language.
  std::optional<Passage> add(const Sentence& sentence);

  std::int64_t strange() const { return strange_; }
  std::int64_t passages() const { return passages_; }

 private:
  const LanguageProfile* own_;
  Others others_;
  LetterGroups groups_;
  bool is_strange_ = false;
  std::int64_t strange_ = 0;
  std::int64_t passages_ = 0;
};

}  // namespace copse
