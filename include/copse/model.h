#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace copse {

struct ModelComponents;

// Everything from text to labelled trees that one file holds: a parser, and perhaps a segmenter, a tagger and
// a labeller. Constant, shared and cheap to copy: threads use one model, each with a Pipeline of its own.
class Model {
 public:
  // Loads a file, or a model by its name: "english" is the one that comes with Copse. Without either, the
  // environment variable COPSE_MODEL may name one, else it is the English one. Throws DataError when there is
  // none, and for a file that is not a model, damaged, or of a newer version.
  //
  // Names are looked up in the folder that the environment variable COPSE_MODEL_FOLDER names, beside the
  // running program (../share/copse/models), in `folder`, if one is given, and in the place that Copse is
  // installed in, which programs learn of that are built with its CMake package.
  static Model load(const std::string& path_or_name = "", const std::string& folder = "");

  explicit Model(std::shared_ptr<const ModelComponents> components) : components_(std::move(components)) {}

  bool has_segmenter() const;  // without one, text cannot be parsed, but words can
  bool has_tagger() const;     // without one, words should come with the tags that the model has learnt from
  // All labels that arcs can get; none if the model does not label.
  std::vector<std::string> labels() const;

  const ModelComponents& components() const { return *components_; }

 private:
  std::shared_ptr<const ModelComponents> components_;
};

namespace internal {

// From now on, models are looked up in this folder, too, in every thread. Returns true.
bool add_model_folder(const std::string& folder);
#ifdef COPSE_INSTALLED_MODELS  // the CMake package says so, wherever it has been moved
inline const bool kKnowsInstalledModels = add_model_folder(COPSE_INSTALLED_MODELS);
#endif

}  // namespace internal

}  // namespace copse
