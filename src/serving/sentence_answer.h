#pragma once

#include "copse/parse.h"
#include "copse/parse_options.h"
#include "serving/request_sentences.h"
#include "text/json_writer.h"

namespace copse {

// Writes a sentence and what the parser says about it as the JSON object of /v1/parse. Writes the best tree
// into the columns of the sentence on the way. With `has_conllu`, the object has the sentence as CoNLL-U,
// too, as the command line would write it: one for each of the k best trees.
void write_sentence_answer(RequestSentence& sentence, const Parse& parse, const ParseOptions& options,
                           bool has_conllu, JsonWriter& json);

}  // namespace copse
