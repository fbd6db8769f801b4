#pragma once

#include "network/back_end.h"
#include "network/host_back_end.h"
#include "network/quantised_lstm.h"
#include "vectors/word_vectors.h"

namespace copse {

// 8 bits on processors, forward only: what networks parse with. What comes out for a sentence does not depend
// on the others of its batch, to the last bit. See back_end.h.
class ByteBackEnd : public HostBackEnd {
 public:
  static constexpr bool kLearns = false;
  using Form = QuantisedForm;
  struct GradientForm {
    struct None {};
    using Affine = None;
    using Lstm = None;
    using Bilinear = None;
    using Vector = None;
    using Table = None;
  };
  // Floats that were written become bytes; an LSTM writes bytes.
  class Activations {
   public:
    Matrix resize(std::size_t rows, std::size_t columns) { return floats_.resize(rows, columns); }
    Matrix all() { return floats_.all(); }
    void round() { bytes_.assign(floats_.all()); }
    QuantisedRows& bytes() { return bytes_; }

   private:
    Values floats_;
    QuantisedRows bytes_;
  };
  using GivenVectors = const WordVectors*;
  struct LstmMemory {};

  using HostBackEnd::upload;
  void upload(const WordVectors& from, GivenVectors& to) { to = &from; }
  void finish(Activations& activations) { activations.round(); }

  using HostBackEnd::look_up;
  void look_up(const QuantisedTable& table, Numbers numbers, Matrix to, Into into);
  void sum_up(const QuantisedTable& table, const Lists& lists, Matrix to);
  void read_vectors(GivenVectors vectors, SignedNumbers numbers, Activations& to);
  void multiply(Activations& rows, const QuantisedForm::Affine& affine, Matrix result) {
    affine.weights.multiply(rows.bytes(), affine.bias, result);
  }
  void lstm(const Sequences& sequences, Activations& rows, const QuantisedForm::Lstm& weights,
            LstmMemory& /*memory*/, Activations& output) {
    lstm_.run(sequences.host(), rows.bytes(), weights, output.bytes());
  }
  void lstm_to_end(const Sequences& sequences, Activations& rows, const QuantisedForm::Lstm& weights,
                   LstmMemory& /*memory*/, Matrix ends) {
    lstm_.run_to_end(sequences.host(), rows.bytes(), weights, ends);
  }

 private:
  QuantisedLstm lstm_;
};

}  // namespace copse
