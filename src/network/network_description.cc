#include "network/network_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "features/lemma_rule.h"
#include "network/part_products.h"
#include "treebank/field_text.h"

namespace copse {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kTagInputVersion = 2;  // of networks whose tags see the input
constexpr const char* kShapeSection = "network/shape";
constexpr const char* kLabelSection = "network/label-names";
constexpr const char* kVectorPrefix = "network/vectors";
// No vector of the world is so long that a value is larger than 127 times this.
constexpr float kLargestVectorScale = 1e6F;

struct ColumnSection {
  Row::Column column;
  const char* section;
};
constexpr std::array kColumnSections = {ColumnSection{Row::kUpos, "network/tag-values/upos"},
                                        ColumnSection{Row::kXpos, "network/tag-values/xpos"},
                                        ColumnSection{Row::kFeats, "network/tag-values/feats"},
                                        ColumnSection{Row::kLemma, "network/tag-values/lemma"}};

// Sizes that a file says, and the largest that are possible.
struct StoredSize {
  std::size_t NetworkShape::*size;
  std::size_t least;
  std::size_t most;
};
constexpr std::size_t kMostRows = std::size_t{1} << 28;  // of tables
constexpr std::size_t kMostSize = 4096;                  // of rows and layers
constexpr std::size_t kMostLayers = 9;
constexpr std::size_t kRankUnit = 16;
constexpr std::array kStoredSizes = {
    StoredSize{&NetworkShape::words, 2, kMostRows},
    StoredSize{&NetworkShape::word_size, 1, kMostSize},
    StoredSize{&NetworkShape::vector_size, 0, WordVectors::kMostDimension},
    StoredSize{&NetworkShape::affix_rows, 2, kMostRows / kMostAffixes},
    StoredSize{&NetworkShape::affix_size, 1, kMostSize},
    StoredSize{&NetworkShape::characters, 0, kMostRows},
    StoredSize{&NetworkShape::character_size, 1, kMostSize},
    StoredSize{&NetworkShape::spelling_size, 1, kMostSize},
    StoredSize{&NetworkShape::upos, 0, kMostRows},
    StoredSize{&NetworkShape::xpos, 0, kMostRows},
    StoredSize{&NetworkShape::features, 0, kMostRows},
    StoredSize{&NetworkShape::tag_size, 1, kMostSize},
    StoredSize{&NetworkShape::layers, 1, kMostLayers},
    StoredSize{&NetworkShape::hidden, 1, kMostSize},
    StoredSize{&NetworkShape::arc_size, 1, kMostSize},
    StoredSize{&NetworkShape::label_size, 1, kMostSize},
    StoredSize{&NetworkShape::labels, 0, kMostRows},
    StoredSize{&NetworkShape::rank, kRankUnit, kMostRank},
    StoredSize{&NetworkShape::tag_hidden, 1, kMostSize},
    StoredSize{&NetworkShape::tag_values, 0, kMostRows},
};

NetworkShape read_shape(ByteReader& reader, std::uint32_t version) {
  NetworkShape shape;
  shape.tags_read_input = version == kTagInputVersion;
  for (const StoredSize& stored : kStoredSizes) {
    shape.*stored.size = reader.u32();
    if (shape.*stored.size < stored.least || shape.*stored.size > stored.most) {
      reader.fail("has an impossible size");
    }
  }
  const std::uint8_t spelling = reader.u8();
  if (spelling > static_cast<std::uint8_t>(Spelling::both)) reader.fail("has an unknown kind of spelling");
  shape.spelling = static_cast<Spelling>(spelling);
  const std::uint8_t factorization = reader.u8();
  if (factorization >= kFactorizationCount) reader.fail("has an unknown factorization");
  shape.factorization = static_cast<Factorization>(factorization);
  if (shape.rank % kRankUnit != 0) reader.fail("has an impossible rank");
  if (shape.reads_characters() && (shape.spelling_size % 2 != 0 || shape.characters == 0)) {
    reader.fail("has sizes of characters that do not fit");
  }
  return shape;
}

bool is_value(const std::string& value, Row::Column column) {
  if (column == Row::kLemma) {
    const std::optional<LemmaRule> rule = LemmaRule::parse(value);
    return rule && rule->is_usable();
  }
  return !value.empty() && is_field_text(value);
}

// Whether the sizes are those of the vocabularies.
bool has_sizes(const InputVocabularies& inputs, const NetworkShape& shape) {
  NetworkShape expected;
  set_input_sizes(inputs, expected);
  return shape.words == expected.words && shape.characters == expected.characters &&
         shape.upos == expected.upos && shape.xpos == expected.xpos && shape.features == expected.features;
}

}  // namespace

std::string_view text_of(const Token& word, Row::Column column) {
  switch (column) {
    case Row::kUpos:
      return word.upos();
    case Row::kXpos:
      return word.xpos();
    case Row::kFeats:
      return word.feats();
    default:
      return word.lemma();
  }
}

std::string TagColumn::value_of(const Token& word, Row::Column column) {
  if (column == Row::kLemma) return LemmaRule::between(word.form(), word.lemma()).text();
  return std::string(text_of(word, column));
}

bool NetworkDescription::is_in(const SectionFile& file) { return file.has(kShapeSection); }

void NetworkDescription::add_to(SectionFileWriter& file) const {
  ByteWriter writer;
  writer.u32(shape.tags_read_input ? kTagInputVersion : kVersion);
  for (const StoredSize& stored : kStoredSizes) writer.u32(static_cast<std::uint32_t>(shape.*stored.size));
  writer.u8(static_cast<std::uint8_t>(shape.spelling));
  writer.u8(static_cast<std::uint8_t>(shape.factorization));
  file.add(kShapeSection, writer.take());
  inputs.add_to(file);
  writer.u64(labels.size());
  for (const std::string& label : labels) writer.text(label);
  file.add(kLabelSection, writer.take());
  for (const auto& [column, section] : kColumnSections) {
    for (const TagColumn& tag : tags) {
      if (tag.column == column) tag.values.add_to(file, section);
    }
  }
  lemmas.add_to(file);
  if (vectors) vectors->add_to(file, kVectorPrefix);
}

NetworkDescription NetworkDescription::from_file(const SectionFile& file) {
  ByteReader reader = file.reader(kShapeSection);
  const std::uint32_t version = reader.u32();
  if (version != kVersion && version != kTagInputVersion) reader.fail("is of another version");
  NetworkDescription network;
  network.shape = read_shape(reader, version);
  reader.expect_end();
  network.inputs = InputVocabularies::from_file(file);
  if (!has_sizes(network.inputs, network.shape))
    reader.fail("has sizes that are not those of the vocabularies");

  ByteReader labels = file.reader(kLabelSection);
  network.labels.resize(labels.count(sizeof(std::uint32_t)));
  for (std::string& label : network.labels) {
    label = labels.text();
    if (label.empty() || !is_field_text(label)) labels.fail("has a label that cannot stand in a column");
  }
  labels.expect_end();
  if (network.labels.size() != network.shape.labels)
    labels.fail("has another number of labels than it should");

  std::size_t values = 0;
  for (const auto& [column, section] : kColumnSections) {
    if (!file.has(section)) continue;
    TagColumn tag{column, Vocabulary::from_file(file, section), {}};
    for (std::uint32_t k = 1; k < tag.values.size(); ++k) {
      if (!is_value(tag.values[k], column))
        file.reader(section).fail("has a value that cannot stand in the column");
    }
    if (tag.values.empty()) file.reader(section).fail("has no values");
    if (column == Row::kLemma) network.lemmas = KnownLemmas::from_file(file, tag.values.size());
    tag.place = {values, tag.values.size() - 1};
    values += tag.place.size;
    network.tags.push_back(std::move(tag));
  }
  if (values != network.shape.tag_values) reader.fail("has another number of values of tags than there are");

  if (network.shape.vector_size > 0) {
    network.vectors = WordVectors::from_file(file, kVectorPrefix);
    const WordVectors& vectors = *network.vectors;
    if (vectors.dimension() != network.shape.vector_size)
      reader.fail("has word vectors of another dimension");
    for (std::size_t word = 0; word < vectors.size(); ++word) {
      if (vectors.scale(word) > kLargestVectorScale) reader.fail("has word vectors that are too long");
    }
  }
  return network;
}

std::string_view name_of(Row::Column column) {
  switch (column) {
    case Row::kUpos:
      return "UPOS";
    case Row::kXpos:
      return "XPOS";
    case Row::kFeats:
      return "FEATS";
    case Row::kLemma:
      return "LEMMA";
    default:
      return "_";
  }
}

}  // namespace copse
