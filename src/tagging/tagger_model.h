#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "copse/treebank/sentence.h"
#include "io/section_file.h"

namespace copse {

// The columns that can be tagged.
enum class TagAttribute : std::uint8_t { upos, xpos, feats, lemma };
inline constexpr TagAttribute kTagAttributes[] = {TagAttribute::upos, TagAttribute::xpos, TagAttribute::feats,
                                                  TagAttribute::lemma};
std::string_view name(TagAttribute attribute);   // upos
std::string upper_name(TagAttribute attribute);  // UPOS
std::optional<TagAttribute> parse_tag_attribute(std::string_view name);
std::string_view value(const Token& word, TagAttribute attribute);

struct TaggerLayer;

// Everything that tagging needs. Constant once made, and cheap to copy: threads share it.
//
// A tagger works in layers, one for each column: sequence models, of which the later ones see what the
// earlier ones have said.
class TaggerModel {
 public:
  static constexpr std::string_view kComponentName = "tagger";

  // What a reader of the file may want to know about its making, in order.
  using Facts = std::vector<std::pair<std::string, std::string>>;

  TaggerModel(std::vector<TaggerLayer> layers, Facts facts = {});

  // Sections of a model file that begin with "tagger/"; other sections may stand beside them. Loading throws
  // DataError for a file without a tagger, and for sections that are damaged or of a newer version.
  static TaggerModel load(const std::string& path) { return from_file(SectionFile::open(path)); }
  static TaggerModel from_file(const SectionFile& file);
  static bool is_in(const SectionFile& file);
  void save(const std::string& path) const;
  void add_to(SectionFileWriter& file) const;

  std::span<const TaggerLayer> layers() const;
  // In the order of the columns.
  std::vector<TagAttribute> attributes() const;
  const Facts& facts() const { return facts_; }
  void add_fact(std::string key, std::string text) { facts_.emplace_back(std::move(key), std::move(text)); }

 private:
  std::shared_ptr<const std::vector<TaggerLayer>> layers_;
  Facts facts_;
};

}  // namespace copse
