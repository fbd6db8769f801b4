// The table of all options of `copse pretrain`, and what is made from it.
#include "training/pretrain_options.h"

#include <gtest/gtest.h>

#include <set>

#include "training/check_request.h"
#include "training/other_value.h"
#include "training/train_options.h"
#include "training/usage_error.h"

namespace copse::testing {
namespace {

std::set<std::string> names_of(const ModelSettings& settings) {
  std::set<std::string> names;
  for (const auto& [name, value] : settings) names.insert(name);
  return names;
}

TEST(PretrainOptions, EveryOneIsDescribed) {
  std::set<std::string> names;
  for (const PretrainOption& option : pretrain_options()) {
    SCOPED_TRACE(option.name);
    EXPECT_TRUE(names.insert(option.name).second);
    EXPECT_FALSE(option.help.empty());
    EXPECT_EQ(find_pretrain_option(option.name), &option);
  }
  EXPECT_EQ(find_pretrain_option("passes")->value_text(), "N [10]");
  EXPECT_EQ(find_pretrain_option("tokens")->value_text(), "segmenter|spaces [segmenter]");
  EXPECT_EQ(find_pretrain_option("affix_rows")->value_text(), "N [4096]");
}

TEST(PretrainOptions, TheRequestHasWhatIsSet) {
  for (const PretrainOption& option : pretrain_options()) {
    SCOPED_TRACE(option.name);
    PretrainRequest request;
    for (int time = 0; time < 2; ++time) {
      const SettingValue value = other_value(option, option.get(request));
      option.set(request, value);
      EXPECT_EQ(option.get(request), std::optional<SettingValue>(value));
    }
  }
}

// A request in which everything is given has all that an encoder depends on, and nothing else, in its
// settings.
TEST(PretrainOptions, SettingsOfAnEncoderListAllThatItDependsOn) {
  PretrainRequest request;
  std::set<std::string> expected;
  for (const PretrainOption& option : pretrain_options()) {
    option.set(request, other_value(option, option.get(request)));
    if (option.effect != OptionEffect::none) expected.insert(option.name);
  }
  EXPECT_EQ(names_of(encoder_settings(request)), expected);
  for (const char* name : {"text", "treebank", "model", "tokens", "size", "layers", "seed", "precision"}) {
    EXPECT_TRUE(expected.contains(name)) << name;
  }
  EXPECT_FALSE(expected.contains("threads"));
}

TEST(PretrainOptions, NothingIsOpenInAnEffectiveRequest) {
  PretrainRequest request;
  request.text = {"text"};
  request.layers = 5;
  const PretrainRequest effective = effective_request(request, Team::alone());
  const std::set<std::string> names = names_of(encoder_settings(effective));
  for (const PretrainOption& option : pretrain_options()) {
    const bool is_file = option.kind == OptionKind::file || option.kind == OptionKind::files;
    if (option.effect == OptionEffect::none || is_file) continue;
    EXPECT_TRUE(names.contains(option.name)) << option.name;
  }
  const auto precision = find_pretrain_option("precision")->get(effective);
  EXPECT_NE(precision, std::optional<SettingValue>("auto"));
  const PretrainingOptions options = pretraining_options(effective);
  EXPECT_EQ(options.shape.layers, 5U);
  EXPECT_EQ(options.shape.hidden, shape_of(NetworkSize::standard).hidden);
}

// What a checkpoint belongs to. Files are compared by what is in them.
TEST(PretrainOptions, FingerprintsAndSettingsChangeWithWhatEncodersDependOn) {
  for (const PretrainOption& option : pretrain_options()) {
    SCOPED_TRACE(option.name);
    const PretrainRequest before;
    PretrainRequest after;
    option.set(after, other_value(option, option.get(before)));
    EXPECT_EQ(fingerprint(before) != fingerprint(after), option.effect == OptionEffect::model);
    EXPECT_EQ(encoder_settings(before) != encoder_settings(after), option.effect != OptionEffect::none);
  }
}

TEST(PretrainOptions, SharedOnesAreTheSameAsForParsers) {
  for (const char* name : {"size", "layers", "hidden", "word_size", "spelling_size", "dropout", "batch",
                           "batch_parts", "precision", "device", "seed", "threads", "resume"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(find_pretrain_option(name)->help, find_train_option(name)->help);
    EXPECT_EQ(find_pretrain_option(name)->effect, find_train_option(name)->effect);
    EXPECT_EQ(find_pretrain_option(name)->most, find_train_option(name)->most);
  }
}

TEST(PretrainOptions, RequestsAreChecked) {
  PretrainRequest request;
  const auto refuses = [&request] {
    try {
      check_request(request, Team::alone());
    } catch (const UsageError&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refuses());
  request.text = {"text"};
  EXPECT_TRUE(refuses());
  request.output = "-";
  EXPECT_TRUE(refuses());
  request.output = "encoder";
  EXPECT_FALSE(refuses());
  request.cuts_at_spaces = true;
  request.model = "model";
  EXPECT_TRUE(refuses());
}

}  // namespace
}  // namespace copse::testing
