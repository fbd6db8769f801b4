#include "model/parser_model.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "inference/parts.h"
#include "inference/test_settings.h"
#include "io/temporary_folder.h"
#include "model/model_property.h"
#include "treebank/conll_helpers.h"

namespace copse {
namespace {

using testing::kFactorizations;
using testing::kRootModes;

RoundedWeights random_weights(std::mt19937_64& random, std::size_t count) {
  std::vector<std::uint64_t> hashes(count);
  std::vector<float> weights(count);
  for (std::size_t k = 0; k < count; ++k) {
    hashes[k] = random();
    weights[k] = std::normal_distribution<float>()(random);
  }
  return round_weights(hashes, weights, WeightPrecision());
}

FeatureOptions random_options(std::mt19937_64& random) {
  FeatureOptions options;
  options.set = static_cast<FeatureSet>(random() % 3);
  options.coarse = static_cast<CoarseRule>(random() % 5);
  options.has_lemmas = random() % 2 == 0;
  options.has_feats = random() % 2 == 0;
  options.conjunction_tags.assign(random() % 3, "und");
  if (random() % 2 == 0) options.conjunction_tags.emplace_back("J^");
  options.left_out.assign(random() % 3, random());
  options.morphology.is_read = random() % 2 == 0;
  if (options.morphology.is_read) options.morphology.refinements.assign(random() % 3, {"N", "Case"});
  return options;
}

LinearModel random_linear_model(std::mt19937_64& random, Factorization factorization) {
  return {FeatureExtractor(random_options(random), factorization), random_weights(random, random() % 300)};
}

ParserModel random_model(std::mt19937_64& random, Factorization factorization, RootMode root) {
  ParserModel model(root, random_linear_model(random, factorization));
  for (std::size_t count = random() % 4; count > 0; --count) {
    model.add_fact("key " + std::to_string(count), count % 2 == 0 ? "" : "tab\t, Ünïcode");
  }
  if (random() % 2 == 0) {
    const double threshold = std::uniform_real_distribution<double>()(random);
    model.set_pruner(random_linear_model(random, Factorization::first), threshold);
  }
  return model;
}

void expect_equal(const LinearModel& actual, const LinearModel& expected) {
  EXPECT_EQ(actual.factorization(), expected.factorization());
  const FeatureOptions& options = actual.extractor().options();
  const FeatureOptions& wanted = expected.extractor().options();
  EXPECT_EQ(options.set, wanted.set);
  EXPECT_EQ(options.coarse, wanted.coarse);
  EXPECT_EQ(options.has_lemmas, wanted.has_lemmas);
  EXPECT_EQ(options.has_feats, wanted.has_feats);
  EXPECT_EQ(options.conjunction_tags, wanted.conjunction_tags);
  EXPECT_EQ(options.left_out, wanted.left_out);
  EXPECT_EQ(options.morphology, wanted.morphology);
  const RoundedWeights weights = actual.rounded_weights();
  const RoundedWeights expected_weights = expected.rounded_weights();
  EXPECT_EQ(weights.unit, expected_weights.unit);
  EXPECT_EQ(weights.hashes, expected_weights.hashes);
  EXPECT_EQ(weights.codes, expected_weights.codes);
}

void expect_equal(const ParserModel& actual, const ParserModel& expected) {
  EXPECT_EQ(actual.trees(), expected.trees());
  EXPECT_EQ(actual.factorization(), expected.factorization());
  EXPECT_EQ(actual.facts(), expected.facts());
  EXPECT_EQ(actual.prune_threshold(), expected.prune_threshold());
  expect_equal(actual.parser(), expected.parser());
  ASSERT_EQ(actual.pruner() == nullptr, expected.pruner() == nullptr);
  if (expected.pruner() != nullptr) expect_equal(*actual.pruner(), *expected.pruner());
}

class ModelTest : public TemporaryFolderTest {
 protected:
  std::string saved(const ParserModel& model) const {
    model.save(path("model"));
    return content(path("model"));
  }
  ParserModel small_model() const {
    std::mt19937_64 random = testing::case_generator(0);
    ParserModel model(RootMode::single, random_linear_model(random, Factorization::sibling),
                      {{"learner", "guess"}});
    model.set_pruner(random_linear_model(random, Factorization::first), 0.25);
    return model;
  }
};

TEST_F(ModelTest, ComesBackFromItsFile) {
  int number = 0;
  for (int round = 0; round < testing::scaled(4); ++round) {
    for (const Factorization factorization : kFactorizations) {
      for (const RootMode root : kRootModes) {
        SCOPED_TRACE(testing::case_name(number));
        std::mt19937_64 random = testing::case_generator(number++);
        const ParserModel model = random_model(random, factorization, root);
        const std::string bytes = saved(model);
        const ParserModel loaded = ParserModel::load(path("model"));
        expect_equal(loaded, model);
        EXPECT_EQ(saved(loaded), bytes) << "saved over the file that it lies in";
        EXPECT_EQ(model_violation(bytes_of(bytes)), std::nullopt);
      }
    }
  }
}

TEST_F(ModelTest, RemembersNonprojectiveTrees) {
  std::mt19937_64 random = testing::case_generator(0);
  for (const RootMode root : kRootModes) {
    const ParserModel model({root, TreeKind::nonprojective},
                            random_linear_model(random, Factorization::first));
    saved(model);
    const ParserModel loaded = ParserModel::load(path("model"));
    EXPECT_EQ(loaded.trees().kind, TreeKind::nonprojective);
    expect_equal(loaded, model);
  }
}

TEST_F(ModelTest, KeepsTheFileThatItsWeightsLieIn) {
  const ParserModel model = small_model();
  saved(model);
  std::optional<ParserModel> loaded = ParserModel::load(path("model"));
  std::filesystem::remove(path("model"));
  const ParserModel moved = std::move(*loaded);
  loaded.reset();
  expect_equal(moved, model);
}

TEST_F(ModelTest, IsNoOtherFile) {
  EXPECT_THROW(ParserModel::load(path("missing")), DataError);
  write(path("text"), "1\tword\t_\t_\t_\t_\t0\t_\t_\t_\n");
  EXPECT_THROW(ParserModel::load(path("text")), DataError);
  write(path("empty"), "");
  EXPECT_THROW(ParserModel::load(path("empty")), DataError);
  SectionFileWriter writer(path("other"));
  writer.add("weights", "something else");
  writer.close();
  EXPECT_NE(error_of([&] { ParserModel::load(path("other")); }).find("has no section 'settings'"),
            std::string::npos);
}

TEST_F(ModelTest, IsNotDamaged) {
  const std::string intact = saved(small_model());
  for (int number = 0; number < testing::scaled(300); ++number) {
    SCOPED_TRACE(testing::case_name(number));
    std::mt19937_64 random = testing::case_generator(number);
    const std::size_t place = random() % intact.size();
    const std::string truncated = intact.substr(0, place);
    std::string flipped = intact;
    flipped[place] = static_cast<char>(flipped[place] ^ 1 << random() % 8);
    for (const std::string& damaged : {truncated, flipped}) {
      EXPECT_THROW(ParserModel::from_file(SectionFile::from_bytes(bytes_of(damaged))), DataError);
      EXPECT_EQ(model_violation(bytes_of(damaged)), std::nullopt);
    }
  }
  write(path("truncated"), intact.substr(0, intact.size() / 2));
  EXPECT_THROW(ParserModel::load(path("truncated")), DataError);
}

// The sections of a model, to be written by a forger.
class Forgery {
 public:
  ByteWriter& section(const std::string& name) {
    for (auto& [known, writer] : sections_) {
      if (known == name) return writer;
    }
    return sections_.emplace_back(name, ByteWriter()).second;
  }
  // Starts a section again.
  ByteWriter& anew(const std::string& name) {
    section(name).take();
    return section(name);
  }
  void remove(const std::string& name) {
    std::erase_if(sections_, [&](const auto& entry) { return entry.first == name; });
  }
  std::vector<std::byte> file() const {
    NamedSections sections;
    for (const auto& [name, writer] : sections_) sections.emplace_back(name, writer.bytes());
    return forged_file(sections);
  }

 private:
  std::vector<std::pair<std::string, ByteWriter>> sections_;
};

void write_settings(ByteWriter& section, std::string_view root, double threshold, int has_pruner) {
  section.text(root);
  section.f64(threshold);
  section.u8(static_cast<std::uint8_t>(has_pruner));
}

void write_component(ByteWriter& section, std::string_view factorization, std::string_view set,
                     std::string_view coarse, std::uint32_t stated_tags = 1) {
  section.text(factorization);
  section.text(set);
  section.text(coarse);
  section.u8(1);
  section.u8(0);
  section.u32(stated_tags);
  section.text("CC");
  section.u64(0);
}

// A list with one feature.
void write_weights(ByteWriter& section, WeightCode code) {
  RoundedWeights list;
  list.hashes = {std::uint64_t{12345} << 40};
  list.codes = {code};
  encode_weights(list, section);
}

Forgery acceptable_forgery() {
  Forgery model;
  write_settings(model.section("settings"), "multi", 0.5, 1);
  model.section("facts").u32(1);
  model.section("facts").text("made by");
  model.section("facts").text("a forger");
  write_component(model.section("parser/settings"), "grandsibling", "rich", "treebank");
  write_weights(model.section("parser/weights"), 0x7FF);
  write_component(model.section("pruner/settings"), "first", "pruner", "none");
  write_weights(model.section("pruner/weights"), 0x880);
  return model;
}

// The message that a forgery is refused with, or "no error".
std::string refusal_of(const std::function<void(Forgery&)>& change) {
  Forgery model = acceptable_forgery();
  change(model);
  const std::vector<std::byte> file = model.file();
  EXPECT_EQ(model_violation(file), std::nullopt);
  return error_of([&] { ParserModel::from_file(SectionFile::from_bytes(file, "file")); });
}

void expect_refused(const std::string& part_of_message, const std::function<void(Forgery&)>& change) {
  const std::string message = refusal_of(change);
  EXPECT_NE(message.find(part_of_message), std::string::npos) << part_of_message << ": " << message;
}

TEST(ForgedModel, IsAcceptedIfNothingIsWrong) {
  EXPECT_EQ(refusal_of([](Forgery&) {}), "no error");
  const ParserModel model = ParserModel::from_file(SectionFile::from_bytes(acceptable_forgery().file()));
  EXPECT_EQ(model.root(), RootMode::multi);
  EXPECT_EQ(model.facts(), (ParserModel::Facts{{"made by", "a forger"}}));
  EXPECT_EQ(model.prune_threshold(), 0.5);
  EXPECT_EQ(model.parser().weights().size(), 1u);
}

TEST(ForgedModel, HasAllSections) {
  for (const char* name :
       {"settings", "facts", "parser/settings", "parser/weights", "pruner/settings", "pruner/weights"}) {
    expect_refused("has no section '" + std::string(name) + "'", [&](Forgery& model) { model.remove(name); });
  }
}

TEST(ForgedModel, SaysNothingThatIsNotKnown) {
  expect_refused("has 'triple'",
                 [](Forgery& model) { write_settings(model.anew("settings"), "triple", 0.5, 1); });
  const auto with_component = [](std::string_view factorization, std::string_view set,
                                 std::string_view coarse) {
    return
        [=](Forgery& model) { write_component(model.anew("parser/settings"), factorization, set, coarse); };
  };
  expect_refused("has 'fourth'", with_component("fourth", "rich", "treebank"));
  expect_refused("has 'poor'", with_component("first", "poor", "treebank"));
  expect_refused("has 'klingon'", with_component("first", "rich", "klingon"));
  expect_refused("has ''", with_component("", "rich", "treebank"));
  expect_refused("has 'a\\x0Ab'", with_component("a\nb", "rich", "treebank"));
}

TEST(ForgedModel, HasAThresholdFrom0To1) {
  for (const double threshold :
       {-0.1, 1.1, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    expect_refused("threshold",
                   [&](Forgery& model) { write_settings(model.anew("settings"), "multi", threshold, 1); });
  }
  for (const double threshold : {0.0, 1.0}) {
    EXPECT_EQ(
        refusal_of([&](Forgery& model) { write_settings(model.anew("settings"), "multi", threshold, 1); }),
        "no error");
  }
}

TEST(ForgedModel, HasAFirstOrderPruner) {
  expect_refused("is not first-order", [](Forgery& model) {
    write_component(model.anew("pruner/settings"), "sibling", "pruner", "none");
  });
}

TEST(ForgedModel, HasNonprojectiveTreesOnlyIfItIsFirstOrder) {
  const auto with_parser = [](std::string_view factorization) {
    return [=](Forgery& model) {
      write_settings(model.anew("settings"), "single nonprojective", 0.5, 1);
      write_component(model.anew("parser/settings"), factorization, "rich", "treebank");
    };
  };
  EXPECT_EQ(refusal_of(with_parser("first")), "no error");
  expect_refused("is not first-order", with_parser("sibling"));
  expect_refused("has 'triple nonprojective'", [](Forgery& model) {
    write_settings(model.anew("settings"), "triple nonprojective", 0.5, 1);
  });
}

TEST(ForgedModel, HasSectionsOfTheRightLength) {
  expect_refused("ends too early", [](Forgery& model) { model.anew("settings"); });
  expect_refused("ends too early", [](Forgery& model) { model.anew("settings").text("multi"); });
  expect_refused("too many", [](Forgery& model) { model.section("settings").u8(0); });
  expect_refused("ends too early", [](Forgery& model) { model.anew("facts"); });
  expect_refused("ends too early", [](Forgery& model) { model.anew("facts").u32(0xFFFFFFFF); });
  expect_refused("too many", [](Forgery& model) { model.section("facts").u8(0); });
  expect_refused("ends too early", [](Forgery& model) { model.anew("parser/settings"); });
  expect_refused("ends too early", [](Forgery& model) {
    write_component(model.anew("parser/settings"), "first", "rich", "none", 0xFFFFFFFF);
  });
  expect_refused("elements follow", [](Forgery& model) {
    write_component(model.anew("parser/settings"), "first", "rich", "none", 0);
  });
  expect_refused("ends too early", [](Forgery& model) { model.anew("parser/settings").u32(0xFFFFFFFF); });
}

TEST(ForgedModel, HasListsOfWeights) {
  for (const std::string section : {"parser/weights", "pruner/weights"}) {
    expect_refused("ends too early", [&](Forgery& model) { model.anew(section); });
    expect_refused("too many", [&](Forgery& model) { model.section(section).u8(0); });
    for (const WeightCode no_weight : std::vector<WeightCode>{0, 0x7F, 0x800}) {
      expect_refused("is not a list", [&](Forgery& model) { write_weights(model.anew(section), no_weight); });
    }
  }
}

TEST(ForgedModel, IsRefusedOrUsableAfterRandomChanges) {
  const std::vector<std::byte> intact = acceptable_forgery().file();
  const int cases = testing::scaled(5000);
  int usable = 0;
  for (int number = 0; number < cases; ++number) {
    SCOPED_TRACE(testing::case_name(number));
    std::mt19937_64 random = testing::case_generator(number);
    std::vector<std::byte> file = intact;
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t contents = 32 + 64 * 6;
      file[contents + random() % (file.size() - contents)] = static_cast<std::byte>(random());
    }
    make_checksums_right(file);
    ASSERT_EQ(model_violation(file), std::nullopt);
    if (error_of([&] { ParserModel::from_file(SectionFile::from_bytes(file)); }) == "no error") ++usable;
  }
  // Both outcomes must occur, or the test looks at one side only.
  if (cases >= 500) {
    EXPECT_GT(usable, cases / 50);
    EXPECT_LT(usable, cases - cases / 50);
  }
}

}  // namespace
}  // namespace copse
