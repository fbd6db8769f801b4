#include "corpus/folder_job.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include "copse/error.h"
#include "copse/setting_error.h"
#include "io/byte_source.h"
#include "io/bytes.h"
#include "io/output_file.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

// What decompression makes of a byte, about; text shrinks to a third.
constexpr std::uint64_t kDecompressedBytes = 3;

constexpr std::string_view kShard = ".shard-";

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path, error)) {
    throw SettingError(fmt::format("{}: cannot make this folder: {}; choose another", path,
                                   error ? error.message() : "there is a file of that name"),
                       "output");
  }
}

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) == 0) return;
  throw DataError(to + ": cannot write: " + std::generic_category().message(errno) +
                  "; check the path, its permissions and the free space");
}

// What another machine has written may be seen some seconds later: file systems of networks keep for a while
// what they know of folders.
bool comes_into_sight(const std::string& path) {
  constexpr auto kLongest = std::chrono::seconds(60);
  const auto start = std::chrono::steady_clock::now();
  while (!exists(path)) {
    if (std::chrono::steady_clock::now() - start > kLongest) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return true;
}

void write_plan(const std::vector<CorpusFile>& files, ByteWriter& out) {
  out.u64(files.size());
  for (const CorpusFile& file : files) {
    out.text(file.path);
    out.text(file.output);
    out.text(file.format);
    out.u8(file.is_compressed ? 1 : 0);
    out.u64(file.size);
    out.u64(file.shards.size());
    for (const Shard& shard : file.shards) {
      out.u64(shard.begin);
      out.u64(shard.end);
      out.u8(shard.continues_paragraph ? 1 : 0);
    }
  }
}

std::vector<CorpusFile> read_plan(ByteReader& in) {
  std::vector<CorpusFile> files(in.count(1));
  for (CorpusFile& file : files) {
    file.path = in.text();
    file.output = in.text();
    file.format = in.text();
    file.is_compressed = in.u8() != 0;
    file.size = in.u64();
    file.shards.resize(in.count(1));
    for (Shard& shard : file.shards) {
      shard.begin = in.u64();
      shard.end = in.u64();
      shard.continues_paragraph = in.u8() != 0;
    }
  }
  return files;
}

Manifest::Output manifest_entry(const CorpusFile& file) {
  std::error_code error;
  const fs::path input = fs::canonical(file.path, error);
  return {file.output, error ? file.path : input.string(), file.size, file.changed};
}

}  // namespace

void expect_own_names(const std::string& folder, const std::vector<CorpusFile>& files) {
  std::map<std::string_view, std::string_view> inputs;  // by output
  std::set<fs::path> read;
  for (const CorpusFile& file : files) {
    std::error_code error;
    read.insert(fs::canonical(file.path, error));
    const auto [other, is_new] = inputs.emplace(file.output, file.path);
    if (is_new) continue;
    throw DataError(fmt::format("{} and {} would both become {}/{}; parse them into different folders",
                                other->second, file.path, folder, file.output));
  }
  for (const CorpusFile& file : files) {
    std::error_code error;
    const fs::path output = fs::weakly_canonical(fs::path(folder) / file.output, error);
    if (!read.contains(output)) continue;
    throw SettingError(
        fmt::format("{}/{} would be overwritten, and is read, too; give another folder", folder, file.output),
        "output");
  }
}

FolderJob::FolderJob(Team& team, FolderOptions options,
                     const std::function<std::vector<CorpusFile>()>& find_files)
    : team_(&team), options_(std::move(options)) {
  while (options_.folder.size() > 1 && options_.folder.ends_with('/')) options_.folder.pop_back();
  if (team.leads()) begin(find_files);
  share_plan();
  if (!team.leads()) expect_manifest();
  weight_before_ = {0};
  for (const Task& task : tasks_) weight_before_.push_back(weight_before_.back() + weight(task));
  parts_seen_.assign(files_.size(), 0);
}

void FolderJob::begin(const std::function<std::vector<CorpusFile>()>& find_files) {
  const bool is_begun = exists(manifest_path()) && !options_.overwrite;
  Manifest manifest = is_begun ? Manifest::load(manifest_path()) : Manifest();
  if (is_begun) {
    const std::vector<std::string> differing = manifest.differing(options_.settings);
    if (!differing.empty()) {
      throw SettingError(
          fmt::format(
              "{}: was begun with another {}; give another folder or the same settings, or overwrite it",
              options_.folder, fmt::join(differing, ", ")),
          "overwrite");
    }
  }
  files_ = find_files();
  expect_own_names(options_.folder, files_);
  if (options_.overwrite) {
    remove_old_outputs();
  } else {
    compare_with(manifest);
  }
  make_folders();
  remove_leftovers(manifest);
  find_tasks();
  manifest.set(options_.settings);
  for (const CorpusFile& file : files_) manifest.put(manifest_entry(file));
  manifest.save(manifest_path());
  manifest_ = manifest.text();
}

void FolderJob::remove_old_outputs() const {
  std::error_code error;
  fs::remove(manifest_path(), error);
  fs::remove_all(parts_folder(), error);
  for (const CorpusFile& file : files_) fs::remove(output_path(file), error);
}

void FolderJob::compare_with(const Manifest& manifest) const {
  for (const CorpusFile& file : files_) {
    if (!exists(output_path(file))) continue;
    const std::string output = output_path(file);
    switch (manifest.find(manifest_entry(file))) {
      case Manifest::Known::same:
        break;
      case Manifest::Known::changed:
        throw SettingError(
            fmt::format("{}: was made of something else than {} is now; remove it to have it made again, or "
                        "overwrite everything",
                        output, file.path),
            "overwrite");
      case Manifest::Known::no:
        throw SettingError(output + ": is there already; give another folder, or overwrite it", "overwrite");
    }
  }
}

// What a run that was killed has left half-done, and parts of what these files were before they were changed.
void FolderJob::remove_leftovers(const Manifest& before) const {
  std::set<std::string> stems;
  std::set<std::string> good;
  for (const CorpusFile& file : files_) {
    stems.insert(part_stem(file));
    if (before.find(manifest_entry(file)) != Manifest::Known::same) continue;
    for (std::size_t shard = 0; shard < file.shards.size(); ++shard) good.insert(part_path(file, shard));
  }
  std::error_code error;
  std::vector<fs::path> leftovers;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(parts_folder(), error)) {
    const std::string path = entry.path().string();
    const std::size_t shard = path.rfind(kShard);
    const bool is_part = shard != std::string::npos && path.find(".tmp-", shard) == std::string::npos;
    const bool is_useless = !is_part || (stems.contains(path.substr(0, shard)) && !good.contains(path));
    if (entry.is_regular_file(error) && is_useless) leftovers.push_back(entry.path());
  }
  for (const fs::path& path : leftovers) fs::remove(path, error);
}

void FolderJob::make_folders() const {
  std::set<std::string> folders = {""};
  for (const CorpusFile& file : files_) folders.insert(fs::path(file.output).parent_path().string());
  for (const std::string& folder : folders) {
    make_folder(options_.folder + "/" + folder);
    make_folder(parts_folder() + "/" + folder);
  }
}

void FolderJob::find_tasks() {
  for (std::size_t k = 0; k < files_.size(); ++k) {
    const CorpusFile& file = files_[k];
    made_.push_back(exists(output_path(file)) ? 1 : 0);
    if (made_[k] > 0) continue;
    for (std::size_t shard = 0; shard < file.shards.size(); ++shard) {
      if (!exists(part_path(file, shard))) tasks_.push_back({k, shard});
    }
  }
  complete_before_ = static_cast<std::size_t>(std::count(made_.begin(), made_.end(), 1));
  // Shards are all about as large: files are complete one after the other, and not all at the end.
  std::stable_sort(tasks_.begin(), tasks_.end(),
                   [&](const Task& a, const Task& b) { return weight(a) > weight(b); });
}

std::uint64_t FolderJob::weight(const Task& task) const {
  const CorpusFile& file = files_[task.file];
  const Shard& shard = file.shards[task.shard];
  const std::uint64_t bytes = (shard.end - shard.begin) * (file.is_compressed ? kDecompressedBytes : 1);
  const bool is_usual = file.shards.size() > 1 && bytes < 2 * options_.shard_bytes;
  return is_usual ? options_.shard_bytes : bytes;
}

double FolderJob::share_before(std::size_t task) const {
  const std::uint64_t all = weight_before_.back();
  return all == 0 ? 1.0 : static_cast<double>(weight_before_[task]) / static_cast<double>(all);
}

void FolderJob::share_plan() {
  if (team_->is_alone()) return;
  ByteWriter out;
  if (team_->leads()) {
    write_plan(files_, out);
    std::vector<std::uint64_t> numbers;
    for (const Task& task : tasks_) numbers.insert(numbers.end(), {task.file, task.shard});
    out.numbers<std::uint64_t>(numbers);
    out.u64(complete_before_);
    out.text(manifest_);
  }
  std::vector<std::byte> bytes = out.take();
  team_->share(bytes);
  if (team_->leads()) return;
  ByteReader in(bytes, "what rank 0 says");
  files_ = read_plan(in);
  const std::vector<std::uint64_t> numbers = in.numbers<std::uint64_t>();
  for (std::size_t k = 0; k + 1 < numbers.size(); k += 2) tasks_.push_back({numbers[k], numbers[k + 1]});
  complete_before_ = in.u64();
  made_.assign(files_.size(), 0);
  manifest_ = in.text();
}

void FolderJob::expect_manifest() const {
  if (comes_into_sight(manifest_path()) && Manifest::load(manifest_path()).text() == manifest_) return;
  throw DataError(options_.folder +
                  ": is not the folder that rank 0 writes to; give a folder that all machines share");
}

std::string FolderJob::part_path(const CorpusFile& file, std::size_t shard) const {
  return fmt::format("{}{}{}-of-{}", part_stem(file), kShard, shard + 1, file.shards.size());
}

std::string FolderJob::part_path(std::size_t task) const {
  return part_path(file_of(task), tasks_[task].shard);
}

// Each part is looked for until it has been seen once.
bool FolderJob::all_parts_are_there(std::size_t file) {
  std::size_t& seen = parts_seen_[file];
  const CorpusFile& whole = files_[file];
  while (seen < whole.shards.size() && exists(part_path(whole, seen))) ++seen;
  return seen == whole.shards.size();
}

void FolderJob::finish_task(std::size_t task) {
  const CorpusFile& file = file_of(task);
  const std::size_t number = tasks_[task].file;
  if (!is_whole_file(task)) {
    if (!all_parts_are_there(number)) return;
    // Several processes may see that: the one that makes the mark, which stays until the end, goes on.
    const int mark = ::open(join_mark(file).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (mark < 0) return;
    ::close(mark);
  }
  make_output(file);
  made_[number] = 1;
}

void FolderJob::put_together(const CorpusFile& file) const {
  const std::string joined = part_stem(file) + ".joined";
  {
    OutputFile out(joined);
    std::vector<char> buffer(std::size_t{1} << 20);
    for (std::size_t shard = 0; shard < file.shards.size(); ++shard) {
      const std::string part = part_path(file, shard);
      comes_into_sight(part);  // else, the opening says what is wrong
      const std::unique_ptr<ByteSource> in = open_file(part);
      while (const std::size_t count = in->read(buffer)) out.write({buffer.data(), count});
    }
    out.close();
  }
  rename_file(joined, output_path(file));
  std::error_code error;
  for (std::size_t shard = 0; shard < file.shards.size(); ++shard) fs::remove(part_path(file, shard), error);
}

void FolderJob::finish() {
  team_->add_up(made_);  // from here on, all parts are there
  std::size_t number = 0;
  for (std::size_t k = 0; k < files_.size(); ++k) {
    if (made_[k] == 0 && is_own(*team_, number++)) make_output(files_[k]);
  }
  team_->sum(0);  // now, all outputs are
  if (team_->leads()) remove_empty_folders();
}

void FolderJob::make_output(const CorpusFile& file) const {
  if (file.shards.size() == 1) {
    rename_file(part_path(file, 0), output_path(file));
  } else {
    put_together(file);
  }
}

// Parts of files that this run had nothing to do with stay.
void FolderJob::remove_empty_folders() const {
  std::error_code error;
  for (const CorpusFile& file : files_) fs::remove(join_mark(file), error);
  std::vector<fs::path> folders = {parts_folder()};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(parts_folder(), error)) {
    if (entry.is_directory(error)) folders.push_back(entry.path());
  }
  std::sort(folders.rbegin(), folders.rend());  // inner ones first
  for (const fs::path& folder : folders) fs::remove(folder, error);
}

}  // namespace copse
