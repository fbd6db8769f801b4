#include "model_card.h"

namespace copse {

void add_card_options(CLI::App& command, ModelCard& card) {
  command
      .add_option("--licence", card.licence,
                  "Of the model, which is that of its treebank as a rule: `copse info` and servers tell it")
      ->option_text("TEXT");
  command.add_option("--attribution", card.attribution, "Who is to be named wherever the model is used")
      ->option_text("TEXT");
  command.add_option("--description", card.description, "What the model is for, in a line")
      ->option_text("TEXT");
}

void write_card(const ModelCard& card, ParserModel& model) {
  if (!card.licence.empty()) model.set_fact("licence", card.licence);
  if (!card.attribution.empty()) model.set_fact("attribution", card.attribution);
  if (!card.description.empty()) model.set_fact("description", card.description);
}

}  // namespace copse
