#include "treebank/attribute_check.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "copse/error.h"
#include "text/attribute_list.h"
#include "text/utf8.h"
#include "treebank/head_probability.h"
#include "treebank/rows.h"

namespace copse {
namespace {

// What for_each_attribute() passes over: the empty entry behind a last '|'.
bool has_empty_entry(std::string_view list) {
  return list.starts_with('|') || list.ends_with('|') || list.find("||") != std::string_view::npos;
}

std::string features_defect(std::string_view list) {
  if (has_empty_entry(list)) return "FEATS has an empty entry; remove the | that is too many";
  std::string reason;
  std::vector<std::string_view> names;
  for_each_attribute(list, [&](std::string_view entry) {
    const std::string_view name = attribute_key(entry);
    if (name.empty() || entry.size() <= name.size() + 1) {
      reason = "the feature " + quoted(entry) + " is not Name=Value; write it so, or _ for no features";
    } else if (std::find(names.begin(), names.end(), name) != names.end()) {
      reason = "the feature " + quoted(name) + " is there twice; write several values as " +
               std::string(name) + "=A,B";
    }
    names.push_back(name);
    return reason.empty();
  });
  return reason;
}

std::string misc_defect(std::string_view list) {
  if (has_empty_entry(list)) return "MISC has an empty entry; remove the | that is too many";
  std::string reason;
  for_each_attribute(list, [&](std::string_view entry) {
    if (entry.starts_with('=')) reason = "the entry " + quoted(entry) + " of MISC has no name before the =";
    return reason.empty();
  });
  return reason;
}

std::string probability_defect(const Token& word) {
  try {
    head_probability(word);
    label_probability(word);
  } catch (const DataError& error) {
    return error.what();
  }
  return {};
}

class AttributeCheck {
 public:
  void operator()(const Row& range_or_node) {
    check_lists(range_or_node);
    ++row_;
  }
  void operator()(int /*index*/, const Token& word) {
    check_lists(word);
    report(probability_defect(word));
    ++row_;
  }

  std::optional<Defect> take() { return std::move(defect_); }

 private:
  void check_lists(const Row& row) {
    report(features_defect(row.feats()));
    report(misc_defect(row.misc()));
  }
  void report(std::string reason) {
    if (!reason.empty() && !defect_) defect_ = Defect{row_, std::move(reason)};
  }

  std::size_t row_ = 0;
  std::optional<Defect> defect_;
};

}  // namespace

std::optional<Defect> find_attribute_defect(const Sentence& sentence) {
  AttributeCheck check;
  for_each_row(sentence, check);
  return check.take();
}

}  // namespace copse
