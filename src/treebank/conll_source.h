// CoNLL files from anywhere that bytes come from.
#pragma once

#include <memory>
#include <string>

#include "copse/treebank/conll.h"
#include "io/byte_source.h"

namespace copse {

struct ConllSource {
  // `name` stands for the file in messages.
  static ConllReader open(std::unique_ptr<ByteSource> source, const std::string& name,
                          const ConllReadOptions& options = {});
};

}  // namespace copse
