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
#include "model/root_labels.h"
#include "network/network.h"

namespace copse {

// Everything that parsing needs, in one file. Constant once made: threads share it.
class ParserModel {
 public:
  // What a reader of the file may want to know about its making, in order.
  using Facts = std::vector<std::pair<std::string, std::string>>;

  // Hashed features.
  ParserModel(TreeSpace trees, LinearModel parser, Facts facts = {});
  // A network, whose own first-order scores choose candidate arcs: those that are at least `prune_threshold`
  // times as probable as the best head of the same word; 0: all. `root_labels` says which labels arcs from
  // the root may have.
  ParserModel(TreeSpace trees, Network network, double prune_threshold, RootLabels root_labels,
              Facts facts = {});

  // Throws DataError for a file that is not a model, damaged, or of a newer version.
  static ParserModel load(const std::string& path) { return from_file(SectionFile::open(path)); }
  static ParserModel from_file(const SectionFile& file);
  // Its facts alone.
  static Facts facts_of(const SectionFile& file);
  void save(const std::string& path) const;
  // Other sections may stand beside those of the model. Borrows the model until the file is closed.
  void add_to(SectionFileWriter& file) const;

  Factorization factorization() const {
    return network_ ? network_->shape().factorization : parser_->factorization();
  }
  TreeSpace trees() const { return trees_; }
  RootMode root() const { return trees_.root; }
  // What scores parts: a network, or null if that is done by hashed features, which parser() has then.
  const Network* network() const { return network_.get(); }
  const LinearModel& parser() const { return parser_.value(); }
  // Of a network.
  const RootLabels& root_labels() const { return root_labels_; }
  // How many weights score parts.
  std::size_t weights() const;

  // The first-order model that chooses candidate arcs, if there is one: an arc is a candidate if its
  // probability is at least `threshold` times that of the most probable head of the same word.
  const LinearModel* pruner() const { return pruner_ ? &*pruner_ : nullptr; }
  // Whether there is anything that chooses candidates.
  bool has_pruner() const {
    return pruner_ || (network_ && factorization() != Factorization::first && prune_threshold_ > 0.0);
  }
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
  std::optional<LinearModel> parser_;
  std::shared_ptr<const Network> network_;
  RootLabels root_labels_;
  std::optional<LinearModel> pruner_;
  double prune_threshold_ = 0.0;
  double temperature_ = 1.0;
  std::optional<LabelModel> labels_;
  Facts facts_;
};

}  // namespace copse
