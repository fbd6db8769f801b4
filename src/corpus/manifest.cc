#include "corpus/manifest.h"

#include <algorithm>
#include <array>

#include "copse/setting_error.h"
#include "io/byte_source.h"
#include "io/output_file.h"
#include "text/json_writer.h"

namespace copse {
namespace {

constexpr std::string_view kFirstLine = R"({"copse":"folder of outputs","version":1})";

// A line begins with the name of what it is about; two lines about one thing begin alike.
std::string start_of(std::string_view kind, std::string_view name) {
  std::string line;
  JsonWriter json(line);
  json.begin_object();
  json.member(kind, name);
  return line + ",";
}

std::string line_of(const Manifest::Setting& setting) {
  std::string line;
  JsonWriter json(line);
  json.begin_object();
  json.member("setting", setting.name);
  json.member("value", setting.value);
  json.end_object();
  return line;
}

std::string line_of(const Manifest::Output& output) {
  std::string line;
  JsonWriter json(line);
  json.begin_object();
  json.member("output", output.name);
  json.member("input", output.input);
  json.member("size", static_cast<std::int64_t>(output.size));
  json.member("changed", output.changed);
  json.end_object();
  return line;
}

// Of the line that is about this, if there is one.
std::set<std::string>::const_iterator find_start(const std::set<std::string>& lines,
                                                 const std::string& start) {
  const auto found = lines.lower_bound(start);
  return found != lines.end() && found->starts_with(start) ? found : lines.end();
}

std::string read_all(const std::string& path) {
  const std::unique_ptr<ByteSource> source = open_file(path);
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (const std::size_t count = source->read(buffer)) text.append(buffer.data(), count);
  return text;
}

[[noreturn]] void fail(const std::string& path) {
  throw SettingError(path + ": is not what this version writes there; give another folder, or overwrite it",
                     "overwrite");
}

}  // namespace

Manifest Manifest::load(const std::string& path) {
  const std::string text = read_all(path);
  Manifest manifest;
  bool is_first = true;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const bool is_known =
        is_first ? line == kFirstLine : line.starts_with("{\"setting\":") || line.starts_with("{\"output\":");
    if (!is_known) fail(path);
    if (!is_first) (line.starts_with("{\"setting\":") ? manifest.settings_ : manifest.outputs_).insert(line);
    is_first = false;
  }
  if (is_first) fail(path);
  return manifest;
}

void Manifest::save(const std::string& path) const {
  OutputFile file(path);
  file.write(text());
  file.close();
}

std::string Manifest::text() const {
  std::string text = std::string(kFirstLine) + "\n";
  for (const std::string& line : settings_) text += line + "\n";
  for (const std::string& line : outputs_) text += line + "\n";
  return text;
}

void Manifest::set(const std::vector<Setting>& settings) {
  settings_.clear();
  for (const Setting& setting : settings) settings_.insert(line_of(setting));
}

std::vector<std::string> Manifest::differing(const std::vector<Setting>& settings) const {
  std::vector<std::string> names;
  for (const Setting& setting : settings) {
    if (!settings_.contains(line_of(setting))) names.push_back(setting.name);
  }
  return names;
}

Manifest::Known Manifest::find(const Output& output) const {
  const auto found = find_start(outputs_, start_of("output", output.name));
  if (found == outputs_.end()) return Known::no;
  return *found == line_of(output) ? Known::same : Known::changed;
}

void Manifest::put(const Output& output) {
  const auto found = find_start(outputs_, start_of("output", output.name));
  if (found != outputs_.end()) outputs_.erase(found);
  outputs_.insert(line_of(output));
}

}  // namespace copse
