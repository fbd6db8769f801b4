#include "treebank/pseudo_projective.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <utility>

#include "trees/heads.h"

namespace copse {
namespace {

constexpr char kLifted = '|';
constexpr char kPassed = '%';
constexpr char kEscape = '\\';

constexpr std::array<std::pair<std::string_view, LiftScheme>, 3> kSchemes = {{
    {"head", LiftScheme::head},
    {"path", LiftScheme::path},
    {"head+path", LiftScheme::head_and_path},
}};

bool is_special(char c) { return c == kLifted || c == kPassed || c == kEscape; }

std::string escaped(std::string_view label) {
  std::string text;
  for (const char c : label) {
    if (is_special(c)) text += kEscape;
    text += c;
  }
  return text;
}

// What a label says, whether encode() has written it or not.
struct MarkedLabel {
  std::string label;
  std::string head_label;
  bool is_lifted = false;
  bool is_passed = false;

  explicit MarkedLabel(std::string_view text) {
    int bars = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
      char c = text[k];
      const bool is_escaped = c == kEscape && k + 1 < text.size() && is_special(text[k + 1]);
      if (is_escaped) c = text[++k];
      if (!is_escaped && c == kLifted) {
        ++bars;
      } else if (!is_escaped && c == kPassed) {
        is_passed = true;
      } else if (bars < 2) {  // what follows more bars is none of ours
        (bars == 0 ? label : head_label) += c;
      }
    }
    is_lifted = bars > 0;
  }
};

void expect_same_size(std::span<const int> heads, std::span<const std::string> labels) {
  if (heads.size() != labels.size()) throw std::invalid_argument("heads and labels differ in number");
}

// Lifts arcs until none is left that is not projective. Taking a word from a head leaves the descendants of
// all other words as they were: only the arcs of that head must be looked at again, and of them only those
// that were projective.
class Lifting {
 public:
  explicit Lifting(std::span<int> heads)
      : heads_(heads),
        modifiers_(heads.size()),
        is_passed_(heads.size()),
        seen_for_(heads.size()),
        old_heads_(heads.begin(), heads.end()) {
    for (int m = 1; m < static_cast<int>(heads.size()); ++m) modifiers_[at(heads[at(m)])].push_back(m);
    for (const int m : non_projective_arcs(heads)) waiting_.insert(key(m));
  }

  void run() {
    while (!waiting_.empty()) {
      const int word = waiting_.begin()->second;
      waiting_.erase(waiting_.begin());
      lift(word);
    }
  }

  bool is_lifted(int word) const { return heads_[at(word)] != old_heads_[at(word)]; }
  bool is_passed(int word) const { return is_passed_[at(word)] != 0; }
  int old_head(int word) const { return old_heads_[at(word)]; }

 private:
  static std::size_t at(int word) { return static_cast<std::size_t>(word); }
  std::pair<int, int> key(int word) const { return {std::abs(word - heads_[at(word)]), word}; }

  // The head is no root: all words descend from that one, so its arcs are projective.
  void lift(int word) {
    const int head = heads_[at(word)];
    is_passed_[at(head)] = 1;
    std::erase(modifiers_[at(head)], word);
    heads_[at(word)] = heads_[at(head)];
    modifiers_[at(heads_[at(word)])].push_back(word);
    if (!is_projective_arc(word)) waiting_.insert(key(word));
    for (const int sibling : modifiers_[at(head)]) {
      if (!waiting_.contains(key(sibling)) && !is_projective_arc(sibling)) waiting_.insert(key(sibling));
    }
  }

  // Walks up from every word between; what an earlier walk has passed on its way to the head is good.
  bool is_projective_arc(int word) {
    const int head = heads_[at(word)];
    if (head == 0) return true;
    ++walks_;
    for (int between = std::min(head, word) + 1; between < std::max(head, word); ++between) {
      int above = between;
      for (; above != head && above != 0 && seen_for_[at(above)] != walks_; above = heads_[at(above)]) {
        seen_for_[at(above)] = walks_;
      }
      if (above == 0) return false;
    }
    return true;
  }

  std::span<int> heads_;
  std::vector<std::vector<int>> modifiers_;
  std::vector<std::uint8_t> is_passed_;
  std::vector<std::int64_t> seen_for_;  // the walk that saw a word last
  std::int64_t walks_ = 0;
  std::vector<int> old_heads_;
  std::set<std::pair<int, int>> waiting_;  // non-projective arcs by length, then modifier
};

// Puts lifted words back, those near the root first: what was lifted out of a phrase that itself was lifted
// then finds that phrase in its old place.
class Lowering {
 public:
  Lowering(std::span<int> heads, std::span<const MarkedLabel> labels)
      : heads_(heads), labels_(labels), modifiers_(heads.size()) {
    for (int m = 1; m < static_cast<int>(heads.size()); ++m) modifiers_[at(heads[at(m)])].push_back(m);
  }

  int run() {
    std::vector<std::pair<int, int>> lifted;  // by depth
    const std::vector<int> depth = depths(heads_);
    for (int m = 1; m < static_cast<int>(heads_.size()); ++m) {
      if (labels_[at(m)].is_lifted) lifted.emplace_back(depth[at(m)], m);
    }
    std::sort(lifted.begin(), lifted.end());
    int restored = 0;
    for (const auto& [ignored, word] : lifted) {
      const int head = old_head(word);
      if (head == kNoHead) continue;
      std::erase(modifiers_[at(heads_[at(word)])], word);
      std::vector<int>& siblings = modifiers_[at(head)];
      siblings.insert(std::lower_bound(siblings.begin(), siblings.end(), word), word);
      heads_[at(word)] = head;
      ++restored;
    }
    return restored;
  }

 private:
  static std::size_t at(int word) { return static_cast<std::size_t>(word); }

  int old_head(int word) {
    const std::string& wanted = labels_[at(word)].head_label;
    if (wanted.empty()) {
      return first_below(word, true, [&](int candidate) { return !has_passed_modifier(candidate, word); });
    }
    const auto has_label = [&](int candidate) { return labels_[at(candidate)].label == wanted; };
    const int head = first_below(word, true, has_label);
    return head != kNoHead ? head : first_below(word, false, has_label);
  }

  bool has_passed_modifier(int candidate, int word) const {
    return std::any_of(modifiers_[at(candidate)].begin(), modifiers_[at(candidate)].end(),
                       [&](int m) { return m != word && labels_[at(m)].is_passed; });
  }

  // The first word, top-down and from left to right below the head of `word`, that is right. `word` and all
  // below it are left out, so that no cycle can arise.
  template <class IsRight>
  int first_below(int word, bool along_marks, IsRight is_right) {
    queue_.assign(1, heads_[at(word)]);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      if (next > 0 && is_right(queue_[next])) return queue_[next];
      for (const int m : modifiers_[at(queue_[next])]) {
        if (m != word && (!along_marks || labels_[at(m)].is_passed)) queue_.push_back(m);
      }
    }
    return kNoHead;
  }

  std::span<int> heads_;
  std::span<const MarkedLabel> labels_;
  std::vector<std::vector<int>> modifiers_;  // ascending
  std::vector<int> queue_;
};

std::vector<std::string> labels_of(const Sentence& sentence) {
  std::vector<std::string> labels(1);
  for (const Token& word : sentence.words()) labels.emplace_back(word.deprel());
  return labels;
}

void set_tree(Sentence& sentence, std::span<const int> heads, std::span<const std::string> labels) {
  for (int word = 1; word <= sentence.size(); ++word) {
    const auto index = static_cast<std::size_t>(word);
    if (sentence[word].head() != heads[index]) sentence[word].set_head(heads[index]);
    if (sentence[word].deprel() != labels[index]) sentence[word].set_deprel(labels[index]);
  }
}

}  // namespace

std::string_view name(LiftScheme scheme) {
  for (const auto& [text, value] : kSchemes) {
    if (value == scheme) return text;
  }
  return {};
}

std::optional<LiftScheme> parse_lift_scheme(std::string_view name) {
  for (const auto& [text, value] : kSchemes) {
    if (text == name) return value;
  }
  return std::nullopt;
}

int pseudo_projective_encode(std::span<int> heads, std::span<std::string> labels, LiftScheme scheme) {
  expect_same_size(heads, labels);
  for (std::size_t m = 1; m < labels.size(); ++m) labels[m] = escaped(labels[m]);
  if (!is_tree(heads) || is_projective(heads)) return 0;
  Lifting lifting(heads);
  lifting.run();
  const std::vector<std::string> plain(labels.begin(), labels.end());
  int lifted = 0;
  for (int m = 1; m < static_cast<int>(heads.size()); ++m) {
    std::string& label = labels[static_cast<std::size_t>(m)];
    if (lifting.is_lifted(m)) {
      ++lifted;
      label += kLifted;
      if (scheme != LiftScheme::path) label += plain[static_cast<std::size_t>(lifting.old_head(m))];
    }
    if (scheme != LiftScheme::head && lifting.is_passed(m)) label += kPassed;
  }
  return lifted;
}

int pseudo_projective_decode(std::span<int> heads, std::span<std::string> labels) {
  expect_same_size(heads, labels);
  const std::vector<MarkedLabel> marked(labels.begin(), labels.end());
  for (std::size_t m = 1; m < labels.size(); ++m) labels[m] = marked[m].label;
  return is_tree(heads) ? Lowering(heads, marked).run() : 0;
}

int pseudo_projective_encode(Sentence& sentence, LiftScheme scheme) {
  std::vector<int> heads = sentence.heads();
  std::vector<std::string> labels = labels_of(sentence);
  const int lifted = pseudo_projective_encode(heads, labels, scheme);
  set_tree(sentence, heads, labels);
  return lifted;
}

int pseudo_projective_decode(Sentence& sentence) {
  std::vector<int> heads = sentence.heads();
  std::vector<std::string> labels = labels_of(sentence);
  const int restored = pseudo_projective_decode(heads, labels);
  set_tree(sentence, heads, labels);
  return restored;
}

std::vector<WrongRestoration> find_wrong_restorations(std::span<const int> heads, const Sentence& encoded) {
  std::vector<int> restored = encoded.heads();
  std::vector<std::string> labels = labels_of(encoded);
  pseudo_projective_decode(restored, labels);
  expect_same_size(heads, labels);
  std::vector<WrongRestoration> wrong;
  for (std::size_t m = 1; m < heads.size(); ++m) {
    if (restored[m] != heads[m]) wrong.push_back({static_cast<int>(m), heads[m], restored[m]});
  }
  return wrong;
}

}  // namespace copse
