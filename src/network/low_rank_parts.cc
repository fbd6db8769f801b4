#include "network/low_rank_parts.h"

#include "inference/tree_parts.h"

namespace copse {
namespace {
template <class F> void each(PartKind kind, const PartIndex& parts, F f) {
  if (kind == PartKind::sibling) for_each_part<PartKind::sibling>(parts, f);
  if (kind == PartKind::grandchild) for_each_part<PartKind::grandchild>(parts, f);
  if (kind == PartKind::grandsibling) for_each_part<PartKind::grandsibling>(parts, f);
}
}
void LowRankParts::score(ConstMatrix roles, std::span<const float> weights, const PartIndex& parts, Potentials& potentials) {
  for (const PartKind kind : part_kinds(parts.factorization())) {
    if (kind == PartKind::arc) continue;
    const auto& c = columns_.part(kind); const auto& b = blocks_.part(kind); std::size_t n = b.weights.columns;
    double* out = potentials[kind].data();
    each(kind, parts, [&](const PartWords& w) {
      const float* r = weights.data() + b.weights.offset;
      const float* h = roles.row(w.head) + c.head.begin; const float* m = roles.row(w.modifier) + c.modifier.begin;
      const float* s = !has_sibling(kind) ? nullptr : w.sibling == w.head ? weights.data() + b.no_sibling.offset : roles.row(w.sibling) + c.sibling.begin;
      const float* g = !has_grandparent(kind) ? nullptr : w.head == 0 ? weights.data() + b.no_grandparent.offset : roles.row(w.grandparent) + c.grandparent.begin;
      float sum = 0; for (std::size_t k = 0; k < n; ++k) { float p = r[k] * h[k] * m[k]; if (s) p *= s[k]; if (g) p *= g[k]; sum += p; }
      *out++ += sum;
    });
  }
}
void LowRankParts::backward(ConstMatrix roles, std::span<const float> weights, const PartIndex& parts, const PartValues& coefficients, Matrix role_gradient, std::span<float> gradients) {
  for (const PartKind kind : part_kinds(parts.factorization())) {
    if (kind == PartKind::arc) continue;
    const auto& c = columns_.part(kind); const auto& b = blocks_.part(kind); std::size_t n = b.weights.columns;
    const double* in = coefficients[kind].data();
    each(kind, parts, [&](const PartWords& w) {
      const float d = static_cast<float>(*in++); if (d == 0.0F) return;
      const float* r = weights.data() + b.weights.offset; float* dr = gradients.data() + b.weights.offset;
      const float* h = roles.row(w.head) + c.head.begin; const float* m = roles.row(w.modifier) + c.modifier.begin;
      float* dh = role_gradient.row(w.head) + c.head.begin; float* dm = role_gradient.row(w.modifier) + c.modifier.begin;
      const float* s = !has_sibling(kind) ? nullptr : w.sibling == w.head ? weights.data() + b.no_sibling.offset : roles.row(w.sibling) + c.sibling.begin;
      float* ds = !has_sibling(kind) ? nullptr : w.sibling == w.head ? gradients.data() + b.no_sibling.offset : role_gradient.row(w.sibling) + c.sibling.begin;
      const float* g = !has_grandparent(kind) ? nullptr : w.head == 0 ? weights.data() + b.no_grandparent.offset : roles.row(w.grandparent) + c.grandparent.begin;
      float* dg = !has_grandparent(kind) ? nullptr : w.head == 0 ? gradients.data() + b.no_grandparent.offset : role_gradient.row(w.grandparent) + c.grandparent.begin;
      for (std::size_t k = 0; k < n; ++k) {
        const float sk = s ? s[k] : 1, gk = g ? g[k] : 1;
        dr[k] += d * h[k] * m[k] * sk * gk; dh[k] += d * r[k] * m[k] * sk * gk; dm[k] += d * r[k] * h[k] * sk * gk;
        if (s) ds[k] += d * r[k] * h[k] * m[k] * gk; if (g) dg[k] += d * r[k] * h[k] * m[k] * sk;
      }
    });
  }
}
}
