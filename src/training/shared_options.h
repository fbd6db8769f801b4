#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "copse/parallel/device.h"
#include "network/precision.h"
#include "parser_training/network_options.h"
#include "training/option_table.h"

namespace copse {

constexpr auto kMostOptionSize = static_cast<double>(std::numeric_limits<std::uint64_t>::max());

// Options that mean the same wherever something is learnt, parsers or encoders: each is written down once,
// and the caller gives the field of its own request.
template <class Request>
class SharedOptions {
 public:
  using Option = RequestOption<Request>;

  // Borrows the table.
  explicit SharedOptions(OptionTable<Request>& table) : table_(&table) {}

  template <class Field>
  Option& size(Field field) {
    return of_networks(table_->template name<NetworkSize>(
        "size", field, names_of<NetworkSize>(parse_network_size, {"small", "standard", "large"}),
        "Of the parser's network: small parses fastest, large is the most accurate"));
  }
  template <class Field>
  Option& layers(Field field) {
    return part_size("layers", field, "Layers of the encoder", 1, 8);
  }
  template <class Field>
  Option& hidden(Field field) {
    return part_size("hidden", field, "Units of a layer, in each direction", 16, 2048);
  }
  template <class Field>
  Option& word_size(Field field) {
    return part_size("word_size", field, "Numbers that are learnt for each word", 1, 1024);
  }
  template <class Field>
  Option& spelling_size(Field field) {
    return part_size("spelling_size", field, "Numbers that its spelling makes", 2, 1024);
  }
  // Some size of a network: it decides others, and is a multiple of a number.
  template <class Field>
  Option& part_size(std::string name, Field field, std::string help, std::uint64_t multiple, double most) {
    Option& option = of_networks(
        table_->integer(std::move(name), field, {static_cast<double>(multiple), most}, std::move(help)));
    option.multiple = multiple;
    option.otherwise = "by --size";
    return option;
  }

  // `course` says how it changes.
  template <class Field>
  Option& rate(Field field, const std::string& course) {
    return of_networks(table_->number("rate", field, {1e-6, 1.0}, "R", "Of learning" + course));
  }
  template <class Field>
  Option& dropout(Field field) {
    return of_networks(table_->number("dropout", field, {0.0, 0.9}, "P",
                                      "Share of the numbers that are left out while learning"));
  }
  template <class Field>
  Option& batch(Field field) {
    return of_networks(table_->integer("batch", field, {1, 10'000'000}, "Words that each step learns from"));
  }
  template <class Field>
  Option& batch_parts(Field field) {
    return of_networks(table_->integer("batch_parts", field, {1, 64},
                                       "Parts of a batch: as many threads, of all processes, share it, and "
                                       "what is learnt depends on it"));
  }
  // Runs keep the precision that was found to be the quickest, and may go on with another one.
  template <class Field>
  Option& precision(Field field) {
    Option& option = of_networks(table_->template name<std::optional<Precision>>(
        "precision", field,
        {{"auto", std::nullopt}, {"float", Precision::float32}, {"bfloat16", Precision::bfloat16}},
        "Of the factors of products while learning; auto: bfloat16 where the processor is quick with it"));
    option.effect = OptionEffect::resumable;
    return option;
  }
  template <class Field>
  Option& device(Field field) {
    Option& option = of_networks(table_->template name<Device>("device", field,
                                                               {{"cpu", Device::cpu}, {"cuda", Device::cuda}},
                                                               "What computes: the processor, or a GPU"));
    option.effect = OptionEffect::resumable;
    return option;
  }

  template <class Field>
  Option& seed(Field field) {
    return table_->integer("seed", field, {0, kMostOptionSize}, "Of all that is random");
  }
  template <class Field>
  Option& threads(Field field) {
    Option& option =
        table_->integer("threads", field, {1, 1024}, "Threads; the results are the same for any number");
    option.otherwise = "all cores";
    option.effect = OptionEffect::none;
    return option;
  }
  template <class Field>
  Option& resume(Field field) {
    Option& option =
        table_->flag("resume", field, "Go on where a run with the same files and options was stopped");
    option.effect = OptionEffect::none;
    return option;
  }

 private:
  static Option& of_networks(Option& option) {
    option.scope = OptionScope::network;
    return option;
  }

  OptionTable<Request>* table_;
};

}  // namespace copse
