// exp for arguments that are at most 700, compiled once per SIMD target.
#if defined(COPSE_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef COPSE_EXP_INL_H_
#undef COPSE_EXP_INL_H_
#else
#define COPSE_EXP_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace copse {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Relative error below 1e-15; exactly 0 below -708, minus infinity included. Weights are scaled to be at most
// 1, or not far above, and with that the general function's care for overflow, denormals and NaN can be left
// out: it takes half the time. x = k ln 2 + r, exp(x) = 2^k p(r), where p interpolates exp at the Chebyshev
// nodes of |r| <= ln 2 / 2.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V bounded_exp(D d, V x) {
  const hn::RebindToSigned<D> bits;
  const auto lowest = hn::Set(d, -708.0);
  const V bounded = hn::Max(x, lowest);
  // Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits of the sum.
  const V magic = hn::Set(d, 0x1.8p52);
  const V shifted = hn::MulAdd(bounded, hn::Set(d, 0x1.71547652b82fep+0), magic);
  const V k = hn::Sub(shifted, magic);
  V r = hn::MulAdd(k, hn::Set(d, -0x1.62e42fefa39efp-1), bounded);
  r = hn::MulAdd(k, hn::Set(d, -0x1.abc9e3b39803fp-56), r);
  const V r2 = hn::Mul(r, r);
  const V r4 = hn::Mul(r2, r2);
  const V c01 = hn::MulAdd(r, hn::Set(d, 0x1.000000000001ep+0), hn::Set(d, 1.0));
  const V c23 = hn::MulAdd(r, hn::Set(d, 0x1.555555554b735p-3), hn::Set(d, 0x1.0000000000005p-1));
  const V c45 = hn::MulAdd(r, hn::Set(d, 0x1.1111112ddb018p-7), hn::Set(d, 0x1.55555555520a7p-5));
  const V c67 = hn::MulAdd(r, hn::Set(d, 0x1.a01978b867878p-13), hn::Set(d, 0x1.6c16c17f46ecfp-10));
  const V c89 = hn::MulAdd(r, hn::Set(d, 0x1.72faff07e54c0p-19), hn::Set(d, 0x1.a019a65fd7e13p-16));
  const V c03 = hn::MulAdd(r2, c23, c01);
  const V c47 = hn::MulAdd(r2, c67, c45);
  const V c8a = hn::MulAdd(r2, hn::Set(d, 0x1.28a2cb494d95fp-22), c89);
  const V p = hn::MulAdd(r4, hn::MulAdd(r4, c8a, c47), c03);
  const auto exponent = hn::ShiftLeft<52>(hn::BitCast(bits, shifted));
  const V result = hn::BitCast(d, hn::Add(hn::BitCast(bits, p), exponent));
  return hn::IfThenElseZero(hn::Ge(x, lowest), result);
}

}  // namespace HWY_NAMESPACE
}  // namespace copse
HWY_AFTER_NAMESPACE();

#endif  // per-target toggle
