#include "training/team_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "copse/error.h"
#include "copse/setting_error.h"
#include "io/checksum.h"
#include "parallel/team_values.h"
#include "training/usage_error.h"
#include "treebank/conll_source.h"

namespace copse {

// Of bytes that come in pieces, wherever these end.
class TeamData::Checksum {
 public:
  void add(std::span<const char> bytes) {
    while (!bytes.empty()) {
      const std::size_t part = std::min(bytes.size(), kBlock - block_.size());
      block_.insert(block_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(part));
      bytes = bytes.subspan(part);
      size_ += part;
      if (block_.size() < kBlock) continue;
      sum_ = checksum(std::as_bytes(std::span(block_)), sum_);
      block_.clear();
    }
  }

  std::uint64_t value() const { return checksum(std::as_bytes(std::span(block_)), sum_ + size_); }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16;

  std::vector<char> block_;
  std::uint64_t sum_ = 0;
  std::uint64_t size_ = 0;
};

class TeamData::WatchedSource : public ByteSource {
 public:
  WatchedSource(std::unique_ptr<ByteSource> source, std::shared_ptr<Checksum> checksum)
      : source_(std::move(source)), checksum_(std::move(checksum)) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t size = source_->read(out);
    checksum_->add(out.first(size));
    return size;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::shared_ptr<Checksum> checksum_;
};

std::unique_ptr<ByteSource> TeamData::open(const std::string& path) {
  if (team_->is_alone()) return open_file(path);
  if (path == "-") {
    throw UsageError("-", "the standard input is for one process; name a file that all processes have");
  }
  files_.push_back({path, std::make_shared<Checksum>()});
  return std::make_unique<WatchedSource>(open_file(path), files_.back().checksum);
}

std::vector<Sentence> TeamData::read_treebanks(const std::vector<std::string>& paths, int max_words) {
  ConllReadOptions options;
  options.max_words = max_words;
  std::vector<Sentence> own;
  sentences_ = 0;
  for (const std::string& path : paths) {
    ConllReader reader = ConllSource::open(open(path), input_name(path), options);
    // Copies take just the memory they need, and the sentence that is read into keeps its own.
    for (Sentence sentence; reader.next(sentence); ++sentences_) {
      if (is_own(*team_, sentences_)) own.push_back(sentence);
    }
  }
  return own;
}

std::vector<Sentence> TeamData::read_development(const std::vector<std::string>& paths, int max_words) {
  std::vector<Sentence> own = read_treebanks(paths, max_words);
  if (!paths.empty() && sentences_ == 0) {
    throw SettingError(paths.front() + ": there is no sentence; give development data that has some, or none",
                       "dev");
  }
  return own;
}

void TeamData::add_file(const std::string& path) {
  if (team_->is_alone()) return;
  const std::unique_ptr<ByteSource> source = open(path);
  std::vector<char> buffer(std::size_t{1} << 16);
  while (source->read(buffer) > 0) {
  }
}

void TeamData::compare() const {
  if (team_->is_alone()) return;
  std::vector<std::uint64_t> own;
  for (const File& file : files_) own.push_back(file.checksum->value());
  const std::vector<std::uint64_t> all = gather_values<std::uint64_t>(*team_, own);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::size_t file = k % own.size();
    if (all[k] == all[file]) continue;
    throw DataError(fmt::format(
        "rank {} reads other data from {} than rank 0; give all machines the same files, or a folder that "
        "they share",
        k / own.size(), files_[file].path));
  }
}

}  // namespace copse
