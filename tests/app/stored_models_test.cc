// Models that were stored once give the same bytes ever after: those in the box, and small ones of earlier
// versions. README.md in stored_models/ says how these were made, and what to do about a difference.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "app/program.h"

namespace copse::testing {
namespace {

class StoredModels : public ProgramTest {
 protected:
  using Path = std::filesystem::path;

  void SetUp() override {
    ProgramTest::SetUp();
    const char* models = std::getenv("COPSE_MODELS");
    if (models == nullptr) GTEST_SKIP() << "COPSE_MODELS does not say where the sources are";
    sources_ = Path(models).lexically_normal().parent_path();
  }

  // By name; `folder` is one of the sources.
  std::vector<Path> models_in(const std::string& folder) const {
    std::vector<Path> found;
    for (const auto& entry : std::filesystem::directory_iterator(sources_ / folder)) {
      if (entry.path().extension() == ".copse") found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  // Runs everything that the model can do.
  void expect_stored_output(const Path& model) const {
    const std::string name = model.lexically_relative(sources_).string();
    SCOPED_TRACE(name);
    const Outcome info = run("info --json '" + model.string() + "'");
    ASSERT_EQ(info.status, 0) << info.errors;
    const Path folder = sources_ / "tests/app/expected" / model.stem();
    const bool is_written = std::getenv("COPSE_WRITE_EXPECTED") != nullptr;
    if (is_written) std::filesystem::create_directories(folder);
    for (const auto& [file, command] : commands(nlohmann::json::parse(info.output))) {
      const Path expected = folder / file;
      const bool is_there = std::filesystem::exists(expected);
      if (!is_there && !is_written) {
        FAIL() << name << " has no " << expected.lexically_relative(sources_).string()
               << ": write it with GTEST_FILTER='StoredModels.*' COPSE_WRITE_EXPECTED=1 ctest --preset "
                  "release -R "
                  "app_tests, read it, and commit it";
      }
      const Outcome outcome = run(command + " --model '" + model.string() + "'");
      ASSERT_EQ(outcome.status, 0) << command << ": " << outcome.errors;
      if (is_there) {
        EXPECT_EQ(outcome.output, content(expected)) << command;
      } else {
        std::ofstream(expected, std::ios::binary) << outcome.output;
      }
    }
  }

 private:
  // Names of files and what writes them, up to the model.
  std::vector<std::pair<std::string, std::string>> commands(const nlohmann::json& info) const {
    const bool reads_text = info.contains("segmenter") && info["segmenter"] != false;
    const Path input =
        sources_ / (reads_text ? "samples/text.txt" : "tests/app/stored_models/sentences.conllu");
    const std::string file = "'" + input.string() + "'";
    if (info.contains("factorization")) {
      return {{"plain.conllu", "parse " + file},
              {"probabilities.conllu", "parse " + file + " --probabilities"},
              {"kbest5.conllu", "parse " + file + " --kbest 5"}};
    }
    if (reads_text) return {{"segmented.conllu", "segment " + file}};
    return {{"tagged.conllu", "tag " + file},
            {"tag_probabilities.conllu", "tag " + file + " --probabilities"}};
  }

  static std::string content(const Path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  Path sources_;
};

TEST_F(StoredModels, InTheBoxGiveTheSameBytes) {
  for (const Path& model : models_in("models")) expect_stored_output(model);
}

TEST_F(StoredModels, OfEarlierVersionsGiveTheSameBytes) {
  const std::vector<Path> models = models_in("tests/app/stored_models");
  EXPECT_GE(models.size(), 8U);
  for (const Path& model : models) expect_stored_output(model);
}

}  // namespace
}  // namespace copse::testing
