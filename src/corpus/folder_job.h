#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "corpus/manifest.h"
#include "corpus/shards.h"
#include "parallel/team.h"

namespace copse {

// A file that another is made of.
struct CorpusFile {
  std::string path;
  std::string output;  // its name below the folder
  std::string format;  // what the file is, for who reads its shards; empty: found out by the reader
  bool is_compressed = false;
  std::uint64_t size = 0;
  std::int64_t changed = 0;   // see Manifest
  std::vector<Shard> shards;  // all of it; one where it cannot be cut
};

struct FolderOptions {
  std::string folder;
  std::vector<Manifest::Setting> settings;  // all that the outputs depend on, beside the inputs
  bool overwrite = false;                   // what is there
  // How large shards are, as far as that can be chosen; for the order of the tasks.
  std::uint64_t shard_bytes = 1;
};

// Files that are made into others, one each, in a folder: what is there to do, what is done already, and how
// it is put together. The work is dealt out in tasks: a file, or a shard of one.
//
// A task writes a part, a file in the folder `.copse-parts`, which appears when it is complete. When all
// parts of an output are there, they are put together under its name: outputs are always complete. So a run
// that was stopped, however, goes on where it was: a second one with the same settings does only what is
// missing. `copse-parse.jsonl` is the manifest that it goes by.
class FolderJob {
 public:
  struct Task {
    std::size_t file;
    std::size_t shard;
  };

  // Collective. Rank 0 looks at the folder, and calls `find_files`; the others hear from it what there is to
  // do. Throws DataError before anything is changed for two files of one name, outputs that would overwrite
  // an input or what nobody knows of, and for a folder that was begun with other settings.
  FolderJob(Team& team, FolderOptions options, const std::function<std::vector<CorpusFile>()>& find_files);

  const std::vector<CorpusFile>& files() const { return files_; }
  // What is to be done, most expensive first.
  std::size_t tasks() const { return tasks_.size(); }
  const CorpusFile& file_of(std::size_t task) const { return files_[tasks_[task].file]; }
  const Shard& shard_of(std::size_t task) const { return file_of(task).shards[tasks_[task].shard]; }
  bool is_whole_file(std::size_t task) const { return file_of(task).shards.size() == 1; }
  // How much of the work is done, about, when all tasks before this one are.
  double share_before(std::size_t task) const;
  // Of all files: these were complete before.
  std::size_t complete_before() const { return complete_before_; }

  // Where a task writes.
  std::string part_path(std::size_t task) const;
  // After it has written: makes the output appear if this was its last part.
  void finish_task(std::size_t task);
  // Collective, after the last task: puts together what is left.
  void finish();

 private:
  // By rank 0 alone.
  void begin(const std::function<std::vector<CorpusFile>()>& find_files);
  void remove_old_outputs() const;
  void compare_with(const Manifest& manifest) const;
  void remove_leftovers(const Manifest& before) const;
  void make_folders() const;
  void find_tasks();
  void share_plan();
  void expect_manifest() const;
  void remove_empty_folders() const;

  std::string output_path(const CorpusFile& file) const { return options_.folder + "/" + file.output; }
  std::string parts_folder() const { return options_.folder + "/.copse-parts"; }
  std::string part_stem(const CorpusFile& file) const { return parts_folder() + "/" + file.output; }
  std::string part_path(const CorpusFile& file, std::size_t shard) const;
  std::string join_mark(const CorpusFile& file) const { return part_stem(file) + ".joining"; }
  std::string manifest_path() const { return options_.folder + "/copse-parse.jsonl"; }
  std::uint64_t weight(const Task& task) const;
  bool all_parts_are_there(std::size_t file);
  void make_output(const CorpusFile& file) const;
  void put_together(const CorpusFile& file) const;

  Team* team_;
  FolderOptions options_;
  std::vector<CorpusFile> files_;
  std::vector<Task> tasks_;
  std::vector<std::int64_t> made_;            // 1 for files whose output this process knows to be complete
  std::vector<std::size_t> parts_seen_;       // of every file, from the first on
  std::vector<std::uint64_t> weight_before_;  // each task, and at the end of all
  std::size_t complete_before_ = 0;
  std::string manifest_;  // as text
};

// Throws DataError if two outputs have the same name, or an output is one of the inputs.
void expect_own_names(const std::string& folder, const std::vector<CorpusFile>& files);

}  // namespace copse
