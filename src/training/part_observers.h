#pragma once

#include <string_view>

#include "parallel/team.h"
#include "segmentation/segmenter_trainer.h"
#include "tagging/tagger_trainer.h"
#include "training/train_observer.h"

namespace copse {

// A part of the work begins, in all processes of a team: a good place to stop, for nothing is lost, and the
// next one can be far.
void start_stage(std::string_view what, Team& team, TrainObserver& observer);

// Tell the observer of a whole run how the training of a part goes. `Base` is what the trainer asks for.
template <class Base>
class PartObserver : public Base {
 public:
  PartObserver(Team& team, TrainObserver& observer) : team_(team), observer_(observer) {}

  void on_candidates(const CandidateReport& report) override { observer_.on_candidates(report); }
  void on_features(std::int64_t label_weights, std::int64_t transition_weights) override {
    observer_.on_part_features(label_weights, transition_weights);
  }
  void on_iteration(const IterationReport& report) override { observer_.on_part_iteration(report); }
  bool should_stop() override { return observer_.should_stop(); }

 protected:
  Team& team_;
  TrainObserver& observer_;
};

class TaggerPartObserver : public PartObserver<TaggerObserver> {
 public:
  using PartObserver::PartObserver;
  void on_stage(std::string_view what) override { start_stage(what, team_, observer_); }
};

class SegmenterPartObserver : public PartObserver<SegmenterObserver> {
 public:
  using PartObserver::PartObserver;
  void on_data(const Data& data) override { observer_.on_text(data); }
};

// The same for the parser, which also finds out how many passes a network makes.
class ParserObserver : public TrainingObserver {
 public:
  ParserObserver(Team& team, TrainObserver& observer) : team_(team), observer_(observer) {}

  void on_stage(std::string_view what) override { start_stage(what, team_, observer_); }
  void on_prepared(const PreparationReport& report) override {
    words_ = report.words;
    observer_.on_prepared(report);
  }
  void on_pruned(const PruningReport& report) override { observer_.on_pruned(report); }
  void on_development(const DevelopmentReport& report) override { observer_.on_development(report); }
  void on_features(const FeatureReport& report) override { observer_.on_features(report); }
  void on_resumed(int iterations) override { observer_.on_resumed(iterations); }
  void on_iteration(const IterationReport& report) override { observer_.on_iteration(report); }
  bool should_stop() override { return observer_.should_stop(); }

  std::int64_t words() const { return words_; }

 private:
  Team& team_;
  TrainObserver& observer_;
  std::int64_t words_ = 0;
};

}  // namespace copse
