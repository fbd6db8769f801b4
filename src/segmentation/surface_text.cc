#include "segmentation/surface_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "text/attribute_list.h"
#include "text/character_table.h"
#include "text/utf8.h"

namespace copse {
namespace {

constexpr std::string_view kEmptyLine = "\n\n";

// What MISC says about the space after a token: nothing if it says nothing.
std::optional<std::string> told_space(std::string_view misc) {
  if (const auto space = attribute_value(misc, "SpacesAfter")) return unescape_space(*space);
  if (attribute_value(misc, "SpaceAfter") == "No") return std::string();
  return std::nullopt;
}

std::size_t leading_space(std::string_view text) {
  const std::size_t size = text.size();
  while (!text.empty()) {
    std::string_view rest = text;
    if (CharacterTable::get()[take_character(rest)].kind != CharacterClass::space) break;
    text = rest;
  }
  return size - text.size();
}

// Finds the tokens in `# text`; false, with the tokens unchanged, if they are not there.
bool align_with_text(std::string_view text, std::vector<SurfaceToken>& tokens) {
  std::vector<std::string> spaces;
  text.remove_prefix(leading_space(text));
  for (const SurfaceToken& token : tokens) {
    if (!text.starts_with(token.form)) return false;
    text.remove_prefix(token.form.size());
    const std::size_t space = leading_space(text);
    spaces.emplace_back(text.substr(0, space));
    text.remove_prefix(space);
  }
  if (!text.empty()) return false;
  // What comes after the last token is not in `# text`.
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) tokens[k].space_after = std::move(spaces[k]);
  return true;
}

bool is_spaced_word_part(CharacterTraits traits) {
  return (is_word_part(traits.kind) || traits.kind == CharacterClass::digit) &&
         !is_written_without_spaces(traits.script);
}

void guess_spaces(std::vector<SurfaceToken>& tokens) {
  const CharacterTable& table = CharacterTable::get();
  const auto first = [&](std::string_view form) { return table[take_character(form)]; };
  const auto last = [&](std::string_view form) {
    char32_t character = 0;
    while (!form.empty()) character = take_character(form);
    return table[character];
  };
  int with_spaces = 0;
  int without_spaces = 0;
  for (const SurfaceToken& token : tokens) {
    const CharacterTraits traits = first(token.form);
    if (is_written_without_spaces(traits.script))
      ++without_spaces;
    else if (is_word_part(traits.kind))
      ++with_spaces;
  }
  if (without_spaces <= with_spaces) return;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    const bool has_space = k + 1 < tokens.size() && is_spaced_word_part(last(tokens[k].form)) &&
                           is_spaced_word_part(first(tokens[k + 1].form));
    if (!has_space) tokens[k].space_after.clear();
  }
}

int line_breaks(std::string_view space) {
  return static_cast<int>(std::count(space.begin(), space.end(), '\n'));
}

}  // namespace

std::vector<SurfaceToken> surface_tokens(const Sentence& sentence) {
  const bool has_misc = sentence.layout().format == ConllFormat::conllu;
  bool is_told = false;
  std::vector<SurfaceToken> tokens;
  const auto add = [&](int first, int last, const Row& row) {
    std::optional<std::string> space;
    if (has_misc) space = told_space(row.misc());
    is_told = is_told || space.has_value();
    tokens.push_back({first, last, row.form(), space.value_or(" ")});
  };
  std::size_t range = 0;
  for (int word = 1; word <= sentence.size(); ++word) {
    if (range < sentence.multiwords().size() && sentence.multiwords()[range].first() == word) {
      const MultiwordToken& token = sentence.multiwords()[range++];
      add(token.first(), token.last(), token);
      word = token.last();
    } else {
      add(word, word, sentence[word]);
    }
  }
  if (tokens.empty()) return tokens;
  // Exact space in MISC is more than `# text`, which is one line, can say.
  std::vector<SurfaceToken> aligned = tokens;
  if (sentence.text() && align_with_text(*sentence.text(), aligned)) {
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const bool agrees = tokens[k].space_after.empty() == aligned[k].space_after.empty();
      if (!agrees || tokens[k].space_after == " ") tokens[k].space_after = std::move(aligned[k].space_after);
    }
  } else if (!is_told) {
    guess_spaces(tokens);
  }
  return tokens;
}

std::string surface_text(const Sentence& sentence) {
  std::string text;
  const std::vector<SurfaceToken> tokens = surface_tokens(sentence);
  for (const SurfaceToken& token : tokens) {
    text += token.form;
    if (&token != &tokens.back()) text += token.space_after;
  }
  return text;
}

bool begins_paragraph(const Sentence& sentence) {
  return std::any_of(sentence.comments().begin(), sentence.comments().end(), [](std::string_view line) {
    line.remove_prefix(1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    for (const std::string_view key : {"newpar", "newdoc"}) {
      if (line.starts_with(key) && (line.size() == key.size() || line[key.size()] == ' ')) return true;
    }
    return false;
  });
}

std::string escape_space(std::string_view space) {
  constexpr std::string_view kPlain(" \t\n\r|\\\0", 7);
  constexpr std::string_view kEscaped = "stnrp\\0";
  std::string text;
  for (const char c : space) {
    const std::size_t known = kPlain.find(c);
    if (known == std::string_view::npos) {
      text += c;
    } else {
      text += '\\';
      text += kEscaped[known];
    }
  }
  return text;
}

std::string unescape_space(std::string_view text) {
  std::string space;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '\\' || k + 1 == text.size()) {
      space += text[k];
      continue;
    }
    const char c = text[++k];
    switch (c) {
      case 's':
        space += ' ';
        break;
      case 't':
        space += '\t';
        break;
      case 'n':
        space += '\n';
        break;
      case 'r':
        space += '\r';
        break;
      case 'p':
        space += '|';
        break;
      case '0':
        space += '\0';
        break;
      default:
        space += c;
    }
  }
  return space;
}

namespace {

// What MISC says about the space before a sentence.
std::string space_before(const Sentence& sentence, std::span<const SurfaceToken> tokens) {
  if (tokens.empty() || sentence.layout().format != ConllFormat::conllu) return "";
  const bool is_range = tokens[0].last > tokens[0].first;
  const Row& row = is_range ? static_cast<const Row&>(sentence.multiwords()[0]) : sentence[1];
  return unescape_space(attribute_value(row.misc(), "SpacesBefore").value_or(""));
}

}  // namespace

void RunningText::add(const Sentence& sentence, std::string& text) {
  tokens_ = surface_tokens(sentence);
  const std::string before = space_before(sentence, tokens_);
  if (!is_first_) {
    // A paragraph needs its empty line, whatever is said about the space after the last one. Where every line
    // is a sentence, only the first line break is part of that.
    const auto breaks = line_breaks(space_);
    if (begins_paragraph(sentence) && (breaks == 0 || breaks + line_breaks(before) < 2)) {
      space_ = space_.empty() || space_ == " " ? std::string(kEmptyLine) : space_ + std::string(kEmptyLine);
    }
    text += space_;
  }
  is_first_ = false;
  starts_.clear();
  if (tokens_.empty()) return;
  text += before;
  for (const SurfaceToken& token : tokens_) {
    starts_.push_back(text.size());
    text += token.form;
    if (&token != &tokens_.back()) text += token.space_after;
  }
  space_ = tokens_.back().space_after;
}

void RunningText::finish(std::string& text) {
  if (!is_first_) text += space_ == " " ? "\n" : space_;
  is_first_ = true;
  space_.clear();
}

TextWriter::TextWriter(const std::string& path) : file_(std::make_unique<OutputFile>(path)) {}

void TextWriter::write_buffer() {
  if (file_ == nullptr) return;
  file_->write(buffer_);
  buffer_.clear();
}

void TextWriter::write(const Sentence& sentence) {
  running_.add(sentence, file_ == nullptr ? *text_ : buffer_);
  write_buffer();
}

void TextWriter::flush() {
  if (file_ != nullptr) file_->flush();
}

void TextWriter::close() {
  running_.finish(file_ == nullptr ? *text_ : buffer_);
  write_buffer();
  if (file_ != nullptr) file_->close();
}

}  // namespace copse
