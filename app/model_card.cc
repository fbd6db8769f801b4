#include "model_card.h"

#include <array>
#include <string>
#include <utility>

#include "training/train_options.h"

namespace copse {

void add_card_options(CLI::App& command, ModelCard& card) {
  const std::array<std::pair<const char*, std::string*>, 3> fields = {
      {{"licence", &card.licence}, {"attribution", &card.attribution}, {"description", &card.description}}};
  for (const auto& [name, text] : fields) {
    const TrainOption& option = *find_train_option(name);
    command.add_option(option.flag(), *text, option.help)->option_text(option.value_text());
  }
}

}  // namespace copse
