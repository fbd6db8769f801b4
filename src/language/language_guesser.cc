#include "language/language_guesser.h"

#include <utility>

namespace copse {
namespace {

// In standard deviations of the own language: what may be another one that is known, if that is likelier by
// so much, and what is no such language at all. docs/languages.md says how often that is wrong.
constexpr double kDoubtful = 3.0;
constexpr double kLikelierBy = 0.4;
constexpr double kStrange = 6.0;

}  // namespace

std::size_t likest_language(std::span<const KnownLanguage> languages, const LetterGroups& text) {
  std::size_t best = 0;
  double most = 0.0;
  for (std::size_t k = 0; k < languages.size(); ++k) {
    const double likeness = languages[k].profile.likeness(text);
    if (k > 0 && likeness <= most) continue;
    best = k;
    most = likeness;
  }
  return best;
}

const std::vector<KnownLanguage>& LanguageWatch::others() {
  if (!others_) {
    others_ = ask_();
    std::erase_if(*others_, [this](const KnownLanguage& other) {
      return !language_.empty() && other.language == language_;
    });
  }
  return *others_;
}

std::optional<LanguageWatch::Passage> LanguageWatch::add(const Sentence& sentence) {
  for (const Token& word : sentence.words()) groups_.add(word.form());
  if (groups_.letters() < kTellingLetters) return std::nullopt;
  ++passages_;
  const double likeness = own_->likeness(groups_);
  const double strangeness = own_->strangeness(likeness);
  const bool was_strange = std::exchange(is_strange_, strangeness >= kStrange);
  std::optional<Passage> found;
  if (strangeness >= kDoubtful) {
    const std::vector<KnownLanguage>& known = others();
    const KnownLanguage* other = known.empty() ? nullptr : &known[likest_language(known, groups_)];
    if (other != nullptr && other->profile.likeness(groups_) >= likeness + kLikelierBy &&
        other->profile.strangeness(other->profile.likeness(groups_)) < kStrange) {
      found = Passage{other};
    } else if (is_strange_ && (was_strange || passages_ == 1)) {
      found = Passage{nullptr};
    }
  }
  groups_.clear();
  strange_ += found ? 1 : 0;
  return found;
}

}  // namespace copse
