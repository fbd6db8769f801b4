#include "training/check_request.h"

#include <fmt/format.h>

#include "network/precision.h"
#include "optimisers/learner.h"
#include "training/pretrain_options.h"
#include "training/train_options.h"
#include "training/usage_error.h"

namespace copse {
namespace {

// Options that say nothing about the kind of model that is to be made.
void check_scopes(const TrainRequest& request) {
  for (const std::string& name : request.given) {
    const TrainOption* option = find_train_option(name);
    if (option == nullptr || option->is_about(request)) continue;
    throw UsageError(option->name,
                     request.network.is_used ? "is about hashed features: leave it out, or take {} linear"
                                             : "is about networks: leave it out, or take {} network",
                     {"potentials"});
  }
}

template <class Request>
void check_required(std::span<const RequestOption<Request>> options, const Request& request) {
  for (const RequestOption<Request>& option : options) {
    if (option.is_required && !option.get(request)) throw UsageError(option.name, "is required");
  }
}

void check_network(const TrainRequest& request) {
  const NetworkRequest& network = request.network;
  if (!network.encoder.empty() && !network.vectors.empty()) {
    throw UsageError("vectors", "an encoder has vectors of its own: leave out this or {}", {"encoder"});
  }
  if (!network.encoder.empty() && network.spelling == Spelling::characters) {
    throw UsageError("spelling", "no encoder reads characters alone: leave this or {} out", {"encoder"});
  }
  if (network.encoder.empty() && network.encoder_rate) {
    throw UsageError("encoder_rate", "is of an encoder: give {}, too", {"encoder"});
  }
  if (network.is_used && request.labels == Labelling::joint) {
    throw UsageError("labels", "joint is for hashed features: a network labels its own trees");
  }
  if (network.is_used && network.learning.is_local && request.factorization != Factorization::first) {
    throw UsageError("loss", "local needs {} first", {"factorization"});
  }
  if (!network.is_used && request.tags == TagSource::none) {
    throw UsageError("tags", "none is for networks; hashed features read what the files have");
  }
  if (!network.encoder.empty() && request.reads_tags()) {
    throw UsageError("tags", "an encoder reads words alone: leave this or {} out", {"encoder"});
  }
}

void check_machine(Device device, std::optional<Precision> precision, const Team& team) {
  if (device != Device::cpu && !team.is_alone()) {
    throw UsageError("device", "a GPU learns in one process only: leave this out, or start one process");
  }
  if (precision == Precision::bfloat16 && !has_bfloat16()) {
    throw UsageError("precision", "bfloat16 is not available on this processor; take auto or float");
  }
}

void check_files(const TrainRequest& request) {
  std::vector<std::string> files = request.train;
  files.insert(files.end(), request.dev.begin(), request.dev.end());
  refuse_two_standard_inputs("train", files);
  if (request.model == "-") throw UsageError("model", "name a file: others go beside it");
  files.insert(files.end(), {request.network.vectors, request.network.encoder});
  refuse_to_overwrite("model", request.model, files);
  refuse_to_overwrite("model", request.log(), files);
  if (request.report.empty()) return;
  if (request.report == "-" || request.report == request.model || request.report == request.log()) {
    throw UsageError("report", "name a file of its own");
  }
  files.insert(files.end(), {request.model, request.log()});
  refuse_to_overwrite("report", request.report, files);
}

void check_trees(const TrainRequest& request) {
  const bool is_nonprojective = request.training.trees == TreeKind::nonprojective;
  if (is_nonprojective && request.factorization != Factorization::first) {
    throw UsageError("trees", "nonprojective needs {} first", {"factorization"});
  }
  if (!request.crossing_arcs && is_nonprojective) {
    throw UsageError("nonprojective", "auto chooses the trees itself: leave out {}", {"trees"});
  }
  if (request.crossing_arcs != CrossingArcs::pseudo) return;
  if (request.labels == Labelling::none) throw UsageError("nonprojective", "pseudo needs labels");
  if (is_nonprojective) {
    throw UsageError("nonprojective", "pseudo is of no use where arcs may cross ({})", {"trees"});
  }
}

void check_penalties(const TrainRequest& request) {
  if (request.l2 == TrainRequest::kChooseL2 && request.dev.empty()) {
    throw UsageError("l2", "auto needs development data ({}) to choose by", {"dev"});
  }
  const LearnerKind learner = request.training.learner;
  if (request.l2 && !minimises_loss(learner)) {
    throw UsageError("l2", fmt::format("the learner {} has no such penalty", name(learner)));
  }
  if (request.training.l1 > 0.0 && learner != LearnerKind::lbfgs) {
    throw UsageError("l1", fmt::format("the learner {} has no such penalty", name(learner)));
  }
}

}  // namespace

void check_request(const TrainRequest& request, const Team& team) {
  check_required(train_options(), request);
  check_machine(request.network.learning.device, request.network.learning.precision, team);
  check_scopes(request);
  check_network(request);
  check_files(request);
  check_penalties(request);
  check_trees(request);
}

void check_request(const PretrainRequest& request, const Team& team) {
  check_required(pretrain_options(), request);
  check_machine(request.learning.device, request.learning.precision, team);
  if (request.cuts_at_spaces && !request.model.empty()) {
    throw UsageError("model", "has the segmenter, which {} spaces does without", {"tokens"});
  }
  if (request.output == "-") throw UsageError("output", "name a file: others go beside it");
  std::vector<std::string> files = request.text;
  files.insert(files.end(), request.treebank.begin(), request.treebank.end());
  refuse_two_standard_inputs("text", files);
  files.push_back(request.model);
  refuse_to_overwrite("output", request.output, files);
  refuse_to_overwrite("output", request.log(), files);
}

}  // namespace copse
