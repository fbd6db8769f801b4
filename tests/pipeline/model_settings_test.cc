#include "pipeline/model_settings.h"

#include <gtest/gtest.h>

#include "copse/error.h"
#include "io/bytes.h"
#include "io/temporary_folder.h"
#include "model/model_property.h"
#include "parsing/toy_model.h"
#include "pipeline/model_components.h"
#include "pipeline/settings_property.h"

namespace copse::testing {
namespace {

class ModelSettingsTest : public TemporaryFolderTest {
 protected:
  static ModelComponents toy() { return {toy_model(Factorization::first, RootMode::single, 0.0)}; }
  ModelComponents again(const ModelComponents& model) const {
    model.save(path("model"));
    return ModelComponents::load(path("model"));
  }
};

TEST_F(ModelSettingsTest, AreReadAsTheyWereWritten) {
  ModelComponents model = toy();
  model.settings = {{"pipeline", true},
                    {"resume", false},
                    {"seed", ~std::uint64_t{0}},
                    {"rate", 0.002},
                    {"learner", "lbfgs"},
                    {"train", std::vector<std::string>{"a.conllu", "", "b"}},
                    {"dev", std::vector<std::string>{}}};
  EXPECT_EQ(again(model).settings, model.settings);
}

TEST_F(ModelSettingsTest, AnUnknownKindIsRefused) {
  ByteWriter bytes;
  bytes.u32(1);
  bytes.text("name");
  bytes.u8(99);
  const ModelComponents model = toy();  // the writer borrows its bytes
  SectionFileWriter file(path("model"));
  model.parser.add_to(file);
  file.add("settings/options", bytes.take());
  file.close();
  EXPECT_THROW(ModelComponents::load(path("model")), DataError);
}

// A length that is none, a kind that is none, an end that comes too early or too late.
TEST_F(ModelSettingsTest, DamagedOnesAreRefusedOrRead) {
  ByteWriter whole;
  whole.u32(3);
  whole.text("pipeline");
  whole.u8(0);
  whole.u8(1);
  whole.text("train");
  whole.u8(4);
  whole.u32(1);
  whole.text("a.conllu");
  whole.text("rate");
  whole.u8(2);
  whole.f64(0.002);
  const auto expect_harmless = [](const std::vector<std::byte>& bytes) {
    EXPECT_EQ(settings_violation(forged_file({{"settings/options", bytes}})), std::nullopt);
  };
  expect_harmless(whole.bytes());
  for (std::size_t k = 0; k < whole.bytes().size(); ++k) {
    std::vector<std::byte> bytes = whole.bytes();
    for (const unsigned value : {0U, 1U, 0x7FU, 0xFFU}) {
      bytes[k] = static_cast<std::byte>(value);
      expect_harmless(bytes);
    }
    bytes.resize(k);
    expect_harmless(bytes);
    EXPECT_THROW(read_settings(SectionFile::from_bytes(forged_file({{"settings/options", bytes}}), "file")),
                 DataError);
  }
}

TEST_F(ModelSettingsTest, TagsAreAMatterOfWhatIsStored) {
  ModelComponents model = toy();
  model.parser.add_fact("tags", "none");
  EXPECT_TRUE(again(model).needs_tags());
  model.has_seen_tags = false;
  model.parser.set_fact("tags", "gold");
  EXPECT_FALSE(again(model).needs_tags());
}

// They have no settings, and a fact in the place of what is stored now.
TEST_F(ModelSettingsTest, FilesOfTheFirstVersionAreRead) {
  ModelComponents model = toy();
  model.parser.save(path("old"));
  EXPECT_TRUE(ModelComponents::load(path("old")).settings.empty());
  EXPECT_TRUE(ModelComponents::load(path("old")).needs_tags());
  model.parser.add_fact("tags", "gold");
  model.parser.save(path("old"));
  EXPECT_TRUE(ModelComponents::load(path("old")).needs_tags());
  model.parser.set_fact("tags", "none");
  model.parser.save(path("old"));
  EXPECT_FALSE(ModelComponents::load(path("old")).needs_tags());
}

}  // namespace
}  // namespace copse::testing
