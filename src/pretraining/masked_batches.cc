#include "pretraining/masked_batches.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "features/hashing.h"

namespace copse {
namespace {

// What random numbers are for: no two of them use the same ones.
enum class Purpose : std::uint64_t { order_of_windows, order_of_sentences, hidden_words };

std::uint64_t seed_for(Purpose purpose, std::uint64_t seed, std::uint64_t number) {
  return mix(mix(mix(seed) + static_cast<std::uint64_t>(purpose)) + number);
}

}  // namespace

void make_masked_batch(const EncoderText& text, const TextWindow& window,
                       std::span<const std::size_t> sentences, float hidden_share, std::uint64_t seed,
                       MaskedBatch& batch) {
  std::vector<std::size_t> order(sentences.begin(), sentences.end());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return window.sentence(a).size() > window.sentence(b).size();
  });
  std::size_t rows = 0;
  batch.sequences.clear();
  for (const std::size_t number : order) {
    batch.sequences.add(window.sentence(number).size() + 1);
    rows += window.sentence(number).size() + 1;
  }
  WordInputs& inputs = batch.inputs;
  inputs.clear();
  inputs.words.resize(rows);
  const NetworkShape& shape = text.shape();
  const std::size_t kinds = shape.affix_kinds();
  inputs.affixes.resize(rows * kinds);
  inputs.character_begins.assign(1, 0);
  inputs.feature_begins.assign(rows + 1, 0);
  batch.kept.assign(rows, 1.0F);
  batch.hidden_rows.clear();
  batch.gold.clear();
  const auto root = static_cast<std::uint32_t>(text.vocabulary().words.size() + 1);
  Random random(seed);
  std::size_t row = 0;
  for (const std::size_t number : order) {
    inputs.words[row] = root;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      inputs.affixes[row * kinds + kind] = root_affix(kind, shape.affix_rows);
    }
    if (shape.reads_characters()) inputs.characters.push_back(Vocabulary::kUnknown);
    inputs.character_begins.push_back(static_cast<std::uint32_t>(inputs.characters.size()));
    ++row;
    for (const std::uint32_t form : window.sentence(number)) {
      const std::uint32_t word = text.word(form);
      inputs.words[row] = word;
      const std::span<const std::uint32_t> affixes = text.affixes(form);
      std::copy(affixes.begin(), affixes.end(), &inputs.affixes[row * kinds]);
      const std::span<const std::uint16_t> characters = text.characters(form);
      inputs.characters.insert(inputs.characters.end(), characters.begin(), characters.end());
      inputs.character_begins.push_back(static_cast<std::uint32_t>(inputs.characters.size()));
      if (word != Vocabulary::kUnknown && random.uniform() < hidden_share) {
        batch.kept[row] = 0.0F;
        batch.hidden_rows.push_back(static_cast<std::uint32_t>(row));
        batch.gold.push_back(word);
      }
      ++row;
    }
  }
}

MaskedBatches::MaskedBatches(const EncoderText& text, const MaskedBatchOptions& options)
    : text_(&text), options_(options), slots_(2 * options.parts) {}

MaskedBatches::~MaskedBatches() {
  if (next_.valid()) next_.wait();
}

void MaskedBatches::seek(std::uint64_t window) {
  if (next_.valid()) next_.wait();
  next_ = {};
  window_number_ = window;
  is_open_ = false;
}

void MaskedBatches::start() {
  next_ = std::async(std::launch::async, [this, half = 1 - half_] { make(half); });
}

const MaskedBatches::Step& MaskedBatches::next() {
  if (!next_.valid()) {
    if (window_number_ >= windows()) throw std::logic_error("there is no text left");
    start();
  }
  next_.get();
  half_ = 1 - half_;
  if (window_number_ < windows()) start();
  return steps_[half_];
}

std::size_t MaskedBatches::window_in_text() const {
  const std::uint64_t pass = window_number_ / text_->windows();
  std::vector<std::size_t> order(text_->windows());
  std::iota(order.begin(), order.end(), 0);
  Random random(seed_for(Purpose::order_of_windows, options_.seed, pass));
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  return order[window_number_ % text_->windows()];
}

void MaskedBatches::open_window() {
  text_->read(window_in_text(), window_);
  std::vector<std::size_t> words(window_.sentences());
  for (std::size_t k = 0; k < words.size(); ++k) words[k] = window_.sentence(k).size();
  Random random(seed_for(Purpose::order_of_sentences, options_.seed, window_number_));
  dealt_ = deal_out(words, std::max<std::size_t>(options_.batch_words / options_.parts, 1), random);
  dealt_done_ = 0;
  is_open_ = true;
}

void MaskedBatches::make(std::size_t half) {
  if (!is_open_) open_window();
  Step& step = steps_[half];
  step = {};
  const std::uint64_t seed = seed_for(Purpose::hidden_words, options_.seed, window_number_);
  while (step.parts.size() < options_.parts && dealt_done_ < dealt_.size()) {
    const std::size_t slot = half * options_.parts + step.parts.size();
    make_masked_batch(*text_, window_, dealt_[dealt_done_], options_.hidden_share, mix(seed + dealt_done_),
                      slots_[slot]);
    step.words += slots_[slot].inputs.rows() - slots_[slot].sequences.count();
    step.hidden += slots_[slot].hidden_rows.size();
    step.parts.push_back({slot});
    ++dealt_done_;
  }
  if (dealt_done_ < dealt_.size()) return;
  step.ends_window = true;
  is_open_ = false;
  ++window_number_;
}

}  // namespace copse
