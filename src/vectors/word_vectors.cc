#include "vectors/word_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "copse/error.h"
#include "text/utf8.h"
#include "vectors/word_table.h"

namespace copse {
namespace {

constexpr std::uint32_t kVersion = 1;

std::string section_name(std::string_view prefix, std::string_view name) {
  return fmt::format("{}/{}", prefix, name);
}
std::string settings_name(std::string_view prefix) { return section_name(prefix, "settings"); }
std::string words_name(std::string_view prefix) { return section_name(prefix, "words"); }
std::string codes_name(std::string_view prefix) { return section_name(prefix, "codes"); }
std::string scales_name(std::string_view prefix) { return section_name(prefix, "scales"); }

// What WordVectorsBuilder::build() hands over.
struct OwnedVectors {
  std::string words;
  std::vector<std::int8_t> codes;
  std::vector<float> scales;
};

}  // namespace

WordVectors::WordVectors() : table_(std::make_shared<const WordTable>()) {}

std::optional<std::uint32_t> WordVectors::find(std::string_view word) const {
  const std::optional<std::uint32_t> number = table_->find(words_, word);
  return number && *number < size_ ? number : std::nullopt;
}

std::string_view WordVectors::word(std::size_t number) const { return table_->word(words_, number); }

void WordVectors::copy_row(std::size_t number, std::span<float> out) const {
  const std::span<const std::int8_t> codes = row(number);
  const float factor = scale(number);
  for (std::size_t k = 0; k < codes.size(); ++k) out[k] = factor * static_cast<float>(codes[k]);
}

WordVectors WordVectors::standardised() const {
  double squares = 0.0;
  for (std::size_t number = 0; number < size_; ++number) {
    std::int64_t codes = 0;
    for (const std::int8_t code : row(number)) codes += code * code;
    squares += static_cast<double>(codes) * scale(number) * scale(number);
  }
  if (!(squares > 0.0)) return *this;
  const double factor = std::sqrt(static_cast<double>(size_ * dimension_) / squares);
  struct Owner {
    std::vector<float> scales;
    std::shared_ptr<const void> others;
  };
  auto owner = std::make_shared<Owner>();
  owner->others = owner_;
  for (const float scale : scales_) owner->scales.push_back(static_cast<float>(factor * scale));
  WordVectors result = *this;
  result.scales_ = owner->scales;
  result.owner_ = std::move(owner);
  return result;
}

WordVectors WordVectors::truncated(std::size_t count) const {
  WordVectors result = *this;
  result.size_ = std::min(size_, count);
  return result;
}

std::size_t WordVectors::words_within(std::size_t bytes) const {
  std::size_t low = 0;
  std::size_t high = size_;
  while (low < high) {
    const std::size_t middle = low + (high - low + 1) / 2;
    const std::size_t needed = table_->bytes_of_words(middle) + middle * (dimension_ + sizeof(float));
    if (needed <= bytes)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

void WordVectors::add_to(SectionFileWriter& file, std::string_view prefix) const {
  ByteWriter settings;
  settings.u32(kVersion);
  settings.u32(static_cast<std::uint32_t>(dimension_));
  settings.u32(static_cast<std::uint32_t>(size_));
  settings.u32(static_cast<std::uint32_t>(facts_.size()));
  for (const auto& [key, text] : facts_) {
    settings.text(key);
    settings.text(text);
  }
  file.add(settings_name(prefix), settings.take());
  file.add(words_name(prefix), std::as_bytes(std::span(words_.substr(0, table_->bytes_of_words(size_)))));
  file.add_numbers(codes_name(prefix), codes_.first(size_ * dimension_));
  file.add_numbers(scales_name(prefix), scales_.first(size_));
}

void WordVectors::save(const std::string& path) const {
  SectionFileWriter file(path);
  add_to(file);
  file.close();
}

bool WordVectors::is_in(const SectionFile& file, std::string_view prefix) {
  return file.has(settings_name(prefix));
}

WordVectors WordVectors::from_file(const SectionFile& file, std::string_view prefix) {
  if (!is_in(file, prefix)) {
    throw DataError(file.path() + ": has no word vectors; make a file of them with `copse vectors`");
  }
  ByteReader settings = file.reader(settings_name(prefix));
  if (settings.u32() != kVersion) settings.fail("is of another version");
  WordVectors result;
  result.dimension_ = settings.u32();
  if (result.dimension_ > kMostDimension) settings.fail("has vectors of an impossible dimension");
  result.size_ = settings.u32();
  if (result.size_ > 0 && result.dimension_ == 0) settings.fail("has vectors without values");
  for (std::uint32_t left = settings.u32(); left > 0; --left) {
    std::string key(settings.text());
    result.add_fact(std::move(key), std::string(settings.text()));
  }
  settings.expect_end();

  const std::string codes = codes_name(prefix);
  result.codes_ = file.numbers<std::int8_t>(codes);
  // Compared without a product, which could overflow.
  const bool fits = result.size_ == 0 ? result.codes_.empty()
                                      : result.codes_.size() % result.dimension_ == 0 &&
                                            result.codes_.size() / result.dimension_ == result.size_;
  if (!fits) file.reader(codes).fail("has another number of values than there are words");

  const std::string scales = scales_name(prefix);
  result.scales_ = file.numbers<float>(scales);
  if (result.scales_.size() != result.size_) {
    file.reader(scales).fail("has another number of values than there are words");
  }
  // What is multiplied with a code must stay a number.
  constexpr float kLargestScale = 1e36F;
  if (!std::all_of(result.scales_.begin(), result.scales_.end(),
                   [](float scale) { return scale >= 0.0F && scale <= kLargestScale; })) {
    file.reader(scales).fail("has a scale that cannot be");
  }

  const std::string words = words_name(prefix);
  result.words_ = file.text(words);
  auto table = std::make_shared<WordTable>();
  for (std::string_view rest = result.words_; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) file.reader(words).fail("ends within a word");
    const std::string_view word = rest.substr(0, end);
    if (const char* problem = WordVectorsBuilder::problem_of_word(word)) {
      file.reader(words).fail(fmt::format("has a word that {}", problem));
    }
    if (!table->add(result.words_, word)) {
      file.reader(words).fail(fmt::format("has the word {} twice", quoted(word)));
    }
    rest.remove_prefix(end + 1);
  }
  if (table->size() != result.size_) file.reader(words).fail("has another number of words than it should");
  result.table_ = std::move(table);
  result.owner_ = file.keep_alive();
  return result;
}

WordVectorsBuilder::WordVectorsBuilder(std::size_t dimension)
    : dimension_(dimension), table_(std::make_unique<WordTable>()) {
  if (dimension < 1 || dimension > WordVectors::kMostDimension) {
    throw std::invalid_argument("vectors of an impossible dimension");
  }
}

WordVectorsBuilder::~WordVectorsBuilder() = default;

const char* WordVectorsBuilder::problem_of_word(std::string_view word) {
  if (word.empty()) return "is empty";
  if (word.size() > WordVectors::kMostWordBytes) return "is too long";
  if (word.find('\n') != std::string_view::npos) return "has a line feed in it";
  return is_valid_utf8(word) ? nullptr : "is not valid UTF-8";
}

bool WordVectorsBuilder::add(std::string_view word, std::span<const float> values) {
  if (!table_->add(words_, word)) return false;
  words_ += word;
  words_ += '\n';
  float largest = 0.0F;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  const float scale = largest / WordVectors::kLargestCode;
  // Below the smallest normal number, quotients would no longer be near a code.
  const bool is_zero = scale < std::numeric_limits<float>::min();
  scales_.push_back(is_zero ? 0.0F : scale);
  for (const float value : values) {
    codes_.push_back(static_cast<std::int8_t>(is_zero ? 0.0F : std::round(value / scale)));
  }
  return true;
}

WordVectors WordVectorsBuilder::build() {
  auto owned = std::make_shared<const OwnedVectors>(
      OwnedVectors{std::move(words_), std::move(codes_), std::move(scales_)});
  WordVectors result;
  result.size_ = table_->size();
  result.dimension_ = dimension_;
  result.words_ = owned->words;
  result.codes_ = owned->codes;
  result.scales_ = owned->scales;
  result.table_ = std::move(table_);
  result.owner_ = std::move(owned);
  return result;
}

}  // namespace copse
