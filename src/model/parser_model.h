#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "copse/inference/factorization.h"
#include "io/section_file.h"
#include "model/label_model.h"
#include "model/linear_model.h"
#include "model/potential_source.h"

namespace copse {

// Everything that parsing needs, in one file. Constant once made: threads share it.
class ParserModel {
 public:
  // What a reader of the file may want to know about its making, in order.
  using Facts = std::vector<std::pair<std::string, std::string>>;

  ParserModel(TreeSpace trees, LinearModel parser, Facts facts = {});

  // Throws DataError for a file that is not a model, damaged, or of a newer version.
  static ParserModel load(const std::string& path) { return from_file(SectionFile::open(path)); }
  static ParserModel from_file(const SectionFile& file);
  void save(const std::string& path) const;
  // Other sections may stand beside those of the model. Borrows the model until the file is closed.
  void add_to(SectionFileWriter& file) const;

  Factorization factorization() const { return parser_.factorization(); }
  TreeSpace trees() const { return trees_; }
  RootMode root() const { return trees_.root; }
  const LinearModel& parser() const { return parser_; }

  // The first-order model that chooses candidate arcs, if there is one: an arc is a candidate if its
  // probability is at least `threshold` times that of the most probable head of the same word.
  const LinearModel* pruner() const { return pruner_ ? &*pruner_ : nullptr; }
  double prune_threshold() const { return prune_threshold_; }
  void set_pruner(LinearModel pruner, double threshold);

  // What potentials are divided by before they become probabilities: fitted to development data, so that
  // probabilities mean what they say. The best tree does not depend on it.
  double temperature() const { return temperature_; }
  // Above 0, else std::invalid_argument.
  void set_temperature(double temperature);

  // A workspace that gives the potentials of parts. Borrows the model.
  std::unique_ptr<PotentialSource> make_potentials() const;

  // The labels of arcs, if the model scores them together with the tree.
  const LabelModel* labels() const { return labels_ ? &*labels_ : nullptr; }
  void set_labels(LabelModel labels) { labels_.emplace(std::move(labels)); }

  const Facts& facts() const { return facts_; }
  void add_fact(std::string key, std::string value) { facts_.emplace_back(std::move(key), std::move(value)); }
  // Replaces the fact of this key, or adds it.
  void set_fact(std::string key, std::string value);

 private:
  TreeSpace trees_;
  LinearModel parser_;
  std::optional<LinearModel> pruner_;
  double prune_threshold_ = 0.0;
  double temperature_ = 1.0;
  std::optional<LabelModel> labels_;
  Facts facts_;
};

}  // namespace copse
