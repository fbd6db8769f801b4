#include <algorithm>

#include "render/tree_drawing.h"

namespace copse {
namespace {

constexpr int kGap = 4;

int widest(const std::vector<DrawnLine>& drawing) {
  int columns = 0;
  for (const DrawnLine& line : drawing) columns = std::max(columns, line.columns);
  return columns;
}

// How many of the drawings fit beside each other; at least one.
size_t fitting(std::span<const std::vector<DrawnLine>> drawings, int columns) {
  int used = widest(drawings[0]);
  size_t count = 1;
  while (count < drawings.size()) {
    used += kGap + widest(drawings[count]);
    if (columns > 0 && used > columns) break;
    ++count;
  }
  return count;
}

void append_row(std::span<const std::vector<DrawnLine>> drawings, std::string& out) {
  size_t height = 0;
  for (const auto& drawing : drawings) height = std::max(height, drawing.size());
  for (size_t row = 0; row < height; ++row) {
    int pending_spaces = 0;
    for (const auto& drawing : drawings) {
      const DrawnLine line = row < drawing.size() ? drawing[row] : DrawnLine{};
      if (line.columns > 0) {
        out.append(static_cast<size_t>(pending_spaces), ' ').append(line.text);
        pending_spaces = 0;
      }
      pending_spaces += widest(drawing) - line.columns + kGap;
    }
    out.push_back('\n');
  }
}

}  // namespace

std::string side_by_side(std::span<const std::vector<DrawnLine>> drawings, int columns) {
  std::string out;
  while (!drawings.empty()) {
    if (!out.empty()) out.push_back('\n');
    const size_t count = fitting(drawings, columns);
    append_row(drawings.first(count), out);
    drawings = drawings.subspan(count);
  }
  return out;
}

}  // namespace copse
