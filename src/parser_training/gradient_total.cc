#include "parser_training/gradient_total.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "io/bytes.h"
#include "network/element_kernels.h"

namespace copse {

GradientTotal::GradientTotal(const NetworkBlocks& blocks, TaskPool& pool)
    : blocks_(&blocks),
      pool_(&pool),
      team_(&pool.team()),
      bounds_(even_bounds(*team_, blocks.dense, kSegment)),
      begin_(bounds_[static_cast<std::size_t>(team_->rank())]),
      sum_(blocks, bounds_[static_cast<std::size_t>(team_->rank()) + 1] - begin_) {}

GradientTotal::Report GradientTotal::add_up(std::size_t parts, std::span<const double> losses,
                                            std::span<const Gradients> gradients) {
  sum_.clear();
  add_up_dense(parts, gradients);
  const std::vector<double> all_losses = gather(parts, losses, gradients);
  Report report;
  report.loss = std::accumulate(all_losses.begin(), all_losses.end(), 0.0);
  report.square = std::accumulate(squares_.begin(), squares_.end(), 0.0);
  const std::vector<const Block*> tables = blocks_->tables();
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (std::size_t part = 0; part < parts; ++part) {
      const auto add = [&](std::span<const std::uint32_t> numbers, std::span<const float> values) {
        const std::size_t columns = tables[t]->columns;
        for (std::size_t k = 0; k < numbers.size(); ++k) {
          add_scaled(values.subspan(k * columns, columns), 1.0F, sum_.row(*tables[t], numbers[k]));
        }
      };
      if (team_->is_alone()) {
        add(gradients[part].tables()[t].rows, gradients[part].tables()[t].values);
      } else {
        add(rows_[part][t].numbers, rows_[part][t].values);
      }
    }
    report.square += sum_of_squares(sum_.tables()[t].values);
  }
  return report;
}

// Every process gets its share of the gradients of all parts.
void GradientTotal::exchange_dense(std::span<const Gradients> gradients) {
  Team::Parcels parcels(static_cast<std::size_t>(team_->size()));
  pool_->for_each(parcels.size(), [&](std::size_t rank, int) {
    if (rank == static_cast<std::size_t>(team_->rank())) return;
    const std::size_t size = bounds_[rank + 1] - bounds_[rank];
    parcels[rank].reserve(gradients.size() * size * sizeof(float));
    for (const Gradients& part : gradients) {
      const auto bytes = std::as_bytes(part.dense().subspan(bounds_[rank], size));
      parcels[rank].insert(parcels[rank].end(), bytes.begin(), bytes.end());
    }
  });
  parcels_.clear();  // before others come: there is room for one set of them
  parcels_ = team_->exchange(std::move(parcels));
}

// The gradient of a part by the weights of the own share.
std::span<const float> GradientTotal::dense_of(std::size_t part, std::span<const Gradients> gradients) const {
  const auto size = static_cast<std::size_t>(team_->size());
  const std::size_t place = part / size;  // among those of its rank
  if (is_own(*team_, part)) return gradients[place].dense().subspan(begin_, sum_.dense().size());
  const std::vector<std::byte>& parcel = parcels_[part % size];
  return std::span(reinterpret_cast<const float*>(parcel.data()), parcel.size() / sizeof(float))
      .subspan(place * sum_.dense().size(), sum_.dense().size());
}

void GradientTotal::add_up_dense(std::size_t parts, std::span<const Gradients> gradients) {
  if (!team_->is_alone()) exchange_dense(gradients);
  const std::size_t share = sum_.dense().size();
  squares_.assign((share + kSegment - 1) / kSegment, 0.0);
  pool_->for_each(squares_.size(), [&](std::size_t segment, int) {
    const std::size_t begin = segment * kSegment;
    const std::span<float> sum = sum_.dense().subspan(begin, std::min(kSegment, share - begin));
    for (std::size_t part = 0; part < parts; ++part) {
      add_scaled(dense_of(part, gradients).subspan(begin, sum.size()), 1.0F, sum);
    }
    squares_[segment] = sum_of_squares(sum);
  });
}

// Brings together what is small: squares of segments, losses and rows of tables. Returns the losses by part.
std::vector<double> GradientTotal::gather(std::size_t parts, std::span<const double> losses,
                                          std::span<const Gradients> gradients) {
  if (team_->is_alone()) return {losses.begin(), losses.end()};
  ByteWriter own;
  own.numbers(std::span<const double>(squares_));
  own.numbers(losses);
  for (const Gradients& part : gradients) {
    for (const Gradients::Table& table : part.tables()) {
      own.numbers(std::span<const std::uint32_t>(table.rows));
      own.numbers(std::span<const float>(table.values));
    }
  }
  const Team::Parcels gathered = team_->gather(own.bytes());
  const std::size_t tables = sum_.tables().size();
  std::vector<double> all_losses(parts);
  rows_.resize(parts);
  squares_.clear();
  for (std::size_t rank = 0; rank < gathered.size(); ++rank) {
    ByteReader reader(gathered[rank], "gradients of another process");
    const auto squares = reader.numbers<double>();
    squares_.insert(squares_.end(), squares.begin(), squares.end());
    const auto its_losses = reader.numbers<double>();
    std::size_t part = rank;
    for (const double loss : its_losses) {
      all_losses.at(part) = loss;
      rows_[part].clear();
      for (std::size_t t = 0; t < tables; ++t) {
        std::vector<std::uint32_t> numbers = reader.numbers<std::uint32_t>();
        rows_[part].push_back({std::move(numbers), reader.numbers<float>()});
      }
      part += gathered.size();
    }
    reader.expect_end();
  }
  return all_losses;
}

}  // namespace copse
