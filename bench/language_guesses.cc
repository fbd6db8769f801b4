// language_guesses FOLDER...: how often the language of a passage of 20 words is guessed right. Each folder
// has train.conllu, of which a profile is made, and dev.conllu, whose words are dealt out to passages. Also
// prints how often LanguageWatch, told that the text is in its own language, finds a passage strange, and how
// often it notices one in another language: with the profile of that language at hand, and without.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "copse/treebank/conll.h"
#include "language/language_guesser.h"

namespace copse {
namespace {

constexpr int kWords = 20;

std::vector<Sentence> read_sentences(const std::string& path) {
  std::vector<Sentence> sentences;
  ConllReader reader(path);
  for (Sentence sentence; reader.next(sentence);) sentences.push_back(sentence);
  return sentences;
}

std::vector<Sentence> passages_of(const std::vector<Sentence>& sentences) {
  std::vector<Sentence> passages(1);
  for (const Sentence& sentence : sentences) {
    for (const Token& word : sentence.words()) {
      if (passages.back().size() == kWords) passages.emplace_back();
      passages.back().add_word(std::string(word.form()));
    }
  }
  passages.pop_back();
  return passages;
}

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void run(const std::vector<std::string>& folders) {
  std::vector<KnownLanguage> languages;
  std::vector<std::vector<Sentence>> texts;
  for (const std::string& folder : folders) {
    const std::string name = std::filesystem::path(folder).lexically_normal().filename().string();
    languages.push_back(
        {name, "", "", LanguageProfile::of(read_sentences(folder + "/train.conllu")).value()});
    texts.push_back(passages_of(read_sentences(folder + "/dev.conllu")));
  }
  fmt::print("{:<20} {:>8} {:>9} {:>12} {:>14} {:>14}\n", "", "passages", "right, %", "false alarms",
             "others noticed", "if unknown");
  std::size_t all = 0;
  std::size_t all_right = 0;
  for (std::size_t own = 0; own < languages.size(); ++own) {
    std::size_t right = 0;
    for (const Sentence& passage : texts[own]) {
      LetterGroups groups;
      for (const Token& word : passage.words()) groups.add(word.form());
      right += likest_language(languages, groups) == own ? 1 : 0;
    }
    const auto all_languages = [&languages] { return languages; };
    const auto own_language = [&] { return std::vector<KnownLanguage>{languages[own]}; };
    LanguageWatch watch(languages[own].profile, "", all_languages);
    for (const Sentence& passage : texts[own]) watch.add(passage);
    std::int64_t noticed = 0;
    std::int64_t unknown = 0;
    std::int64_t others = 0;
    for (std::size_t other = 0; other < languages.size(); ++other) {
      if (other == own) continue;
      LanguageWatch known(languages[own].profile, "", all_languages);
      LanguageWatch alone(languages[own].profile, "", own_language);
      for (const Sentence& passage : texts[other]) {
        known.add(passage);
        alone.add(passage);
      }
      noticed += known.strange();
      unknown += alone.strange();
      others += known.passages();
    }
    fmt::print("{:<20} {:>8} {:>9.2f} {:>12.2f} {:>14.2f} {:>14.2f}\n", languages[own].model,
               texts[own].size(), percent(right, texts[own].size()),
               percent(static_cast<std::size_t>(watch.strange()), static_cast<std::size_t>(watch.passages())),
               percent(static_cast<std::size_t>(noticed), static_cast<std::size_t>(others)),
               percent(static_cast<std::size_t>(unknown), static_cast<std::size_t>(others)));
    all += texts[own].size();
    all_right += right;
  }
  fmt::print("{:<20} {:>8} {:>9.2f}\n", "all", all, percent(all_right, all));
}

}  // namespace
}  // namespace copse

int main(int argc, char** argv) {
  try {
    if (argc < 3) {
      std::fprintf(stderr, "usage: language_guesses FOLDER FOLDER...\n");
      return 2;
    }
    copse::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "language_guesses: %s\n", error.what());
    return 1;
  }
}
