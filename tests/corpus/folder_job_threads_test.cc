// Files that are made into others by the processes of a team, which are threads here. What is made is simple:
// the bytes of a shard in capital letters.
#include <gtest/gtest.h>

#include <cctype>

#include "corpus/folder_job.h"
#include "io/byte_source.h"
#include "io/output_file.h"
#include "io/temporary_folder.h"
#include "parallel/task_dealer.h"
#include "parallel/thread_team.h"
#include "treebank/conll_helpers.h"

namespace copse::testing {
namespace {

namespace fs = std::filesystem;

class FolderJobs : public TemporaryFolderTest {
 protected:
  FolderJobs() {
    fs::create_directories(path("in/deep"));
    add("large", 40);
    add("deep/larger", 60);
    for (const char* name : {"one", "two", "three"}) add(name, 1);
    write(path("in/empty"), "");
    names_.emplace_back("empty");
  }

  void add(const std::string& name, int lines) {
    std::string text;
    for (int k = 0; k < lines; ++k) text += name + " " + std::to_string(k) + "\n";
    write(path("in/" + name), text);
    names_.push_back(name);
  }

  std::vector<CorpusFile> find() const {
    std::vector<CorpusFile> files;
    for (const std::string& name : names_) {
      CorpusFile file;
      file.path = path("in/" + name);
      file.output = name + ".out";
      file.size = fs::file_size(file.path);
      file.changed = fs::last_write_time(file.path).time_since_epoch().count();
      file.shards = cut_into_shards(file.path, CutPlaces::lines, file.size, kShardBytes);
      files.push_back(file);
    }
    return files;
  }

  FolderOptions options(const std::string& model = "a") const {
    FolderOptions options;
    options.folder = path("out/");
    options.settings = {{"--model", model}, {"--kbest", "3"}};
    options.shard_bytes = kShardBytes;
    return options;
  }

  // Returns the number of tasks that were done. Who gets one more than `most` fails.
  std::size_t run(int ranks, const FolderOptions& how, std::size_t most = 1000) {
    std::atomic<std::size_t> begun = 0;
    std::mutex mutex;
    std::unique_ptr<LocalDealer> dealer;
    run_team(ranks, [&](Team& team) {
      FolderJob job(team, how, [&] { return find(); });
      {
        const std::scoped_lock lock(mutex);
        if (!dealer) dealer = std::make_unique<LocalDealer>(job.tasks());
      }
      while (const std::optional<std::size_t> task = dealer->next()) {
        if (begun.fetch_add(1) >= most) throw DataError("the disk is full");
        do_task(job, *task);
      }
      job.finish();
      complete_before_ = job.complete_before();
    });
    return begun;
  }

  static void do_task(FolderJob& job, std::size_t task) {
    const Shard& shard = job.shard_of(task);
    const std::unique_ptr<ByteSource> in = open_file_part(job.file_of(task).path, shard.begin, shard.end);
    OutputFile out(job.part_path(task));
    std::vector<char> buffer(100);
    while (const std::size_t count = in->read(buffer)) {
      for (char& c : buffer) c = static_cast<char>(std::toupper(c));
      out.write({buffer.data(), count});
    }
    out.close();
    job.finish_task(task);
  }

  void expect_complete() const {
    for (const std::string& name : names_) {
      std::string text = content(path("in/" + name));
      for (char& c : text) c = static_cast<char>(std::toupper(c));
      ASSERT_TRUE(fs::exists(path("out/" + name + ".out"))) << name;
      EXPECT_EQ(content(path("out/" + name + ".out")), text) << name;
    }
    EXPECT_FALSE(fs::exists(path("out/.copse-parts")));
    EXPECT_TRUE(fs::exists(path("out/copse-parse.jsonl")));
  }
  std::size_t outputs() const {
    std::size_t count = 0;
    for (const std::string& name : names_) count += fs::exists(path("out/" + name + ".out")) ? 1 : 0;
    return count;
  }

  static constexpr std::uint64_t kShardBytes = 50;
  std::vector<std::string> names_;
  std::atomic<std::size_t> complete_before_ = 0;
};

TEST_F(FolderJobs, TeamsOfAnySizeMakeTheSame) {
  for (const int ranks : {1, 2, 3, 7}) {
    SCOPED_TRACE(ranks);
    fs::remove_all(path("out"));
    const std::size_t tasks = run(ranks, options());
    EXPECT_GT(tasks, 20U);
    EXPECT_EQ(complete_before_, 0U);
    expect_complete();
    EXPECT_EQ(run(ranks, options()), 0U);
    EXPECT_EQ(complete_before_, names_.size());
    expect_complete();
  }
}

TEST_F(FolderJobs, MissingOutputsAreMadeAgain) {
  run(2, options());
  fs::remove(path("out/two.out"));
  EXPECT_EQ(run(3, options()), 1U);
  EXPECT_EQ(complete_before_, names_.size() - 1);
  expect_complete();
  add("four", 2);
  EXPECT_EQ(run(1, options()), 1U);
  expect_complete();
}

// However far a run came, the next one with any number of processes does the rest, and only that.
TEST_F(FolderJobs, RunsThatFailedGoOn) {
  const std::size_t all = run(1, options());
  const std::string manifest = content(path("out/copse-parse.jsonl"));
  std::set<std::size_t> counts;
  for (std::size_t most = 0; most <= all; ++most) {
    SCOPED_TRACE(most);
    fs::remove_all(path("out"));
    const int ranks = 1 + static_cast<int>(most % 3);
    EXPECT_EQ(error_of([&] { run(ranks, options(), most); }), most < all ? "the disk is full" : "no error");
    counts.insert(outputs());
    // Half-written files that nobody could remove.
    fs::create_directories(path("out/.copse-parts"));
    write(path("out/.copse-parts/one.out.shard-1-of-1.tmp-77-0"), "half");
    write(path("out/.copse-parts/large.out.joining"), "");
    write(path("out/.copse-parts/large.out.joined"), "half");
    EXPECT_EQ(run(4 - ranks, options()), all - most);
    expect_complete();
    EXPECT_EQ(content(path("out/copse-parse.jsonl")), manifest);
  }
  EXPECT_GT(counts.size(), 3U);  // outputs appear one after the other
}

TEST_F(FolderJobs, OtherSettingsAreRefused) {
  run(1, options());
  for (const int ranks : {1, 3}) {
    EXPECT_EQ(error_of([&] { run(ranks, options("b")); }),
              path("out") +
                  ": was begun with another --model; give another folder or the same settings, or overwrite "
                  "it");
  }
  expect_complete();
  FolderOptions again = options("b");
  again.overwrite = true;
  const std::size_t tasks = run(2, again);
  EXPECT_GT(tasks, 20U);
  expect_complete();
  EXPECT_EQ(run(1, options("b")), 0U);
}

// Old outputs are no outputs of a run that begins again.
TEST_F(FolderJobs, WhatIsOverwrittenIsNotTakenForComplete) {
  const std::size_t all = run(1, options());
  write(path("out/one.out"), "old");
  FolderOptions again = options("b");
  again.overwrite = true;
  EXPECT_THROW(run(1, again, 0), DataError);
  EXPECT_EQ(outputs(), 0U);
  EXPECT_EQ(run(1, options("b")), all);
  expect_complete();
}

TEST_F(FolderJobs, InputsThatHaveChanged) {
  run(1, options());
  write(path("in/one"), "something else\n");
  EXPECT_EQ(error_of([&] { run(1, options()); }),
            path("out/one.out") + ": was made of something else than " + path("in/one") +
                " is now; remove it to have it made again, or overwrite everything");
  fs::remove(path("out/one.out"));
  EXPECT_EQ(run(1, options()), 1U);
  expect_complete();
  // Parts of what a file was before are of no use.
  fs::remove_all(path("out"));
  EXPECT_THROW(run(1, options(), 10), DataError);
  const std::size_t parts = find()[1].shards.size();
  write(path("in/deep/larger"), content(path("in/deep/larger")) + "more\n" + content(path("in/deep/larger")));
  EXPECT_GT(run(2, options()), 2 * parts - 2);
  expect_complete();
}

TEST_F(FolderJobs, NothingOfOthersIsOverwritten) {
  fs::create_directories(path("out"));
  write(path("out/two.out"), "mine");
  EXPECT_EQ(error_of([&] { run(1, options()); }),
            path("out/two.out") + ": is there already; give another folder, or overwrite it");
  EXPECT_EQ(content(path("out/two.out")), "mine");
  EXPECT_FALSE(fs::exists(path("out/copse-parse.jsonl")));

  std::vector<CorpusFile> files = find();
  files[1].output = files[0].output;
  EXPECT_EQ(error_of([&] { expect_own_names(path("out"), files); }),
            path("in/large") + " and " + path("in/deep/larger") + " would both become " +
                path("out/large.out") + "; parse them into different folders");
  files = find();
  files[0].output = "large";
  EXPECT_EQ(error_of([&] { expect_own_names(path("in"), files); }),
            path("in/large") + " would be overwritten, and is read, too; give another folder");
}

TEST_F(FolderJobs, PartsOfOtherFilesStay) {
  EXPECT_THROW(run(1, options(), 10), DataError);
  const std::vector<std::string> all = std::exchange(names_, {"one"});
  const std::string manifest = content(path("out/copse-parse.jsonl"));
  EXPECT_EQ(run(1, options()), 1U);
  EXPECT_EQ(content(path("out/copse-parse.jsonl")), manifest);
  EXPECT_TRUE(fs::exists(path("out/.copse-parts")));
  names_ = all;
  run(2, options());
  expect_complete();
}

TEST_F(FolderJobs, LargeTasksComeFirst) {
  FolderJob job(Team::alone(), options(), [&] { return find(); });
  EXPECT_EQ(job.share_before(0), 0.0);
  EXPECT_EQ(job.share_before(job.tasks()), 1.0);
  bool is_cut = true;
  for (std::size_t task = 0; task < job.tasks(); ++task) {
    EXPECT_LE(job.share_before(task), job.share_before(task + 1));
    // Shards of one file after the other, and then files that are not cut, large ones first.
    EXPECT_TRUE(is_cut || job.is_whole_file(task));
    is_cut = !job.is_whole_file(task);
    if (task > 0 && !is_cut) {
      const auto size = [&](std::size_t t) { return job.shard_of(t).end - job.shard_of(t).begin; };
      EXPECT_TRUE(!job.is_whole_file(task - 1) || size(task - 1) >= size(task));
    }
  }
}

// Each machine may have a folder of that name for itself.
TEST_F(FolderJobs, ProcessesMustSeeTheSameFolder) {
  fs::create_directories(path("elsewhere"));
  Manifest().save(path("elsewhere/copse-parse.jsonl"));
  const std::string message = error_of([&] {
    run_team(2, [&](Team& team) {
      FolderOptions how = options();
      if (!team.leads()) how.folder = path("elsewhere");
      FolderJob job(team, how, [&] { return find(); });
      job.finish();
    });
  });
  EXPECT_EQ(message, path("elsewhere") +
                         ": is not the folder that rank 0 writes to; give a folder that all machines share");
}

}  // namespace
}  // namespace copse::testing
