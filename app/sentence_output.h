#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "copse/treebank/sentence_writer.h"
#include "terminal.h"

namespace copse {

// The names of all formats that sentences can be written in: those of treebanks, and those of drawings.
std::vector<std::string> sentence_format_names();

// --output-format.
void add_output_format(CLI::App& command, std::string& format);

// Says so if the format that was asked for has no place for what was asked for, too.
void report_loss(std::string_view format, bool has_probabilities);

// Where the sentences go. What is for the standard output is collected, and written by write_output(),
// which can tell a reader who has gone from a write that failed.
class SentenceOutput {
 public:
  // An empty `format` keeps the one that each sentence was read in.
  SentenceOutput(const std::string& path, const std::string& format, const TerminalOptions& terminal = {});
  SentenceOutput(const SentenceOutput&) = delete;
  SentenceOutput& operator=(const SentenceOutput&) = delete;

  SentenceWriter& writer() { return *writer_; }
  void emit();
  // After the last sentence.
  void close();

 private:
  std::string text_;
  std::unique_ptr<SentenceWriter> writer_;
};

}  // namespace copse
