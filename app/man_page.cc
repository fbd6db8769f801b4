#include "man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace copse {
namespace {

// Text as roff takes it: no character of it is a request, and hyphens of options are not broken at.
std::string escaped(std::string_view text) {
  std::string result;
  if (text.starts_with('.') || text.starts_with('\'')) result += "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// Running text, in which what a user types is bold instead of in backticks.
std::string prose(std::string_view text) {
  std::string result;
  bool is_typed = false;
  while (true) {
    const size_t tick = text.find('`');
    std::string piece = escaped(text.substr(0, tick));
    result += is_typed ? "\\fB" + piece + "\\fR" : piece;
    if (tick == std::string_view::npos) return result;
    text.remove_prefix(tick + 1);
    is_typed = !is_typed;
  }
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// The text below the options of a help: paragraphs, lines that are indented and stay as they are, and
// examples, which get a section of their own.
class FooterPage {
 public:
  explicit FooterPage(const std::string& footer) {
    const std::vector<std::string> lines = lines_of(footer);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool is_heading =
          lines[i].ends_with(':') && i + 1 < lines.size() && lines[i + 1].starts_with("  ");
      const bool is_alone = i == 0 || lines[i - 1].empty();
      if (is_heading && is_alone)
        begin_examples(lines[i]);
      else
        add(lines[i]);
    }
    end_verbatim();
  }
  std::string description;
  std::string examples;

 private:
  // A line that stands alone over commands that are indented. The section says that they are examples.
  void begin_examples(const std::string& heading) {
    end_verbatim();
    target_ = &examples;
    is_paragraph_due_ = false;
    if (heading != "Examples:") examples += ".PP\n" + prose(heading) + "\n";
  }
  void add(const std::string& line) {
    if (line.empty()) {
      is_paragraph_due_ = true;
      return;
    }
    const bool is_indented = line[0] == ' ';
    if (!is_indented) {
      end_verbatim();
      target_ = is_paragraph_due_ ? &description : target_;
    }
    if (is_indented && !is_verbatim_) {
      *target_ += ".PP\n.nf\n";
      is_verbatim_ = true;
    } else if (is_paragraph_due_) {
      *target_ += ".PP\n";
    }
    is_paragraph_due_ = false;
    *target_ += (is_indented ? "\\&" + escaped(line) : prose(line)) + "\n";
  }
  void end_verbatim() {
    if (is_verbatim_) *target_ += ".fi\n";
    is_verbatim_ = false;
  }

  std::string* target_ = &description;
  bool is_verbatim_ = false;
  bool is_paragraph_due_ = false;
};

std::string name_in_synopsis(const OptionOutline& positional) {
  std::string name = italic(positional.names.front());
  if (positional.is_repeated) name += "...";
  return positional.is_required ? name : "[" + name + "]";
}

std::string option_entry(const OptionOutline& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += (names.empty() ? "" : ", ") + (option.is_positional ? italic(name) : bold(name));
  }
  // "FILE [-]": the value, and in brackets what it is without the option.
  const size_t bracket = option.value.starts_with('[') ? 0 : option.value.find(" [");
  const std::string value = option.value.substr(0, bracket);
  const bool is_shown = !option.is_positional && value.find_first_not_of(' ') != std::string::npos;
  if (is_shown) names += " " + italic(value);
  if (bracket < option.value.size()) names += " " + escaped(option.value.substr(bracket + (bracket > 0)));
  return fmt::format(".TP\n{}\n{}\n", names, prose(option.description));
}

std::string option_sections(const CommandOutline& command) {
  std::vector<std::string> groups;
  for (const OptionOutline& option : command.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  std::string arguments;
  std::string options;
  for (const std::string& group : groups) {
    if (groups.size() > 1) options += fmt::format(".SS {}\n", escaped(group));
    for (const OptionOutline& option : command.options) {
      if (option.group == group) (option.is_positional ? arguments : options) += option_entry(option);
    }
  }
  return (arguments.empty() ? "" : ".SH ARGUMENTS\n" + arguments) +
         (options.empty() ? "" : ".SH OPTIONS\n" + options);
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string lower_first(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

std::string first_lines(const std::string& page, const std::string& purpose) {
  return fmt::format(
      ".\\\" Made from the program's own help by `copse manual`.\n"
      ".TH {} 1 \"\" \"Copse " COPSE_VERSION
      "\" \"User Commands\"\n"
      ".SH NAME\n{} \\- {}\n",
      escaped(upper_case(page)), escaped(page), escaped(lower_first(purpose)));
}

std::string exit_status() {
  return ".SH EXIT STATUS\n"
         ".TP\n0\nsuccess\n"
         ".TP\n1\ndata that cannot be used; a message names file, line and what to do\n"
         ".TP\n2\na wrong command line\n";
}

}  // namespace

std::string program_page(const CommandOutline& program) {
  const FooterPage footer(program.footer);
  std::string page = first_lines("copse", "a dependency parser that knows how sure it is") +
                     ".SH SYNOPSIS\n.B copse\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
                     ".SH DESCRIPTION\n";
  for (const std::string& line : lines_of(program.description)) page += prose(line) + "\n";
  page += footer.description.empty() || footer.description.starts_with(".PP") ? "" : ".PP\n";
  page += footer.description + ".SH COMMANDS\n";
  for (const CommandOutline& command : program.commands) {
    page +=
        fmt::format(".TP\n\\fBcopse\\-{}\\fR(1)\n{}\n", escaped(command.name), prose(command.description));
  }
  page += option_sections(program);
  if (!footer.examples.empty()) page += ".SH EXAMPLES\n" + footer.examples;
  return page + exit_status();
}

std::string command_page(const CommandOutline& program, const CommandOutline& command) {
  const FooterPage footer(command.footer);
  std::string page = first_lines("copse-" + command.name, command.description) + ".SH SYNOPSIS\n" +
                     fmt::format(".B copse {}\n[\\fIOPTIONS\\fR]", escaped(command.name));
  for (const OptionOutline& option : command.options) {
    if (option.is_positional) page += " " + name_in_synopsis(option);
  }
  page += "\n.SH DESCRIPTION\n";
  page += footer.description.empty() ? prose(command.description) + ".\n" : footer.description;
  page += option_sections(command);
  if (!footer.examples.empty()) page += ".SH EXAMPLES\n" + footer.examples;
  page += exit_status() + ".SH SEE ALSO\n.BR copse (1)";
  for (const CommandOutline& other : program.commands) {
    if (other.name != command.name) page += fmt::format(",\n.BR copse\\-{} (1)", escaped(other.name));
  }
  return page + "\n";
}

}  // namespace copse
