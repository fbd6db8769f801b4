#include "segmentation/block_segmenter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "segmentation/surface_text.h"
#include "text/utf8.h"

namespace copse {
namespace {

// Longer runs of space are cut to this: MISC need not hold them exactly.
constexpr std::size_t kMostSpaceBytes = 1024;

std::string_view usual_space(BlockEnd end) {
  switch (end) {
    case BlockEnd::paragraph:
      return "\n\n";
    case BlockEnd::text:
      return "\n";
    default:
      return " ";
  }
}

bool ends_paragraph(BlockEnd end) { return end == BlockEnd::paragraph || end == BlockEnd::text; }

}  // namespace

BlockSegmenter::BlockSegmenter(const SegmenterModel& segmenter, Segmenter::OnSentence on_sentence,
                               const TextOptions& options)
    : segmenter_(segmenter),
      on_sentence_(std::move(on_sentence)),
      options_(options),
      labeller_(segmenter_.model().labels),
      begins_paragraph_(!options.continues_paragraph) {
  if (segmenter_.model().characters) characters_.emplace(*segmenter_.model().characters);
  if (segmenter_.model().context) context_.emplace(*segmenter_.model().context);
}

std::size_t BlockSegmenter::segment(std::string_view text, BlockEnd end) {
  const std::size_t used = emit_sentences(text, end);
  if (end == BlockEnd::text) {
    position_ = 0;
  } else if (options_.ranges) {
    position_ += static_cast<std::int64_t>(count_characters(text.substr(0, used)));
  }
  return used;
}

std::size_t BlockSegmenter::emit_sentences(std::string_view text, BlockEnd end) {
  row_.assign(text);
  const std::size_t lead = row_.size() == 0 ? text.size() : row_.offset(0);
  space_before_ += first_bytes(text.substr(0, lead), kMostSpaceBytes - space_before_.size());
  if (row_.size() == 0) {
    if (ends_paragraph(end)) begins_paragraph_ = true;
    if (end == BlockEnd::text) space_before_.clear();
    return text.size();
  }
  find_starts();
  const std::size_t whole = last_sentence(end);
  for (std::size_t first = 0; first < whole;) {
    std::size_t last = first + 1;
    while (last < whole && !starts_[last].is_sentence) ++last;
    emit_sentence(text, first, last, last == starts_.size() ? end : BlockEnd::nothing);
    first = last;
  }
  if (ends_paragraph(end)) begins_paragraph_ = true;
  return whole == starts_.size() ? text.size() : row_.offset(starts_[whole].character);
}

void BlockSegmenter::find_starts() {
  starts_.assign(1, {0, true});
  reader_.read(row_, segmenter_.model().rules);
  if (reader_.slots().empty()) return;
  reader_.observe(observations_);
  labeller_.assign(observations_);
  const std::span<const Label> labels = labeller_.best();
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const int slot = reader_.slots()[k];
    // Tokens have no other space inside than plain one.
    const bool must_begin = row_.is_space(slot - 1) && !row_[slot - 1].is_plain_space;
    const bool is_sentence = labels[k] == kSentence && options_.lines != TextLines::sentences;
    if (labels[k] != kInside || must_begin) starts_.push_back({slot, is_sentence});
  }
}

// The number of tokens in sentences that are certainly complete, or have to be.
std::size_t BlockSegmenter::last_sentence(BlockEnd end) const {
  if (end != BlockEnd::nothing) return starts_.size();
  const auto found =
      std::find_if(starts_.rbegin(), starts_.rend(), [](Start start) { return start.is_sentence; });
  const auto sentence = static_cast<std::size_t>(starts_.rend() - found) - 1;
  if (sentence > 0) return sentence;
  // One sentence as long as a block: cut where there is space at least, or anywhere.
  for (std::size_t k = starts_.size() - 1; k > starts_.size() / 2; --k) {
    if (row_.is_space(starts_[k].character - 1)) return k;
  }
  return starts_.size();
}

// One sentence: the tokens from first to last - 1.
void BlockSegmenter::emit_sentence(std::string_view text, std::size_t first, std::size_t last, BlockEnd end) {
  Sentence sentence;
  if (!options_.document.empty()) {
    sentence.add_comment("# newdoc id = " + std::exchange(options_.document, {}));
  }
  if (std::exchange(begins_paragraph_, false)) sentence.add_comment("# newpar");
  surface_ = "# text = ";
  tokens_.clear();
  std::size_t counted = 0;  // bytes of the text, whose characters are counted
  std::int64_t position = position_;
  for (std::size_t k = first; k < last; ++k) {
    const int begin = starts_[k].character;
    const bool is_last_of_row = k + 1 == starts_.size();
    const int next = is_last_of_row ? row_.size() : starts_[k + 1].character;
    const int token_end = !is_last_of_row && row_.is_space(next - 1) ? next - 1 : next;
    const std::string_view form =
        text.substr(row_.offset(begin), row_.offset(token_end) - row_.offset(begin));
    const std::size_t space_end = is_last_of_row ? text.size() : row_.offset(next);
    const std::string_view space = text.substr(row_.offset(token_end), space_end - row_.offset(token_end));
    if (options_.ranges) {
      const std::size_t start = row_.offset(begin);
      position += static_cast<std::int64_t>(count_characters(text.substr(counted, start - counted)));
      counted = start;
    }
    tokens_.push_back({form, space, position});
    surface_ += form;
    if (!space.empty() && k + 1 < last) surface_ += ' ';
  }
  sentence.add_comment(surface_);
  if (context_) {
    forms_.clear();
    for (const FoundToken& token : tokens_) forms_.push_back(token.form);
    context_->assign(forms_);
  }
  for (std::size_t k = 0; k < tokens_.size(); ++k) {
    add_token(k, misc(tokens_[k], k + 1 == tokens_.size() ? usual_space(end) : " "), sentence);
  }
  on_sentence_(std::move(sentence));
}

std::string BlockSegmenter::misc(const FoundToken& token, std::string_view usual) {
  std::string text;
  const auto add = [&text](std::string_view key, std::string_view value) {
    if (!text.empty()) text += '|';
    text += key;
    text += value;
  };
  if (token.space.empty()) {
    add("SpaceAfter=", "No");
  } else if (token.space != usual) {
    add("SpacesAfter=", escape_space(first_bytes(token.space, kMostSpaceBytes)));
  }
  if (!space_before_.empty()) {
    add("SpacesBefore=", escape_space(space_before_));
    space_before_.clear();
  }
  if (options_.ranges) {
    const auto length = static_cast<std::int64_t>(count_characters(token.form));
    add("TokenRange=", fmt::format("{}:{}", token.begin, token.begin + length));
  }
  return text.empty() ? "_" : text;
}

// Sets the words of a token of the sentence; false if it is a word itself.
bool BlockSegmenter::split(std::size_t token) {
  const std::string_view form = tokens_[token].form;
  if (context_) {
    if (const auto decision = context_->decision(token)) return *decision && (*decision)->apply(form, words_);
  }
  if (characters_) {
    if (const std::optional<bool> is_split = characters_->split(form, words_)) return *is_split;
  }
  return segmenter_.model().splitter.split(form, words_);
}

void BlockSegmenter::add_token(std::size_t token, std::string_view misc, Sentence& sentence) {
  const std::string_view form = tokens_[token].form;
  const auto columns = [this](std::string_view form_column,
                              std::string_view misc_column) -> std::string_view {
    columns_ = form_column;
    columns_ += "\t_\t_\t_\t_\t_\t_\t_\t";
    columns_ += misc_column;
    return columns_;
  };
  Token word;
  if (!split(token)) {
    word.assign_columns(columns(form, misc));
    sentence.add_word(std::move(word));
    return;
  }
  const int first = sentence.size() + 1;
  sentence.add_multiword(first, first + static_cast<int>(words_.size()) - 1)
      .assign_columns(columns(form, misc));
  for (const std::string& part : words_) {
    word.assign_columns(columns(part, "_"));
    sentence.add_word(word);
  }
}

}  // namespace copse
