#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "constituency/conversion_rules.h"
#include "copse/treebank/layout.h"
#include "copse/treebank/sentence.h"

namespace copse {

// What a file holds: Penn brackets, or CoNLL rows of a format that may have to be detected.
struct InputFormat {
  bool is_penn = false;
  ConllFormat conll = ConllFormat::detect;
};

// penn, conllx, conllu, tab3: the words of --from and --to.
std::optional<InputFormat> parse_input_format(std::string_view name);
// A file's name without .gz or .zst.
std::string_view without_compression_suffix(std::string_view path);
// By the end of a file's name, a suffix of compressed data aside.
std::optional<InputFormat> format_by_suffix(std::string_view path);

// Which files of a folder are meant: those whose names tell a format, or also those that tell nothing.
enum class FilesOfFolder { telling, any };

// Folders replaced by the files in them and in their folders, sorted by path: those whose names tell a
// format, or, with `from`, those whose names do not tell another one. Hidden files are left out. DataError
// for a folder that cannot be read, or holds no such file.
std::vector<std::string> expand_folders(const std::vector<std::string>& paths,
                                        const std::optional<InputFormat>& from,
                                        FilesOfFolder which = FilesOfFolder::any);

// Hands on the sentences of a file one after the other; brackets are converted by `rules`. Without a format
// the file's name tells, or else its first bytes. Returns the number of trees that have no words, which are
// left out.
int read_sentences(const std::string& path, const std::optional<InputFormat>& from,
                   const ConversionRules& rules, int max_words, const std::function<void(Sentence&)>& use);

}  // namespace copse
