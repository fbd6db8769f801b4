#include "cluster/mpi_team.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "cluster/sparse_numbers.h"

namespace copse {
namespace {

constexpr std::size_t kPieceNumbers = std::size_t{1} << 16;
constexpr std::size_t kPieceBytes = kPieceNumbers * sizeof(std::int64_t);
// Vectors that are longer are added up part by part.
constexpr std::size_t kShortNumbers = 1024;
// Pieces that are on the way in each direction at a time.
constexpr std::size_t kSlots = 4;

enum TeamTag : int { kDense, kSparse };

std::size_t index_of(int rank) { return static_cast<std::size_t>(rank); }

int length_of(const MPI_Status& status) {
  int length = 0;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &length));
  return length;
}

}  // namespace

// Bytes that go to, or come from, a rank.
struct MpiTeam::Piece {
  int rank;
  std::byte* data;
  std::size_t size;

  std::span<std::byte> bytes() const { return {data, size}; }

  static void add(int rank, std::span<std::byte> bytes, std::vector<Piece>& pieces) {
    for (std::size_t begin = 0; begin < bytes.size(); begin += kPieceBytes) {
      pieces.push_back({rank, bytes.data() + begin, std::min(kPieceBytes, bytes.size() - begin)});
    }
  }
};

// Sends pieces and receives others, a few at a time. Both sides go through the pieces between them in the
// same order.
class MpiTeam::Traffic {
 public:
  Traffic(MpiTeam& team, std::vector<Piece> out, std::vector<Piece> in)
      : team_(team), out_(std::move(out)), in_(std::move(in)) {
    requests_.fill(MPI_REQUEST_NULL);
  }
  virtual ~Traffic() = default;
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  void run() {
    std::vector<int> done;
    std::vector<MPI_Status> statuses;
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      start_receiving(slot);
      start_sending(slot);
    }
    for (std::size_t left = in_.size() + out_.size(); left > 0;) {
      const int count = team_.wait_.some(requests_, done, statuses);
      if (count == MPI_UNDEFINED) throw std::logic_error("pieces between processes got lost");
      left -= static_cast<std::size_t>(count);
      for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
        const auto request = static_cast<std::size_t>(done[k]);
        if (request >= kSlots) {
          start_sending(request - kSlots);
        } else {
          end_receiving(request, in_[received_[request]], statuses[k]);
          start_receiving(request);
        }
      }
    }
  }

 protected:
  struct Message {
    std::span<const std::byte> bytes;
    TeamTag tag;
  };

  virtual void end_receiving(std::size_t /*slot*/, const Piece& piece, const MPI_Status& status) {
    if (static_cast<std::size_t>(length_of(status)) != piece.size) {
      throw std::logic_error("a piece of another length than expected came from another process");
    }
  }

 private:
  virtual Message message(std::size_t /*slot*/, const Piece& piece) { return {piece.bytes(), kDense}; }
  // Where the bytes of a piece are to go, as many at most.
  virtual std::byte* place(std::size_t /*slot*/, const Piece& piece) { return piece.data; }
  void start_sending(std::size_t slot) {
    if (next_out_ == out_.size()) return;
    const Piece& piece = out_[next_out_++];
    const Message sent = message(slot, piece);
    check_mpi(MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE, piece.rank,
                        sent.tag, team_.communicator_, &requests_[kSlots + slot]));
    team_.count_sent(sent.bytes.size());
  }
  void start_receiving(std::size_t slot) {
    if (next_in_ == in_.size()) return;
    received_[slot] = next_in_;
    const Piece& piece = in_[next_in_++];
    check_mpi(MPI_Irecv(place(slot, piece), static_cast<int>(piece.size), MPI_BYTE, piece.rank, MPI_ANY_TAG,
                        team_.communicator_, &requests_[slot]));
  }

  MpiTeam& team_;
  std::vector<Piece> out_;
  std::vector<Piece> in_;
  std::size_t next_out_ = 0;
  std::size_t next_in_ = 0;
  std::array<std::size_t, kSlots> received_{};      // the piece that a slot receives
  std::array<MPI_Request, 2 * kSlots> requests_{};  // receiving, then sending
};

namespace {

std::span<std::byte> bytes_of(std::span<std::int64_t> numbers) { return std::as_writable_bytes(numbers); }

}  // namespace

void MpiTeam::meet() {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(communicator_, &request));
  wait_.one(request);
}

void MpiTeam::transfer(std::vector<Piece> out, std::vector<Piece> in) {
  Traffic(*this, std::move(out), std::move(in)).run();
}

void MpiTeam::do_add_up(std::span<std::int64_t> numbers) {
  if (numbers.size() > kShortNumbers) {
    const std::vector<std::size_t> bounds = even_bounds(*this, numbers.size(), 1);
    do_add_up_parts(numbers, bounds);
    std::vector<std::size_t> in_bytes = bounds;
    for (std::size_t& bound : in_bytes) bound *= sizeof(std::int64_t);
    do_gather_parts(bytes_of(numbers), in_bytes);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T,
                           MPI_SUM, communicator_, &request));
  wait_.one(request);
  // Each number goes out once to be added to others, and once as a part of the sum.
  count_sent(2 * numbers.size_bytes());
}

void MpiTeam::do_add_up_parts(std::span<std::int64_t> numbers, std::span<const std::size_t> bounds) {
  // Adds what comes to the own part.
  class Sums : public Traffic {
   public:
    using Traffic::Traffic;

   private:
    static std::span<std::int64_t> numbers_of(const Piece& piece) {
      return {reinterpret_cast<std::int64_t*>(piece.data), piece.size / sizeof(std::int64_t)};
    }
    Message message(std::size_t slot, const Piece& piece) override {
      if (pack_sparse(numbers_of(piece), packed_[slot])) return {packed_[slot], kSparse};
      return {piece.bytes(), kDense};
    }
    std::byte* place(std::size_t slot, const Piece& piece) override {
      addends_[slot].resize(piece.size / sizeof(std::int64_t));
      return bytes_of(addends_[slot]).data();
    }
    void end_receiving(std::size_t slot, const Piece& piece, const MPI_Status& status) override {
      const std::span<std::int64_t> sums = numbers_of(piece);
      if (status.MPI_TAG == kSparse) {
        const auto length = static_cast<std::size_t>(length_of(status));
        if (add_sparse(bytes_of(addends_[slot]).first(length), sums)) return;
        throw std::logic_error("a piece of other numbers than expected came from another process");
      }
      Traffic::end_receiving(slot, piece, status);
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += addends_[slot][k];
    }

    std::array<std::vector<std::byte>, kSlots> packed_;
    std::array<std::vector<std::int64_t>, kSlots> addends_;
  };
  const auto part = [&](int of) {
    const std::size_t begin = bounds[index_of(of)];
    return bytes_of(numbers.subspan(begin, bounds[index_of(of) + 1] - begin));
  };
  std::vector<Piece> out;
  std::vector<Piece> in;
  for (int distance = 1; distance < size(); ++distance) {
    Piece::add(neighbour(distance), part(neighbour(distance)), out);
    Piece::add(neighbour(-distance), part(rank()), in);
  }
  Sums(*this, std::move(out), std::move(in)).run();
}

void MpiTeam::do_gather_parts(std::span<std::byte> bytes, std::span<const std::size_t> bounds) {
  const auto part = [&](int of) {
    return bytes.subspan(bounds[index_of(of)], bounds[index_of(of) + 1] - bounds[index_of(of)]);
  };
  std::vector<Piece> out;
  std::vector<Piece> in;
  for (int distance = 1; distance < size(); ++distance) {
    Piece::add(neighbour(distance), part(rank()), out);
    Piece::add(neighbour(-distance), part(neighbour(-distance)), in);
  }
  transfer(std::move(out), std::move(in));
}

Team::Parcels MpiTeam::do_gather(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> sizes(index_of(size()));
  sizes[index_of(rank())] = bytes.size();
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, sizes.data(), 1, MPI_UINT64_T, communicator_,
                           &request));
  wait_.one(request);
  Parcels parcels(sizes.size());
  for (std::size_t from = 0; from < sizes.size(); ++from) parcels[from].resize(sizes[from]);
  std::copy(bytes.begin(), bytes.end(), parcels[index_of(rank())].begin());
  std::vector<Piece> out;
  std::vector<Piece> in;
  for (int distance = 1; distance < size(); ++distance) {
    Piece::add(neighbour(distance), parcels[index_of(rank())], out);
    Piece::add(neighbour(-distance), parcels[index_of(neighbour(-distance))], in);
  }
  count_sent(sizeof(std::uint64_t) * (sizes.size() - 1));
  transfer(std::move(out), std::move(in));
  return parcels;
}

Team::Parcels MpiTeam::do_exchange(Parcels parcels) {
  std::vector<std::uint64_t> sizes(index_of(size()));
  for (std::size_t to = 0; to < sizes.size(); ++to) sizes[to] = parcels[to].size();
  std::vector<std::uint64_t> coming(sizes.size());
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(
      MPI_Ialltoall(sizes.data(), 1, MPI_UINT64_T, coming.data(), 1, MPI_UINT64_T, communicator_, &request));
  wait_.one(request);
  Parcels received(sizes.size());
  received[index_of(rank())] = std::move(parcels[index_of(rank())]);
  std::vector<Piece> out;
  std::vector<Piece> in;
  for (int distance = 1; distance < size(); ++distance) {
    Piece::add(neighbour(distance), parcels[index_of(neighbour(distance))], out);
    const auto from = index_of(neighbour(-distance));
    received[from].resize(coming[from]);
    Piece::add(neighbour(-distance), received[from], in);
  }
  count_sent(sizeof(std::uint64_t) * (sizes.size() - 1));
  transfer(std::move(out), std::move(in));
  return received;
}

void MpiTeam::do_share(std::vector<std::byte>& bytes) {
  std::uint64_t size_in_bytes = bytes.size();
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibcast(&size_in_bytes, 1, MPI_UINT64_T, 0, communicator_, &request));
  wait_.one(request);
  bytes.resize(size_in_bytes);
  if (bytes.size() <= kShortNumbers * sizeof(std::int64_t)) {
    check_mpi(MPI_Ibcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, communicator_, &request));
    wait_.one(request);
    if (leads()) count_sent((sizeof(size_in_bytes) + bytes.size()) * (index_of(size()) - 1));
    return;
  }
  // Each process gets a part of it, and all send their parts to all: rank 0 need not send everything to
  // everybody.
  const std::vector<std::size_t> bounds = even_bounds(*this, bytes.size(), 1);
  std::vector<Piece> out;
  std::vector<Piece> in;
  const auto part = [&](int of) {
    return std::span(bytes).subspan(bounds[index_of(of)], bounds[index_of(of) + 1] - bounds[index_of(of)]);
  };
  for (int to = 1; to < size() && leads(); ++to) Piece::add(to, part(to), out);
  if (!leads()) Piece::add(0, part(rank()), in);
  transfer(std::move(out), std::move(in));
  do_gather_parts(bytes, bounds);
}

}  // namespace copse
