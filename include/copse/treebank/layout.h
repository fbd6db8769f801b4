#pragma once

#include <cstdint>

namespace copse {

enum class ConllFormat : uint8_t {
  detect,  // for a reader: tell by the content; for a writer: the format that each sentence was read in
  conllx,  // ten columns: ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL
  conllu,  // ten columns: ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC, comments, ranges, empty nodes
  tab3,    // three columns: FORM POS HEAD
};

enum class SentenceEnd : uint8_t {
  blank_line,
  line_end,  // the file ends after the newline of the last row
  nothing,   // the file ends right after the last row
};

// How a sentence lay in its file, beyond its content; a writer repeats it.
struct Layout {
  ConllFormat format = ConllFormat::conllu;
  SentenceEnd end = SentenceEnd::blank_line;
  bool byte_order_mark = false;    // the file started with one, before this sentence
  bool crlf = false;               // lines end in CR LF
  uint64_t extra_blank_lines = 0;  // before this sentence, beyond the one that ends the sentence before

  bool operator==(const Layout&) const = default;
};

}  // namespace copse
