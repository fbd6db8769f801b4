#include "segmentation/character_splitter.h"

#include <algorithm>

#include "segmentation/text_features.h"
#include "segmentation/word_splitter.h"
#include "text/utf8.h"

namespace copse {
namespace {

// Numbers that end up in model files: new ones are added at the end.
struct EditTemplate {
  enum Number : std::uint64_t {
    kCharacterAt = 1,              // and the next six: -3 to 3
    kBigramAt = kCharacterAt + 7,  // and the next three: -2 to 1
    kTrigramAt = kBigramAt + 4,    // and the next two: -2 to 0
    kFourgram = kTrigramAt + 3,
    kPrefix,
    kSuffix,
    kPrefixKnown,
    kSuffixKnown,
    kBothKnown,
    kPlace,
    kLongestFrom,
    kLongestTo,
    kLongestBoth,
    kLongestAndCharacter,
    kSuffixAndBefore,
    kPrefixAndAfter,
    kKeyCharacter,
    kKeyAny,
  };
};

bool is_edit_text(std::string_view text) {
  return is_valid_utf8(text) && text.find_first_of(std::string_view("\n\r\0", 3)) == std::string_view::npos;
}

}  // namespace

void observe_characters(std::u32string_view form, const KnownWords& words, SequenceObservations& out) {
  using Flags = CharacterSplitter;
  using T = EditTemplate;
  const auto size = static_cast<int>(form.size());
  // By place between characters: of the part before it and of that after it, hashes and what is known, and
  // the longest known words that end and begin there.
  struct Place {
    std::uint64_t prefix = 0, suffix = 0;
    KnownWords::Flags prefix_known = 0, suffix_known = 0;
    std::uint8_t longest_to = 0, longest_from = 0;
  };
  std::vector<Place> places(form.size() + 1);
  constexpr KnownWords::Flags kAnyPart = Flags::kWhole | Flags::kFirst | Flags::kInner | Flags::kLast;
  for (int begin = 0; begin < size; ++begin) {
    TextHash hash;
    for (int end = begin + 1; end <= size; ++end) {
      hash.add(form[static_cast<std::size_t>(end) - 1]);
      const KnownWords::Flags known = words.find(hash.value()) & kAnyPart;
      const auto length = static_cast<std::uint8_t>(end - begin);
      Place& from = places[static_cast<std::size_t>(begin)];
      Place& to = places[static_cast<std::size_t>(end)];
      if (known != 0 && (begin > 0 || end < size)) {
        from.longest_from = length;
        to.longest_to = std::max(to.longest_to, length);
      }
      if (begin == 0) {
        to.prefix = hash.value();
        to.prefix_known = known;
      }
      if (end == size) {
        from.suffix = hash.value();
        from.suffix_known = known;
      }
    }
  }
  out.clear();
  const auto at = [&](int k) -> std::uint64_t {
    if (k < 0) return 1;
    return k < size ? form[static_cast<std::size_t>(k)] : 2;
  };
  for (int k = 0; k < size; ++k) {
    const Place& place = places[static_cast<std::size_t>(k)];
    for (int d = -3; d <= 3; ++d)
      out.add(text_feature(T::kCharacterAt + static_cast<std::uint64_t>(d + 3), at(k + d)));
    for (int d = -2; d <= 1; ++d) {
      out.add(
          text_feature(T::kBigramAt + static_cast<std::uint64_t>(d + 2), pack_two(at(k + d), at(k + d + 1))));
    }
    for (int d = -2; d <= 0; ++d) {
      out.add(text_feature(T::kTrigramAt + static_cast<std::uint64_t>(d + 2),
                           pack_two(at(k + d), at(k + d + 1)), at(k + d + 2)));
    }
    out.add(text_feature(T::kFourgram, pack_two(at(k - 2), at(k - 1)), pack_two(at(k), at(k + 1))));
    out.add(text_feature(T::kPrefix, place.prefix));
    out.add(text_feature(T::kSuffix, place.suffix));
    out.add(text_feature(T::kPrefixKnown, place.prefix_known, at(k)));
    out.add(text_feature(T::kSuffixKnown, place.suffix_known, at(k - 1)));
    const std::uint64_t known = pack_two(place.prefix_known, place.suffix_known);
    out.add(text_feature(T::kBothKnown, known, k == 0 ? 1 : 0));
    out.add(text_feature(T::kPlace, pack_two(static_cast<std::uint64_t>(std::min(k, 3)),
                                             static_cast<std::uint64_t>(std::min(size - k, 4)))));
    out.add(text_feature(T::kLongestFrom, place.longest_from));
    out.add(text_feature(T::kLongestTo, place.longest_to));
    out.add(text_feature(T::kLongestBoth, pack_two(place.longest_from, place.longest_to)));
    out.add(text_feature(T::kLongestAndCharacter, pack_two(place.longest_from, place.longest_to),
                         pack_two(at(k - 1), at(k))));
    out.add(text_feature(T::kSuffixAndBefore, place.suffix, at(k - 1)));
    out.add(text_feature(T::kPrefixAndAfter, place.prefix, at(k)));
    out.end_position({text_feature(T::kKeyCharacter, at(k)), text_feature(T::kKeyAny, 0)});
  }
}

std::optional<bool> CharacterSplitterPass::split(std::string_view form, std::vector<std::string>& words) {
  const std::u32string folded = folded_text(form);
  if ((splitter_->words.find(text_hash(folded)) & CharacterSplitter::kSeen) != 0) return std::nullopt;
  if (folded.size() < 2 || folded.size() > kLongestSplitToken) return false;
  observe_characters(folded, splitter_->words, observations_);
  labeller_.assign(observations_);
  edits_.clear();
  bool changes = false;
  for (const Label label : labeller_.best()) {
    edits_.push_back(&splitter_->edits[label]);
    changes = changes || label != 0;
  }
  return changes && apply_edits(form, edits_, words);
}

void CharacterSplitter::save(ByteWriter& writer) const {
  writer.u32(static_cast<std::uint32_t>(edits.size()));
  for (const CharacterEdit& edit : edits) {
    writer.text(edit.before);
    writer.u8(edit.keeps ? 1 : 0);
    writer.text(edit.after);
  }
  words.save(writer);
  model.save(writer);
}

CharacterSplitter CharacterSplitter::load(ByteReader& reader) {
  CharacterSplitter splitter;
  for (std::uint32_t left = reader.u32(); left > 0; --left) {
    CharacterEdit edit;
    edit.before = reader.text();
    edit.keeps = reader.u8() != 0;
    edit.after = reader.text();
    if (!is_edit_text(edit.before) || !is_edit_text(edit.after)) reader.fail("has an edit that cannot be");
    splitter.edits.push_back(std::move(edit));
  }
  if (splitter.edits.empty() || !splitter.edits.front().is_nothing())
    reader.fail("has edits that do not fit");
  splitter.words = KnownWords::load(reader);
  splitter.model = SequenceModel::load(reader);
  if (splitter.model.labels != static_cast<int>(splitter.edits.size())) {
    reader.fail("has labels that do not fit");
  }
  return splitter;
}

}  // namespace copse
