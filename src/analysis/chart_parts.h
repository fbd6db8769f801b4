#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "evaluation/evaluator.h"

namespace copse {

// What all charts are made of.

// A piece of an axis: values from `low` to `high` lie between the positions `from` and `to`.
struct Scale {
  double low = 0.0;
  double high = 1.0;
  double from = 0.0;
  double to = 1.0;
  double operator()(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

// Where an axis of shares begins that has to show the value: a round number below it, from 0 to 0.9.
double axis_start(double lowest_value);
// Between gridlines, for an axis of shares of this length.
double axis_step(double length);

// Wilson's interval with 95%.
std::pair<double, double> wilson_interval(const Ratio& ratio);

// "91.23%", or "–" when there is nothing to measure.
std::string percentage(const Ratio& ratio);
std::string percentage(double share);
// "91.23% (1,204 of 1,320)".
std::string detailed(const Ratio& ratio);

// The name of the class that gives a system its colour.
std::string system_class(size_t system);

std::string svg_line(std::string_view style, double x1, double y1, double x2, double y2);
std::string svg_text(std::string_view style, double x, double y, std::string_view text);
// With a tooltip.
std::string svg_bar(std::string_view style, double x, double y, double width, double height,
                    std::string_view tooltip);
std::string svg_marker(size_t system, double x, double y, std::string_view tooltip);
// `markup` as a picture that scales to the page; `description` is for those who cannot see it.
std::string svg_picture(double width, double height, std::string_view description, std::string_view markup);

}  // namespace copse
