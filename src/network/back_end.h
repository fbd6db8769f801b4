// Layers are written once, as templates over a back end, which does their arithmetic:
//
//   FloatBackEnd          floats on processors, with gradients: training
//   ByteBackEnd           8 bits on processors, forward only: parsing
//   cuda::DeviceBackEnd   floats on a GPU, with gradients: both
//
// A layer holds what it keeps for its way back. A back end is a workspace, for one thread, of what operations
// need while they run. Its vocabulary:
//
//   Matrix         rows of floats to read and write; belongs to others, cheap to copy
//   Values         floats that a layer owns: resize(rows, columns) and all() give a Matrix
//   Activations    like Values, but what products read: after finish(), which rounds them where bytes are
//                  multiplied
//   Numbers, SignedNumbers, Lists, Sequences, GivenVectors
//                  what upload() makes of the host's numbers, lists of numbers, sequences, given word vectors
//   Form, GradientForm
//                  weights and their gradients: WeightSet<Form>, WeightSet<GradientForm>
//   LstmMemory     what an LSTM keeps for its way back
//
//   upload(from, to), upload(begins, values, lists)
//   finish(activations)
//   look_up(table, numbers, to, into)   row k of `to` is, or gets, row numbers[k] of a table or matrix
//   sum_up(table, lists, to)            row k of `to` is the sum of the rows in list k
//   read_vectors(vectors, numbers, to)  given vectors; zeros for numbers below 0
//   multiply(rows, affine, result)      rows · weights + bias
//   add(rows, to)                       to += rows
//   leaky_relu(rows)
//   lstm(sequences, rows, weights, memory, output)
//   lstm_to_end(sequences, rows, weights, memory, ends)
//                                       in each direction, what comes out of the last step of each sequence
//
// and of back ends that learn (kLearns), where gradients of weights are added to, and those of rows replaced:
//
//   copy(values, to)
//   draw_factors(site, factors)                     see DropoutSite
//   multiply_sequences(sequences, factors, rows)    *= the factors of its sequence, for every row
//   multiply_groups(factors, groups, rows)          *= [row][group], for every range of columns
//   look_up_backward(numbers, gradient, table)
//   sum_up_backward(lists, gradient, table)
//   multiply_backward(rows, gradient, affine, affine_gradient), and with `row_gradient` at the end
//   leaky_relu_backward(results, gradient)          results may have gone through dropout, which keeps signs
//   lstm_backward(sequences, rows, output, gradient, weights, lstm_gradient, memory, row_gradient)
//   lstm_to_end_backward(sequences, rows, gradient, weights, lstm_gradient, memory, row_gradient)
//
// layer_property.h among the tests says the same in numbers, for every back end.
#pragma once

#include "network/weight_set.h"

namespace copse {

template <class BackEnd>
using WeightsOn = WeightSet<typename BackEnd::Form>;
template <class BackEnd>
using GradientsOn = WeightSet<typename BackEnd::GradientForm>;

}  // namespace copse
