// vector_neighbours TREEBANK VECTORS...: how well word vectors know what words are. For every word form of
// the treebank (lower case, seen twice at least, in all files of vectors) its most frequent XPOS is guessed
// from its five nearest neighbours among the others, by cosine. Prints the share of correct guesses.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "copse/treebank/conll.h"
#include "text/letter_case.h"
#include "vectors/vector_reader.h"

namespace copse {
namespace {

struct Form {
  std::string text;
  std::string tag;
};

using TagCounts = std::map<std::string, int>;

int total(const TagCounts& tags) {
  int sum = 0;
  for (const auto& [tag, count] : tags) sum += count;
  return sum;
}

std::map<std::string, TagCounts> read_forms(const std::string& path) {
  std::map<std::string, TagCounts> forms;
  ConllReader reader(path);
  for (Sentence sentence; reader.next(sentence);) {
    for (const Token& word : sentence.words()) ++forms[lowered(word.form())][std::string(word.xpos())];
  }
  return forms;
}

// Rows of length 1.
std::vector<std::vector<float>> unit_vectors(const WordVectors& vectors, const std::vector<Form>& forms) {
  std::vector<std::vector<float>> rows;
  for (const Form& form : forms) {
    std::vector<float>& row = rows.emplace_back(vectors.dimension());
    vectors.copy_row(*vectors.find(form.text), row);
    float square = 0.0F;
    for (const float value : row) square += value * value;
    for (float& value : row) value /= std::sqrt(square) + 1e-9F;
  }
  return rows;
}

double share_of_correct_guesses(const WordVectors& vectors, const std::vector<Form>& forms) {
  constexpr std::size_t kNeighbours = 5;
  const std::vector<std::vector<float>> rows = unit_vectors(vectors, forms);
  std::size_t correct = 0;
  for (std::size_t word = 0; word < rows.size(); ++word) {
    std::vector<std::pair<float, std::size_t>> others;
    for (std::size_t other = 0; other < rows.size(); ++other) {
      float cosine = 0.0F;
      for (std::size_t k = 0; k < rows[word].size(); ++k) cosine += rows[word][k] * rows[other][k];
      if (other != word) others.emplace_back(cosine, other);
    }
    const std::size_t nearest = std::min(kNeighbours, others.size());
    std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(nearest), others.end(),
                      std::greater<>());
    std::map<std::string, float> votes;
    for (std::size_t k = 0; k < nearest; ++k) votes[forms[others[k].second].tag] += others[k].first;
    const auto best = std::max_element(votes.begin(), votes.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best != votes.end() && best->first == forms[word].tag) ++correct;
  }
  return static_cast<double>(correct) / static_cast<double>(rows.size());
}

void compare(const std::string& treebank, const std::vector<std::string>& files) {
  std::vector<WordVectors> vectors;
  for (const std::string& file : files) vectors.push_back(read_vectors(file));
  std::vector<Form> forms;
  std::vector<int> covered(files.size());
  int words = 0;
  for (const auto& [form, tags] : read_forms(treebank)) {
    const int count = total(tags);
    words += count;
    bool is_in_all = true;
    for (std::size_t k = 0; k < files.size(); ++k) {
      const bool is_in = vectors[k].find(form).has_value();
      covered[k] += is_in ? count : 0;
      is_in_all = is_in_all && is_in;
    }
    const auto best = std::max_element(tags.begin(), tags.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (is_in_all && count > 1) forms.push_back({form, best->first});
  }
  fmt::print("{} forms\n{:<40} {:>8} {:>14}\n", forms.size(), "vectors", "XPOS", "words covered");
  for (std::size_t k = 0; k < files.size(); ++k) {
    fmt::print("{:<40} {:>7.2f}% {:>13.2f}%\n", files[k], 100 * share_of_correct_guesses(vectors[k], forms),
               100.0 * covered[k] / words);
  }
}

}  // namespace
}  // namespace copse

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: vector_neighbours TREEBANK VECTORS...\n");
    return 2;
  }
  try {
    copse::compare(arguments[1], {arguments + 2, arguments + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vector_neighbours: %s\n", error.what());
    return 1;
  }
  return 0;
}
