// The table of all options, and what is made from it.
#include "training/train_options.h"

#include <gtest/gtest.h>

#include <set>

#include "training/check_request.h"
#include "training/effective_request.h"
#include "training/other_value.h"
#include "training/usage_error.h"

namespace copse::testing {
namespace {

TrainRequest request_for(const TrainOption& option) {
  TrainRequest request;
  request.network.is_used = option.scope == OptionScope::network;
  return request;
}

TEST(TrainOptions, EveryOneIsDescribed) {
  std::set<std::string> names;
  for (const TrainOption& option : train_options()) {
    SCOPED_TRACE(option.name);
    EXPECT_TRUE(names.insert(option.name).second);
    EXPECT_FALSE(option.help.empty());
    EXPECT_EQ(find_train_option(option.name), &option);
    EXPECT_EQ(option.kind == OptionKind::name, !option.choices.empty());
    EXPECT_EQ(option.kind == OptionKind::flag, option.placeholder.empty());
  }
  EXPECT_EQ(find_train_option("max-length"), nullptr);
  EXPECT_EQ(find_train_option("max_length")->flag(), "--max-length");
  EXPECT_EQ(find_train_option("max_length")->value_text(), "N [100]");
  EXPECT_EQ(find_train_option("rate")->value_text(), "R [0.002]");
  EXPECT_EQ(find_train_option("l2")->value_text(), "C|auto [3]");
}

TEST(TrainOptions, TheRequestHasWhatIsSet) {
  for (const TrainOption& option : train_options()) {
    SCOPED_TRACE(option.name);
    TrainRequest request = request_for(option);
    for (int time = 0; time < 2; ++time) {
      const SettingValue value = other_value(option, option.get(request));
      option.set(request, value);
      EXPECT_EQ(option.get(request), std::optional<SettingValue>(value));
    }
    EXPECT_TRUE(request.given.size() == 1 && request.given.contains(option.name));
    if (option.word.empty()) continue;
    option.set(request, option.word);
    EXPECT_EQ(option.get(request), std::optional<SettingValue>(option.word));
  }
}

// What a checkpoint belongs to, and what a model says about its making.
TEST(TrainOptions, FingerprintsAndSettingsChangeWithWhatModelsDependOn) {
  for (const TrainOption& option : train_options()) {
    SCOPED_TRACE(option.name);
    const TrainRequest before = request_for(option);
    TrainRequest after = before;
    option.set(after, other_value(option, option.get(before)));
    EXPECT_EQ(fingerprint(before) != fingerprint(after), option.effect == OptionEffect::model);
    EXPECT_EQ(model_settings(before) != model_settings(after), option.effect != OptionEffect::none);
  }
}

TEST(TrainOptions, OptionsOfOtherModelsAreNoSettings) {
  TrainRequest request;
  find_train_option("rate")->set(request, 0.5);
  for (const auto& [name, value] : model_settings(request)) {
    EXPECT_NE(find_train_option(name)->scope, OptionScope::network) << name;
  }
  request.network.is_used = true;
  for (const auto& [name, value] : model_settings(request)) {
    EXPECT_NE(find_train_option(name)->scope, OptionScope::hashed) << name;
  }
}

TEST(TrainOptions, FilesAreKeptWithoutTheirFolders) {
  TrainRequest request;
  find_train_option("train")->set(request, std::vector<std::string>{"/a/b.conllu", "c.conllu", "-"});
  EXPECT_EQ(model_settings(request).front(),
            (ModelSettings::value_type{"train", std::vector<std::string>{"b.conllu", "c.conllu", "-"}}));
}

TEST(TrainOptions, TextsAreRead) {
  const auto set = [](const char* name, const SettingValue& value) {
    TrainRequest request;
    find_train_option(name)->set(request, value);
    return *find_train_option(name)->get(request);
  };
  EXPECT_EQ(set("margin", "0.25"), SettingValue(0.25));
  EXPECT_EQ(set("margin", std::uint64_t{2}), SettingValue(2.0));
  EXPECT_EQ(set("seed", "18446744073709551615"), SettingValue(~std::uint64_t{0}));
  EXPECT_EQ(set("memory", "8G"), SettingValue(std::uint64_t{8} << 30));
  EXPECT_EQ(set("memory", "5 kB"), SettingValue(std::uint64_t{5} << 10));
  EXPECT_EQ(set("prune", "off"), SettingValue("off"));
  EXPECT_EQ(set("prune", 0.0), SettingValue("off"));
  EXPECT_EQ(set("rate", "0.002"), SettingValue(0.002));
  EXPECT_EQ(set("dev", "one"), SettingValue(std::vector<std::string>{"one"}));
}

TEST(TrainOptions, WhatAnOptionDoesNotTakeIsRefused) {
  const auto problem = [](const char* name, const SettingValue& value) -> std::string {
    TrainRequest request;
    try {
      find_train_option(name)->set(request, value);
    } catch (const UsageError& error) {
      EXPECT_TRUE(request.given.empty());
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(problem("iterations", std::uint64_t{0}), "iterations: Value 0 not in range 1 to 1000000");
  EXPECT_EQ(problem("iterations", "x"), "iterations: Value x not in range 1 to 1000000");
  EXPECT_EQ(problem("iterations", 1.5), "iterations: Value 1.5 not in range 1 to 1000000");
  EXPECT_EQ(problem("iterations", "-1"), "iterations: Value -1 not in range 1 to 1000000");
  EXPECT_EQ(problem("margin", "nan"), "margin: Value nan not in range 0 to 1000");
  EXPECT_EQ(problem("margin", std::numeric_limits<double>::quiet_NaN()),
            "margin: Value nan not in range 0 to 1000");
  EXPECT_EQ(problem("rate", 0.0), "rate: Value 0 not in range 0.000001 to 1");
  EXPECT_EQ(problem("l2", "much"), "l2: 'much' is neither a number from 0 to 1000000 nor auto");
  EXPECT_EQ(problem("patience", "never"), "patience: 'never' is neither a number of iterations nor off");
  EXPECT_EQ(problem("learner", "sgd"), "learner: sgd not in {lbfgs,perceptron,mira,adagrad}");
  EXPECT_EQ(problem("hidden", std::uint64_t{17}), "hidden: must be a multiple of 16");
  EXPECT_EQ(problem("memory", "much"), "memory: 'much' is no size such as 8G");
  EXPECT_EQ(problem("memory", "99999999999G"), "memory: '99999999999G' is no size such as 8G");
  EXPECT_EQ(problem("resume", "yes"), "resume: takes no value: it is True or False");
}

TEST(TrainOptions, RequestsAreChecked) {
  TrainRequest request;
  const auto problem = [&request]() -> std::string {
    try {
      check_request(request, Team::alone());
    } catch (const UsageError& error) {
      return error.what();
    }
    return "good";
  };
  EXPECT_EQ(problem(), "train: is required");
  request.train = {"a"};
  EXPECT_EQ(problem(), "model: is required");
  request.model = "model";
  EXPECT_EQ(problem(), "good");
  find_train_option("rate")->set(request, 0.5);
  EXPECT_EQ(problem(), "rate: is about networks: leave it out, or take potentials network");
  find_train_option("potentials")->set(request, "network");
  EXPECT_EQ(problem(), "good");
  find_train_option("cutoff")->set(request, std::uint64_t{2});
  EXPECT_EQ(problem(), "cutoff: is about hashed features: leave it out, or take potentials linear");
}

// The library speaks of settings, and programs of what they call them.
TEST(UsageErrors, HaveTheNamesThatProgramsGive) {
  const UsageError error("max_length", "needs {} off, or {x} {}", {"prune_folds", "l2"});
  EXPECT_STREQ(error.what(), "max_length: needs prune_folds off, or {x} l2");
  EXPECT_EQ(error.text(flag_of), "--max-length: needs --prune-folds off, or {x} --l2");
  EXPECT_EQ(UsageError("-", "is no {}").text(flag_of), "-: is no {}");
}

}  // namespace
}  // namespace copse::testing
