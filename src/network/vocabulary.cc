#include "network/vocabulary.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "features/hashing.h"
#include "io/bytes.h"

namespace copse {

std::size_t Vocabulary::Hash::operator()(std::string_view text) const { return hash_text(text); }

Vocabulary::Vocabulary(std::vector<std::string> texts) : texts_(std::move(texts)) {
  numbers_.reserve(texts_.size());
  for (std::size_t k = 0; k < texts_.size(); ++k) {
    if (!numbers_.emplace(texts_[k], static_cast<std::uint32_t>(k + 1)).second) {
      throw std::invalid_argument("a text comes twice in a vocabulary");
    }
  }
}

void Vocabulary::add_to(SectionFileWriter& file, std::string_view section) const {
  ByteWriter writer;
  writer.u64(texts_.size());
  for (const std::string& text : texts_) writer.text(text);
  file.add(section, writer.take());
}

Vocabulary Vocabulary::from_file(const SectionFile& file, std::string_view section) {
  ByteReader reader = file.reader(section);
  std::vector<std::string> texts(reader.count(sizeof(std::uint32_t)));
  for (std::string& text : texts) text = reader.text();
  reader.expect_end();
  try {
    return Vocabulary(std::move(texts));
  } catch (const std::invalid_argument&) {
    reader.fail("has a text twice");
  }
}

void VocabularyCounter::add(std::string_view text) { ++counts_[std::string(text)]; }

Vocabulary VocabularyCounter::vocabulary(std::size_t least) const {
  std::vector<std::string> texts;
  for (const auto& [text, count] : counts_) {
    if (count >= least) texts.push_back(text);
  }
  std::sort(texts.begin(), texts.end());
  return Vocabulary(std::move(texts));
}

}  // namespace copse
