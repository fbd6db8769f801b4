#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/section_file.h"

namespace copse {

class WordTable;

// Vectors of words, quantised: value = code · scale, with codes from -127 to 127 and a scale for every word.
// Words are in the order of the file that they come from, which is that of frequency as a rule: the first
// ones are those to keep. Constant once made, and cheap to copy: threads share it.
class WordVectors {
 public:
  static constexpr std::size_t kMostDimension = 4096;
  static constexpr std::size_t kMostWords = std::size_t{1} << 28;
  static constexpr std::size_t kMostWordBytes = std::size_t{1} << 16;
  static constexpr float kLargestCode = 127.0F;

  // What a reader of the file may want to know about its making, in order.
  using Facts = std::vector<std::pair<std::string, std::string>>;

  // No words, of dimension 0.
  WordVectors();

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t dimension() const { return dimension_; }

  // The number of a word, which is compared byte by byte: other forms (such as that in lower case) are the
  // caller's to try.
  std::optional<std::uint32_t> find(std::string_view word) const;

  // All by number, below size().
  std::string_view word(std::size_t number) const;
  std::span<const std::int8_t> row(std::size_t number) const {
    return codes_.subspan(number * dimension_, dimension_);
  }
  float scale(std::size_t number) const { return scales_[number]; }
  // The vector itself; `out` has dimension() elements.
  void copy_row(std::size_t number, std::span<float> out) const;

  // The first `count` words, or all there are. Shares what it is made of.
  WordVectors truncated(std::size_t count) const;
  // The same vectors times a factor that makes the mean square of their values 1: so they can be exchanged
  // for others in what is learnt from them.
  WordVectors standardised() const;
  // How many words take at most so many bytes in a file, the directory of its sections not counted.
  std::size_t words_within(std::size_t bytes) const;

  const Facts& facts() const { return facts_; }
  void add_fact(std::string key, std::string text) { facts_.emplace_back(std::move(key), std::move(text)); }

  // Sections of a file whose names begin with `prefix` and a slash; other sections may stand beside them. The
  // writer borrows from this object until it is closed. Loading throws DataError for sections that are
  // missing, damaged, or of another version; the bytes are used where they lie, and kept alive.
  static constexpr std::string_view kPrefix = "vectors";
  void add_to(SectionFileWriter& file, std::string_view prefix = kPrefix) const;
  static WordVectors from_file(const SectionFile& file, std::string_view prefix = kPrefix);
  static bool is_in(const SectionFile& file, std::string_view prefix = kPrefix);
  void save(const std::string& path) const;

 private:
  friend class WordVectorsBuilder;

  std::shared_ptr<const void> owner_;  // of what the spans show
  std::string_view words_;             // each with a line feed behind it
  std::span<const std::int8_t> codes_;
  std::span<const float> scales_;
  std::shared_ptr<const WordTable> table_;  // of all words, those beyond size() included
  std::size_t size_ = 0;
  std::size_t dimension_ = 0;
  Facts facts_;
};

// Collects vectors one after the other; each is quantised when it comes.
class WordVectorsBuilder {
 public:
  // From 1 to WordVectors::kMostDimension; else throws std::invalid_argument.
  explicit WordVectorsBuilder(std::size_t dimension);
  ~WordVectorsBuilder();
  WordVectorsBuilder(const WordVectorsBuilder&) = delete;
  WordVectorsBuilder& operator=(const WordVectorsBuilder&) = delete;

  std::size_t size() const { return scales_.size(); }
  std::size_t dimension() const { return dimension_; }

  // What keeps a text from being a word, or null: it is empty, too long, not UTF-8, or has a line feed in it.
  static const char* problem_of_word(std::string_view word);
  // False, and nothing is added, for a word that is there already. The word has no problem, and all values
  // are finite.
  bool add(std::string_view word, std::span<const float> values);

  // Hands over what there is; the object is of no use then.
  WordVectors build();

 private:
  std::size_t dimension_;
  std::string words_;
  std::vector<std::int8_t> codes_;
  std::vector<float> scales_;
  std::unique_ptr<WordTable> table_;
};

}  // namespace copse
