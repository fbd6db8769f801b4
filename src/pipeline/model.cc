#include "copse/model.h"

#include <vector>

#include "pipeline/model_components.h"
#include "pipeline/model_folders.h"

namespace copse {

Model Model::load(const std::string& path_or_name, const std::string& folder) {
  return Model(
      std::make_shared<const ModelComponents>(ModelComponents::load(find_model(path_or_name, folder))));
}

bool Model::has_segmenter() const { return components_->segmenter.has_value(); }
bool Model::has_tagger() const {
  const Network* network = components_->parser.network();
  return components_->tagger.has_value() || (network != nullptr && !network->description().tags.empty());
}

std::vector<std::string> Model::labels() const {
  const std::vector<std::string>* labels = components_->labels();
  return labels == nullptr ? std::vector<std::string>() : *labels;
}

}  // namespace copse
