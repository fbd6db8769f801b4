#include "model_card.h"

#include <array>
#include <string>
#include <utility>

#include "request_options.h"
#include "training/train_options.h"

namespace copse {

void add_card_options(CLI::App& command, ModelCard& card) {
  const std::array<std::pair<const char*, std::string*>, 4> fields = {{{"language", &card.language},
                                                                       {"licence", &card.licence},
                                                                       {"attribution", &card.attribution},
                                                                       {"description", &card.description}}};
  for (const auto& [name, text] : fields) {
    add_same_option(command, *find_train_option(name), *text);
  }
}

}  // namespace copse
