#include "analysis/page_frame.h"

#include <fmt/format.h>

#include "analysis/page_assets.h"

namespace copse {
namespace {

std::string page_head(const PageFrame& frame) {
  // Nothing from elsewhere is ever loaded, even if a text should find a way to ask for it.
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\"/>\n"
      "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n",
      frame.title, page_style(), frame.more_style);
}

}  // namespace

std::string framed_page(const PageFrame& frame, std::span<const PageSection> sections) {
  std::string navigation = "<nav aria-label=\"Sections\"><ul>\n";
  std::string content = "<main>\n";
  for (const PageSection& section : sections) {
    if (section.content.empty()) continue;
    navigation += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title);
    content += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", section.id, section.title,
                           section.content);
  }
  std::string page = page_head(frame);
  page += fmt::format("<body>\n<header>\n<h1>{}</h1>\n{}</header>\n", frame.title, frame.introduction);
  page += navigation + "</ul></nav>\n" + content;
  page += fmt::format("</main>\n<footer>{}</footer>\n", frame.footer);
  if (!frame.script.empty()) page += fmt::format("<script>\n{}</script>\n", frame.script);
  return page + "</body>\n</html>\n";
}

}  // namespace copse
