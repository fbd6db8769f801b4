#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "copse/treebank/sentence.h"
#include "io/byte_source.h"
#include "parallel/team.h"

namespace copse {

// The files that the processes of a team learn from. Every process reads all of them, keeps its own sentences
// (number_of_own() in parallel/team.h), and in the end compares what it has read with the others: machines
// may have different files of the same name.
class TeamData {
 public:
  // Borrows the team.
  explicit TeamData(Team& team) : team_(&team) {}

  // Of the sentences of all files, one after the other, this process's own ones. UsageError for the
  // standard input, which a team does not have.
  std::vector<Sentence> read_treebanks(const std::vector<std::string>& paths, int max_words);
  // The same for development data. DataError if files are given, but there is no sentence in them.
  std::vector<Sentence> read_development(const std::vector<std::string>& paths, int max_words);
  // Reads a file that others will read, for the sake of the comparison.
  void add_file(const std::string& path);

  // Throws DataError, in all processes, if one of them has read something else than rank 0.
  void compare() const;

 private:
  class Checksum;
  class WatchedSource;
  struct File {
    std::string path;
    std::shared_ptr<Checksum> checksum;
  };

  std::unique_ptr<ByteSource> open(const std::string& path);

  Team* team_;
  std::vector<File> files_;
  std::size_t sentences_ = 0;  // in the files that were read last
};

}  // namespace copse
