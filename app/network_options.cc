#include "network_options.h"

#include <cstdlib>

#include "current_team.h"
#include "option_values.h"

namespace copse {

CLI::Option* add_size_option(CLI::App& command, const std::string& name, std::optional<std::size_t>& value,
                             const std::string& what, std::size_t multiple, std::size_t most) {
  return command.add_option(name, value, what)
      ->check(CLI::Range(multiple, most))
      ->check([multiple](const std::string& text) {
        const bool fits = std::strtoull(text.c_str(), nullptr, 10) % multiple == 0;
        return fits ? std::string() : "must be a multiple of " + std::to_string(multiple);
      })
      ->option_text("N [by --size]");
}

CLI::Option* add_precision_option(CLI::App& command, std::optional<Precision>& precision) {
  return add_choice(
             command, "--precision", precision,
             [](const std::string& text) { return std::optional(parse_precision(text)); },
             {"auto", "float", "bfloat16"},
             "Of the factors of products while learning; auto: bfloat16 where the processor is quick with it")
      ->check([](const std::string& text) {
        const bool fits = text != name(Precision::bfloat16) || has_bfloat16();
        return fits ? std::string() : "bfloat16 is not available on this processor; take auto or float";
      })
      ->option_text("NAME [auto]");
}

CLI::Option* add_device_option(CLI::App& command, Device& device) {
  return add_choice(command, "--device", device, parse_device, {"cpu", "cuda"},
                    "What computes: the processor, or a GPU")
      ->option_text("NAME [cpu]");
}

void check_device_usage(Device device) {
  if (device == Device::cpu || current_team().is_alone()) return;
  throw CLI::ValidationError("--device",
                             "a GPU learns in one process only: leave this out, or start one process");
}

}  // namespace copse
