#include "convert_input.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "constituency/bracket_reader.h"
#include "constituency/dependencies.h"
#include "copse/error.h"
#include "io/byte_source.h"
#include "text/utf8.h"
#include "treebank/conll_source.h"

namespace copse {
namespace {

constexpr std::array<std::pair<std::string_view, InputFormat>, 4> kFormats = {{
    {"penn", {true, ConllFormat::detect}},
    {"conllx", {false, ConllFormat::conllx}},
    {"conllu", {false, ConllFormat::conllu}},
    {"tab3", {false, ConllFormat::tab3}},
}};

// .conll is used for both formats.
constexpr std::array<std::pair<std::string_view, InputFormat>, 11> kSuffixes = {{
    {".mrg", {true, ConllFormat::detect}},
    {".psd", {true, ConllFormat::detect}},
    {".parse", {true, ConllFormat::detect}},
    {".ptb", {true, ConllFormat::detect}},
    {".brackets", {true, ConllFormat::detect}},
    {".fid", {true, ConllFormat::detect}},
    {".nid", {true, ConllFormat::detect}},
    {".conllu", {false, ConllFormat::conllu}},
    {".conllx", {false, ConllFormat::conllx}},
    {".conll", {false, ConllFormat::detect}},
    {".dp", {false, ConllFormat::tab3}},
}};

constexpr std::array<std::string_view, 2> kCompressedSuffixes = {".gz", ".zst"};

bool is_wanted(const std::filesystem::path& path, const std::optional<InputFormat>& from,
               FilesOfFolder which) {
  if (path.filename().string().starts_with('.')) return false;
  const std::optional<InputFormat> told = format_by_suffix(path.string());
  if (!told) return from.has_value() && which == FilesOfFolder::any;
  if (!from) return true;
  const bool is_same =
      told->conll == from->conll || told->conll == ConllFormat::detect || from->conll == ConllFormat::detect;
  return told->is_penn == from->is_penn && is_same;
}

std::vector<std::string> files_of_folder(const std::string& folder, const std::optional<InputFormat>& from,
                                         FilesOfFolder which) {
  std::vector<std::string> files;
  try {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file() && is_wanted(entry.path(), from, which))
        files.push_back(entry.path().string());
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw DataError(folder + ": cannot be read: " + error.code().message());
  }
  if (files.empty()) {
    throw DataError(folder +
                    ": no file in this folder has a name that tells a fitting format (such as .mrg " +
                    (which == FilesOfFolder::any ? "or .conllu); name the files, or say --from"
                                                 : "or .conllu); name the files"));
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Bytes of which the first can be looked at before they are read.
class PeekedSource : public ByteSource {
 public:
  explicit PeekedSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
    constexpr size_t kMostBytes = size_t{4} << 10;
    std::array<char, 512> buffer;
    while (start_.size() < kMostBytes && !has_whole_line()) {
      const size_t count = source_->read(buffer);
      if (count == 0) break;
      start_.append(buffer.data(), count);
    }
  }

  // Ends after the first line that is not blank, unless that is long.
  std::string_view start() const { return start_; }

  size_t read(std::span<char> out) override {
    if (position_ == start_.size()) return source_->read(out);
    const size_t count = std::min(out.size(), start_.size() - position_);
    std::copy_n(start_.begin() + static_cast<std::ptrdiff_t>(position_), count, out.begin());
    position_ += count;
    return count;
  }

 private:
  bool has_whole_line() const {
    const size_t begin = start_.find_first_not_of(" \t\r\n");
    return begin != std::string::npos && start_.find('\n', begin) != std::string::npos;
  }

  std::unique_ptr<ByteSource> source_;
  std::string start_;
  size_t position_ = 0;
};

// Rows have tabs; brackets begin with one, or with the markup of the Chinese treebank.
bool looks_like_brackets(std::string_view start) {
  if (start.starts_with(kByteOrderMark)) start.remove_prefix(kByteOrderMark.size());
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  const std::string_view line = start.substr(0, start.find('\n'));
  return (line.starts_with('(') || line.starts_with('<')) && line.find('\t') == std::string_view::npos;
}

int read_trees(BracketReader& reader, const ConversionRules& rules,
               const std::function<void(Sentence&)>& use) {
  int trees_without_words = 0;
  for (ConstituentTree tree; reader.next(tree);) {
    Sentence sentence = to_dependencies(tree, rules);
    if (sentence.empty()) {
      ++trees_without_words;
    } else {
      use(sentence);
    }
  }
  return trees_without_words;
}

}  // namespace

std::optional<InputFormat> parse_input_format(std::string_view name) {
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [name](const auto& entry) { return entry.first == name; });
  if (found == kFormats.end()) return std::nullopt;
  return found->second;
}

std::string_view without_compression_suffix(std::string_view path) {
  for (const std::string_view suffix : kCompressedSuffixes) {
    if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
  }
  return path;
}

std::optional<InputFormat> format_by_suffix(std::string_view path) {
  path = without_compression_suffix(path);
  const auto* const found = std::find_if(kSuffixes.begin(), kSuffixes.end(),
                                         [path](const auto& entry) { return path.ends_with(entry.first); });
  if (found == kSuffixes.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> expand_folders(const std::vector<std::string>& paths,
                                        const std::optional<InputFormat>& from, FilesOfFolder which) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-" || !std::filesystem::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    const std::vector<std::string> inside = files_of_folder(path, from, which);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

int read_sentences(const std::string& path, const std::optional<InputFormat>& from,
                   const ConversionRules& rules, int max_words, const std::function<void(Sentence&)>& use) {
  const std::string name = input_name(path);
  std::optional<InputFormat> format = from ? from : format_by_suffix(path);
  auto source = std::make_unique<PeekedSource>(decompress(open_file(path), name));
  if (!format) format = InputFormat{looks_like_brackets(source->start()), ConllFormat::detect};
  if (format->is_penn) {
    BracketReadOptions options;
    options.max_words = max_words;
    BracketReader reader(std::move(source), name, options);
    return read_trees(reader, rules, use);
  }
  ConllReadOptions options;
  options.format = format->conll;
  options.max_words = max_words;
  ConllReader reader = ConllSource::open(std::move(source), name, options);
  for (Sentence sentence; reader.next(sentence);) use(sentence);
  return 0;
}

}  // namespace copse
