#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "default_model.h"
#include "model/parser_model.h"
#include "number_text.h"
#include "render/text_width.h"

namespace copse {
namespace {

// What there is to know of a model before it is chosen.
struct ModelEntry {
  FoundModel found;
  std::int64_t bytes = 0;
  ParserModel::Facts facts;
};

ModelEntry entry_of(const FoundModel& found) {
  const SectionFile file = SectionFile::open(found.path);
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(found.path, error);
  return {found, error ? 0 : static_cast<std::int64_t>(bytes), ParserModel::facts_of(file)};
}

std::string megabytes(std::int64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

// 0.8779 as 87.8.
std::string percent(const std::string& share) {
  try {
    return share.empty() ? "" : fmt::format("{:.1f}", 100.0 * std::stod(share));
  } catch (const std::exception&) {
    return {};
  }
}

std::string table_of(const std::vector<ModelEntry>& models) {
  constexpr std::size_t kColumns = 5;
  using Row = std::array<std::string, kColumns>;
  std::vector<Row> rows = {{"name", "language", "size", "LAS", "licence"}};
  for (const ModelEntry& model : models) {
    rows.push_back({model.found.name, fact_of(model.facts, "language"), megabytes(model.bytes),
                    percent(fact_of(model.facts, "development LAS")), fact_of(model.facts, "licence")});
  }
  std::array<std::size_t, kColumns> widths = {};
  for (Row& row : rows) {
    for (std::size_t k = 0; k < kColumns; ++k) {
      row[k] = printable(row[k].empty() ? "-" : row[k]);
      widths[k] = std::max<std::size_t>(widths[k], static_cast<std::size_t>(display_width(row[k])));
    }
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < kColumns; ++k) {
      line += row[k];
      line.append(widths[k] + 2 - static_cast<std::size_t>(display_width(row[k])), ' ');
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string json_of(const std::vector<ModelEntry>& models) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ModelEntry& model : models) {
    nlohmann::ordered_json json = {
        {"name", model.found.name}, {"file", model.found.path}, {"bytes", model.bytes}};
    for (const std::string_view key : {"language", "licence", "attribution", "description"}) {
      if (const std::string fact = fact_of(model.facts, key); !fact.empty()) json[std::string(key)] = fact;
    }
    for (const auto& [key, name] :
         {std::pair{"development UAS", "dev_uas"}, {"development LAS", "dev_las"}}) {
      const std::string fact = fact_of(model.facts, key);
      if (const nlohmann::json value = nlohmann::json::parse(fact, nullptr, false); value.is_number()) {
        json[name] = value;
      }
    }
    list.push_back(std::move(json));
  }
  return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

void add_models(CLI::App& program) {
  CLI::App* command = program.add_subcommand("models", "List the models that can be named");
  command->footer(
      "Models that come with Copse, or lie in the same folder, have names: the first part of their\n"
      "file names, up to a hyphen. LAS is that of the development data, from gold words.\n\n"
      "Examples:\n"
      "  copse models\n"
      "  copse models --json | jq -r '.[].language'\n"
      "  copse parse text.txt --model english");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Write everything as JSON, for programs");
  command->callback([json] {
    std::vector<ModelEntry> models;
    for (const FoundModel& found : known_models()) {
      try {
        models.push_back(entry_of(found));
      } catch (const DataError& error) {  // the others are there all the same
        report_error(message_of(error));
      }
    }
    write_output(*json ? json_of(models) : table_of(models));
  });
}

}  // namespace copse
