#include "optimisers/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "copse/error.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "iteration-";
constexpr std::string_view kFormatSection = "format";

// The number in "iteration-12", 0 for other names.
int iteration_of(const std::string& name) {
  int number = 0;
  if (name.starts_with(kPrefix)) {
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, number);
    if (error != std::errc() || stop != end || number < 1) return 0;
  }
  return number;
}

void add_format(SectionFileWriter& file) {
  ByteWriter format;
  format.u32(kCheckpointFormat);
  file.add(kFormatSection, format.take());
}

}  // namespace

CheckpointFolder::CheckpointFolder(std::string path, std::uint64_t run, Team& team)
    : path_(std::move(path)), run_(run), team_(&team) {
  if (path_.empty() || !team_->leads()) return;
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw DataError(fmt::format("{}: cannot make this folder: {}", path_, error.message()));
}

std::string CheckpointFolder::iteration_path(int iteration) const {
  return fmt::format("{}/{}{}", path_, kPrefix, iteration);
}

std::string CheckpointFolder::best_path() const { return path_ + "/best"; }

SectionFile CheckpointFolder::open(const std::string& path) const {
  SectionFile file = SectionFile::open(path);
  const std::uint32_t format = file.has(kFormatSection) ? file.reader(kFormatSection).u32() : 0;
  if (format != kCheckpointFormat) {
    throw DataError(fmt::format(
        "{}: was written by another version of Copse (format {} of checkpoints, this one has {}); finish "
        "the run with that version, or remove {} to start afresh",
        path, format, kCheckpointFormat, path_));
  }
  if (file.reader("run").u64() != run_) {
    throw DataError(fmt::format(
        "{}: is of a training run with other data or options; take these, or remove {} to start afresh", path,
        path_));
  }
  return file;
}

int CheckpointFolder::last_iteration() const {
  int last = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_)) {
    last = std::max(last, iteration_of(entry.path().filename().string()));
  }
  return last;
}

// A file of the leading process, for everybody.
SectionFile CheckpointFolder::share(const std::string& path) const {
  if (team_->is_alone()) return open(path);
  std::vector<std::byte> bytes;
  if (team_->leads()) {
    const SectionFile file = open(path);
    bytes.assign(file.bytes().begin(), file.bytes().end());
  }
  team_->share(bytes);
  return SectionFile::from_bytes(bytes, path);
}

RunState CheckpointFolder::restore(Learner& learner, BestWeights& best) const {
  if (path_.empty()) return {};
  const auto last = static_cast<int>(team_->sum(team_->leads() ? last_iteration() : 0));
  if (last == 0) return {};
  std::vector<SectionFile> files;
  for (int k = std::max(1, last - learner.checkpoints() + 1); k <= last; ++k) {
    files.push_back(share(iteration_path(k)));
  }
  ByteReader run = files.back().reader("run");
  run.u64();
  RunState restored{last, run.u8() != 0, {}};
  const std::vector<std::int32_t> iterations = run.numbers<std::int32_t>();
  const std::vector<double> scores = run.numbers<double>();
  if (iterations.size() != scores.size()) run.fail("has evaluations without a score");
  run.expect_end();
  for (std::size_t k = 0; k < scores.size(); ++k) restored.evaluations.push_back({iterations[k], scores[k]});
  learner.restore(files);
  if (!team_->any(team_->leads() && fs::exists(best_path()))) return restored;
  const SectionFile file = share(best_path());
  ByteReader reader = file.reader("best");
  BestWeights saved;
  saved.iteration = reader.i32();
  saved.score = reader.f64();
  reader.expect_end();
  const auto weights = file.numbers<float>("weights");
  saved.weights.assign(weights.begin(), weights.end());
  // A run can be cut off after the weights were written, and before their iteration counted.
  if (saved.iteration <= last) best = std::move(saved);
  return restored;
}

void CheckpointFolder::save(const RunState& state, Learner& learner) const {
  if (path_.empty()) return;
  learner.prepare_save();
  if (!team_->leads()) return;
  std::vector<std::int32_t> iterations;
  std::vector<double> scores;
  for (const Evaluation& evaluation : state.evaluations) {
    iterations.push_back(evaluation.iteration);
    scores.push_back(evaluation.score);
  }
  SectionFileWriter file(iteration_path(state.iteration));
  ByteWriter run;
  run.u64(run_);
  run.u8(state.has_ended ? 1 : 0);
  run.numbers(std::span<const std::int32_t>(iterations));
  run.numbers(std::span<const double>(scores));
  file.add("run", run.take());
  add_format(file);
  learner.save(file);
  file.close();
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored)) {
    const int iteration = iteration_of(entry.path().filename().string());
    if (iteration > 0 && iteration <= state.iteration - learner.checkpoints()) {
      fs::remove(entry.path(), ignored);
    }
  }
}

void CheckpointFolder::save_best(const BestWeights& best) const {
  if (path_.empty() || !team_->leads()) return;
  SectionFileWriter file(best_path());
  ByteWriter run;
  run.u64(run_);
  file.add("run", run.take());
  add_format(file);
  ByteWriter state;
  state.i32(best.iteration);
  state.f64(best.score);
  file.add("best", state.take());
  file.add_numbers("weights", best.weights);
  file.close();
}

void CheckpointFolder::clear() const {
  if (path_.empty() || !team_->leads()) return;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored)) {
    // A run that was killed while it wrote leaves a file that is not whole yet (OutputFile).
    const std::string file = entry.path().filename().string();
    const std::string name = file.substr(0, file.find(".tmp-"));
    if (iteration_of(name) > 0 || name == "best") fs::remove(entry.path(), ignored);
  }
}

void CheckpointFolder::remove() const {
  clear();
  if (!team_->leads()) return;
  std::error_code ignored;
  fs::remove(path_, ignored);  // fails if something is left
}

}  // namespace copse
