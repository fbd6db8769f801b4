#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "copse/treebank/sentence.h"
#include "io/section_file.h"

namespace copse {

struct SegmenterContent;

// Everything that it takes to find sentences, tokens and words in text. Constant once made, and cheap to
// copy: threads share it.
class SegmenterModel {
 public:
  static constexpr std::string_view kComponentName = "segmenter";

  // What a reader of the file may want to know about its making, in order.
  using Facts = std::vector<std::pair<std::string, std::string>>;

  explicit SegmenterModel(SegmenterContent model, Facts facts = {});

  // Sections of a model file that begin with "segmenter/"; other sections may stand beside them. Loading
  // throws DataError for a file without a segmenter, and for sections that are damaged or of another version.
  static SegmenterModel load(const std::string& path) { return from_file(SectionFile::open(path)); }
  static SegmenterModel from_file(const SectionFile& file);
  static bool is_in(const SectionFile& file);
  void save(const std::string& path) const;
  void add_to(SectionFileWriter& file) const;

  const SegmenterContent& model() const { return *model_; }
  const Facts& facts() const { return facts_; }
  void add_fact(std::string key, std::string text) { facts_.emplace_back(std::move(key), std::move(text)); }

 private:
  std::shared_ptr<const SegmenterContent> model_;
  Facts facts_;
};

}  // namespace copse
