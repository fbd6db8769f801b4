// Vectors of floats, and the functions of networks on them; compiled once per SIMD target.
#if defined(COPSE_ACTIVATIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COPSE_ACTIVATIONS_INL_H_
#undef COPSE_ACTIVATIONS_INL_H_
#else
#define COPSE_ACTIVATIONS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatLanes = hn::CappedTag<float, 16>;
using FloatVector = hn::Vec<FloatLanes>;
inline constexpr std::size_t kFloatLanes = hn::MaxLanes(FloatLanes());

// A vector of neighbours: whole, or at the end of a row its first `count` numbers, where the others are
// computed as zeros and not stored. Both go through the same arithmetic, so that a result does not depend on
// the place of a number in its row.
struct WholeVector {
  HWY_INLINE FloatVector load(const float* from) const { return hn::LoadU(FloatLanes(), from); }
  HWY_INLINE void store(FloatVector numbers, float* to) const { hn::StoreU(numbers, FloatLanes(), to); }
  template <class Bytes>
  HWY_INLINE hn::Vec<Bytes> load_bytes(Bytes d, const std::int8_t* from) const {
    return hn::LoadU(d, from);
  }
  template <class Bytes>
  HWY_INLINE void store_bytes(hn::Vec<Bytes> numbers, Bytes d, std::uint8_t* to) const {
    hn::StoreU(numbers, d, to);
  }
};
struct FirstOfVector {
  std::size_t count;

  HWY_INLINE FloatVector load(const float* from) const {
    float numbers[kFloatLanes] = {};
    std::memcpy(numbers, from, count * sizeof(float));
    return hn::LoadU(FloatLanes(), numbers);
  }
  HWY_INLINE void store(FloatVector numbers, float* to) const {
    float lanes[kFloatLanes];
    hn::StoreU(numbers, FloatLanes(), lanes);
    std::memcpy(to, lanes, count * sizeof(float));
  }
  template <class Bytes>
  HWY_INLINE hn::Vec<Bytes> load_bytes(Bytes d, const std::int8_t* from) const {
    std::int8_t bytes[kFloatLanes] = {};
    std::memcpy(bytes, from, count);
    return hn::LoadU(d, bytes);
  }
  template <class Bytes>
  HWY_INLINE void store_bytes(hn::Vec<Bytes> numbers, Bytes d, std::uint8_t* to) const {
    std::uint8_t lanes[kFloatLanes];
    hn::StoreU(numbers, d, lanes);
    std::memcpy(to, lanes, count);
  }
};

// Calls use(vector, first) for the vectors of a row.
template <class Use>
HWY_INLINE void for_each_vector(std::size_t size, Use use) {
  std::size_t k = 0;
  for (; k + kFloatLanes <= size; k += kFloatLanes) use(WholeVector(), k);
  if (kFloatLanes > 1 && k < size) use(FirstOfVector{size - k}, k);
}

// Sixteen sums side by side, in as many vectors as the target needs: every target adds up in the same order.
inline constexpr std::size_t kSumLanes = 16;
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE float total_of_lanes(FloatLanes /*d*/, FloatVector lanes) { return hn::GetLane(lanes); }
#else
template <class D>
HWY_INLINE float total_of_lanes(D /*d*/, hn::Vec<D> lanes) {
  if constexpr (hn::MaxLanes(D()) == 1) {
    return hn::GetLane(lanes);
  } else {
    const hn::Half<D> half;
    return total_of_lanes(half, hn::Add(hn::LowerHalf(half, lanes), hn::UpperHalf(half, lanes)));
  }
}
#endif
struct SixteenSums {
  FloatVector part[kSumLanes / kFloatLanes];

  HWY_INLINE void set(float value) {
    for (FloatVector& sums : part) sums = hn::Set(FloatLanes(), value);
  }
  HWY_INLINE void store(float* lanes) const {
    for (std::size_t p = 0; p < kSumLanes / kFloatLanes; ++p) {
      hn::StoreU(part[p], FloatLanes(), lanes + p * kFloatLanes);
    }
  }
  // Adds lanes that are 8 apart, then 4, 2, 1.
  HWY_INLINE float total() const {
    SixteenSums sums = *this;
    for (std::size_t half = kSumLanes / kFloatLanes / 2; half > 0; half /= 2) {
      for (std::size_t p = 0; p < half; ++p) sums.part[p] = hn::Add(sums.part[p], sums.part[p + half]);
    }
    return total_of_lanes(FloatLanes(), sums.part[0]);
  }
  HWY_INLINE float largest() const {
    float lanes[kSumLanes];
    store(lanes);
    float best = lanes[0];
    for (const float lane : lanes) best = lane > best ? lane : best;
    return best;
  }
};

// 2^k and exp(r) - 1 for x = k ln 2 + r, |r| <= ln 2 / 2. At most 0; below -87, as if it were -87, since 2^k
// must be a normal number. NaN stays NaN. r + r² q(r), where q interpolates at Chebyshev nodes, is exp(r) - 1
// with a relative error of 3e-8.
struct SplitExp {
  FloatVector power;
  FloatVector minus_one;
};
HWY_INLINE SplitExp split_exp_of_nonpositive(FloatVector x) {
  const FloatLanes d;
  const hn::RebindToSigned<FloatLanes> bits;
  const FloatVector lowest = hn::Set(d, -87.0F);
  const FloatVector bounded = hn::IfThenElse(hn::Lt(x, lowest), lowest, x);
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits of the sum.
  const FloatVector magic = hn::Set(d, 0x1.8p23F);
  const FloatVector shifted = hn::MulAdd(bounded, hn::Set(d, 0x1.715476p+0F), magic);
  const FloatVector k = hn::Sub(shifted, magic);
  FloatVector r = hn::MulAdd(k, hn::Set(d, -0x1.62e4p-1F), bounded);
  r = hn::MulAdd(k, hn::Set(d, -0x1.7f7d1cp-20F), r);
  FloatVector q = hn::MulAdd(r, hn::Set(d, 0x1.6d10fep-10F), hn::Set(d, 0x1.120b64p-7F));
  q = hn::MulAdd(r, q, hn::Set(d, 0x1.55551ap-5F));
  q = hn::MulAdd(r, q, hn::Set(d, 0x1.5554dep-3F));
  q = hn::MulAdd(r, q, hn::Set(d, 0.5F));
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(bits, shifted));
  const FloatVector power = hn::BitCast(d, hn::Add(exponent, hn::Set(bits, 0x3F800000)));
  return {power, hn::MulAdd(hn::Mul(r, r), q, r)};
}

// exp(x) for x <= 0, exactly 0 for minus infinity and everything below -87.
HWY_INLINE FloatVector exp_of_nonpositive(FloatVector x) {
  const FloatLanes d;
  const SplitExp split = split_exp_of_nonpositive(x);
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -87.0F)),
                            hn::MulAdd(split.power, split.minus_one, split.power));
}

// tanh(x / 2), from exp(-|x|) - 1, in which nothing cancels: the relative error is small around 0, too. Rises
// with x from each float to the next.
HWY_INLINE FloatVector tanh_of_half(FloatVector x) {
  const FloatLanes d;
  const SplitExp split = split_exp_of_nonpositive(hn::Neg(hn::Abs(x)));
  const FloatVector t = hn::MulAdd(split.power, split.minus_one, hn::Sub(split.power, hn::Set(d, 1.0F)));
  return hn::CopySign(hn::Div(t, hn::Sub(hn::Set(d, -2.0F), t)), x);
}

HWY_INLINE FloatVector tanh(FloatVector x) { return tanh_of_half(hn::Add(x, x)); }

// 1 / (1 + exp(-x)), with an absolute error of about 1e-7, and rising like tanh.
HWY_INLINE FloatVector sigmoid(FloatVector x) {
  const FloatVector half = hn::Set(FloatLanes(), 0.5F);
  return hn::MulAdd(tanh_of_half(x), half, half);
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
