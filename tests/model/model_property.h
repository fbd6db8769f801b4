#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "copse/error.h"
#include "features/sentence_parts.h"
#include "io/section_file_property.h"
#include "model/parser_model.h"
#include "model/part_scorer.h"

namespace copse {

using NamedSections = std::vector<std::pair<std::string, std::vector<std::byte>>>;

// A section file with sound checksums, whatever the sections say. Names have at most 40 characters.
inline std::vector<std::byte> forged_file(const NamedSections& sections) {
  constexpr std::size_t kAlignment = 64;
  std::vector<std::byte> file(32 + 64 * sections.size());
  store_little_endian(static_cast<std::uint32_t>(sections.size()), file.data() + 12);
  for (std::size_t k = 0; k < sections.size(); ++k) {
    const auto& [name, bytes] = sections[k];
    file.resize((file.size() + kAlignment - 1) / kAlignment * kAlignment);
    std::byte* entry = file.data() + 32 + 64 * k;
    std::memcpy(entry, name.data(), name.size());
    store_little_endian<std::uint64_t>(file.size(), entry + 40);
    store_little_endian<std::uint64_t>(bytes.size(), entry + 48);
    file.insert(file.end(), bytes.begin(), bytes.end());
  }
  make_checksums_right(file);
  return file;
}

inline bool scores_are_finite(const LinearModel& model) {
  Sentence sentence;
  for (const std::string_view form : {"and", "Now", "1984"}) {
    Token& word = sentence.add_word(form);
    word.set_upos("CCONJ");
    word.set_xpos("CC");
  }
  SentenceParts parts;
  parts.assign(sentence.size(), {}, model.factorization());
  PartScorer scorer(model);
  Potentials potentials;
  scorer.score(sentence, parts.tuples(), potentials);
  const auto are_finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  };
  return std::all_of(kAllPartKinds.begin(), kAllPartKinds.end(),
                     [&](PartKind kind) { return are_finite(potentials[kind]); });
}

// Bytes are either refused with a DataError or are a model that one can parse with. Returns what went wrong,
// or nothing.
inline std::optional<std::string> model_violation(std::span<const std::byte> bytes) {
  try {
    const ParserModel model = ParserModel::from_file(SectionFile::from_bytes(bytes, "file"));
    if (!(model.prune_threshold() >= 0.0 && model.prune_threshold() <= 1.0)) return "an impossible threshold";
    if (!scores_are_finite(model.parser())) return "scores that are no numbers";
    if (model.pruner() == nullptr) return std::nullopt;
    if (model.pruner()->factorization() != Factorization::first) return "a pruner that is not first-order";
    if (!scores_are_finite(*model.pruner())) return "scores of the pruner that are no numbers";
  } catch (const DataError& error) {
    const std::string_view message = error.what();
    if (!message.starts_with("file: ")) return "a message without the name: " + std::string(message);
    if (message.find('\n') != std::string_view::npos) return "a message of several lines";
    if (message.find("; ") == std::string_view::npos) return "no advice: " + std::string(message);
  }
  return std::nullopt;
}

}  // namespace copse
