#include "evaluation/open_treebank.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/byte_source.h"

namespace copse {

size_t line_of_word(const Sentence& sentence, size_t first_line, int word) {
  const auto starts_before = [word](const MultiwordToken& range) { return range.first() <= word; };
  const auto is_passed = [word](const EmptyNode& node) { return node.word() < word; };
  const auto ranges = std::ranges::count_if(sentence.multiwords(), starts_before);
  const auto nodes = std::ranges::count_if(sentence.empty_nodes(), is_passed);
  return first_line + sentence.comments().size() + static_cast<size_t>(ranges + nodes + word - 1);
}

OpenTreebank::OpenTreebank(const std::string& path, const ConllReadOptions& options)
    : name_(input_name(path)), reader_(path, options) {}

std::string OpenTreebank::place() const { return fmt::format("{}:{}", name_, reader_.first_line()); }
std::string OpenTreebank::place(int word) const {
  return fmt::format("{}:{}", name_, line_of_word(sentence_, reader_.first_line(), word));
}

}  // namespace copse
