#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "language/language_profile.h"

namespace copse {

// A language that a text can be in, and who knows it.
struct KnownLanguage {
  std::string model;     // as it is named
  std::string path;      // of its file
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
  using Others = std::function<std::vector<KnownLanguage>()>;

  // Borrows the profile. Models of the own language, by its name, are no others; empty: nobody knows it.
  LanguageWatch(const LanguageProfile& own, std::string language, Others others)
      : own_(&own), language_(std::move(language)), ask_(std::move(others)) {}

  // A passage that is in another language.
  struct Passage {
    const KnownLanguage* language;  // null: none that is known, and so was the one before, if there is any
  };
  // A sentence more. Sentences come together until their letters tell the language.
  std::optional<Passage> add(const Sentence& sentence);
  // What comes next is another text.
  void end_text() {
    groups_.clear();
    is_strange_ = false;
  }

  std::int64_t strange() const { return strange_; }
  std::int64_t passages() const { return passages_; }

 private:
  const std::vector<KnownLanguage>& others();

  const LanguageProfile* own_;
  std::string language_;
  Others ask_;
  std::optional<std::vector<KnownLanguage>> others_;
  LetterGroups groups_;
  bool is_strange_ = false;
  std::int64_t strange_ = 0;
  std::int64_t passages_ = 0;
};

}  // namespace copse
