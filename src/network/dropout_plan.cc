#include "network/dropout_plan.h"

#include <algorithm>

namespace copse {

std::array<Columns, kInputGroups> input_groups(const NetworkShape& shape) {
  const Columns form{0, shape.word_size};
  const Columns spelling{form.end(), shape.spellings_size()};
  return {form, spelling, {spelling.end(), shape.tags_size()}};
}

void draw_group_factors(std::size_t groups, float rate, Random& random, std::span<float> factors) {
  for (std::size_t row = 0; row < factors.size(); row += kInputGroups) {
    std::size_t kept = 0;
    for (std::size_t g = 0; g < groups; ++g) {
      const bool stays = random.uniform() >= rate;
      factors[row + g] = stays ? 1.0F : 0.0F;
      kept += stays ? 1 : 0;
    }
    const float factor = static_cast<float>(groups) / static_cast<float>(std::max<std::size_t>(kept, 1));
    for (std::size_t g = 0; g < groups; ++g) factors[row + g] *= factor;
  }
}

void DropoutPlan::clear() {
  rate_ = 0.0F;
  group_factors_.clear();
  sites_.clear();
}

void DropoutPlan::assign_sites(const NetworkShape& shape) {
  sites_.assign(shape.layers + 2, {});
  for (Site& site : sites_) site.columns = shape.encoder_size();
  sites_.front().columns = shape.input_size();
  sites_.back().columns = shape.guesses_words ? 0 : RoleColumns(shape).size;
}

void DropoutPlan::draw_from(std::size_t first_site, const Sequences& sequences, Random& random) {
  for (std::size_t number = first_site; number < sites_.size(); ++number) {
    Site& site = sites_[number];
    for (std::size_t s = 0; s < sequences.count() && site.columns > 0; ++s) {
      site.states.push_back(random.state());
      random.skip(site.columns);
    }
  }
}

void DropoutPlan::draw(const NetworkShape& shape, const Sequences& sequences, float rate, Random& random) {
  clear();
  if (!(rate > 0.0F)) return;
  rate_ = rate;
  group_factors_.assign(sequences.rows() * kInputGroups, 1.0F);
  const std::size_t groups = shape.tags_size() > 0 ? kInputGroups : kInputGroups - 1;
  draw_group_factors(groups, rate, random, group_factors_);
  assign_sites(shape);
  draw_from(0, sequences, random);
}

void DropoutPlan::draw(const NetworkShape& shape, const Sequences& sequences, float rate, Random& random,
                       std::span<const float> word_factors) {
  clear();
  for (const float factor : word_factors) group_factors_.insert(group_factors_.end(), kInputGroups, factor);
  if (!(rate > 0.0F)) return;
  rate_ = rate;
  assign_sites(shape);
  draw_from(1, sequences, random);
}

void DropoutPlan::append(const DropoutPlan& from, std::size_t sequence, std::size_t first_row,
                         std::size_t rows) {
  rate_ = from.rate_;
  if (!from.group_factors_.empty()) {
    const auto begin = from.group_factors_.begin() + static_cast<std::ptrdiff_t>(first_row * kInputGroups);
    group_factors_.insert(group_factors_.end(), begin,
                          begin + static_cast<std::ptrdiff_t>(rows * kInputGroups));
  }
  sites_.resize(from.sites_.size());
  for (std::size_t number = 0; number < sites_.size(); ++number) {
    const Site& site = from.sites_[number];
    sites_[number].columns = site.columns;
    if (!site.states.empty()) sites_[number].states.push_back(site.states[sequence]);
  }
}

}  // namespace copse
