#pragma once

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copse/error.h"
#include "inference/tree_parts.h"
#include "model/model_property.h"
#include "network/made_up_network.h"
#include "network/network_pass.h"

namespace copse {

// The sections of a small network.
inline NamedSections network_sections(Spelling spelling,
                                      Factorization factorization = Factorization::grandtrisibling) {
  const Network network = testing::made_up_network(testing::odd_shape(factorization, spelling));
  const std::string path = std::filesystem::temp_directory_path() /
                           ("copse_network_" + std::to_string(static_cast<long>(::getpid())));
  SectionFileWriter writer(path);
  network.add_to(writer);
  writer.close();
  const SectionFile file = SectionFile::open(path);
  NamedSections sections;
  for (const std::string_view name : file.names()) {
    const auto bytes = file.section(name);
    sections.emplace_back(std::string(name), std::vector<std::byte>(bytes.begin(), bytes.end()));
  }
  std::filesystem::remove(path);
  return sections;
}

// What is wrong with what a network says of some words, or nothing.
inline std::optional<std::string> network_use_violation(const Network& network) {
  NetworkPass pass(network);
  Random random(1);
  std::vector<Sentence> sentences;
  for (const int words : {3, 5, 1}) sentences.push_back(testing::made_up_sentence(random, words));
  const EncodedSentences encoded = testing::encode(pass, sentences);
  const auto are_finite = [](std::span<const double> values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
  };
  const auto are_finite_scores = [](ConstMatrix scores) {
    for (std::size_t row = 0; row < scores.rows; ++row) {
      for (std::size_t k = 0; k < scores.columns; ++k) {
        if (!std::isfinite(scores.row(row)[k])) return false;
      }
    }
    return true;
  };
  for (std::size_t number = 0; number < sentences.size(); ++number) {
    if (!are_finite_scores(pass.arc_scores(encoded.roles(number))))
      return "scores of arcs that are no numbers";
    ArcSet arcs;
    arcs.assign_all(sentences[number].size());
    PartIndex parts;
    parts.assign(arcs, network.shape().factorization);
    Potentials potentials;
    potentials.assign(parts);
    pass.add_part_scores(encoded.roles(number), parts, potentials);
    for (const PartKind kind : part_kinds(network.shape().factorization)) {
      if (!are_finite(potentials[kind])) return "potentials that are no numbers";
    }
    const std::vector<int> heads(static_cast<std::size_t>(sentences[number].size()) + 1, 0);
    if (network.shape().labels > 0 && !are_finite_scores(pass.label_scores(encoded.roles(number), heads))) {
      return "scores of labels that are no numbers";
    }
    pass.set_tags(encoded.roles(number), NetworkPass::Which::all, false, sentences[number]);
  }
  return std::nullopt;
}

// Sections are either refused with a DataError or are a network that one can parse with. Returns what went
// wrong, or nothing.
inline std::optional<std::string> network_violation(const NamedSections& sections) {
  try {
    return network_use_violation(Network::from_file(SectionFile::from_bytes(forged_file(sections), "file")));
  } catch (const DataError& error) {
    const std::string_view message = error.what();
    if (!message.starts_with("file")) return "a message without the name: " + std::string(message);
    if (message.find('\n') != std::string_view::npos) return "a message of several lines";
    if (message.find("; ") == std::string_view::npos) return "no advice: " + std::string(message);
  }
  return std::nullopt;
}

}  // namespace copse
