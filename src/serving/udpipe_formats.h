#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "copse/treebank/sentence_reader.h"
#include "copse/treebank/sentence_writer.h"

namespace copse {

// The formats of UDPipe's protocol beside CoNLL-U.

// A reader of sentences that are cut into words.
//   conllu
//   horizontal   a sentence on a line, words separated by spaces; a no-break space is a space inside a word
//   vertical     a word on a line, up to the first tab; empty lines end sentences
// Options behind an equals sign (conllu=v2) change nothing. Throws RequestError 400 for another name.
std::unique_ptr<SentenceReader> open_udpipe_input(std::string_view format, std::string text);

// A writer that appends to `text`, which must outlive it.
//   conllu
//   horizontal, vertical   words as above; with the option `paragraphs`, an empty line before each but the
//   first plaintext              the text as it was; with `normalized_spaces`, a sentence on a line, with
//   single spaces
// Throws RequestError 400 for another name.
std::unique_ptr<SentenceWriter> open_udpipe_output(std::string_view format, std::string& text);

}  // namespace copse
