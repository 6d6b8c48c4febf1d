// Loads and stores at the end of an array, where fewer values are left than a vector holds.
#if defined(GREYBOX_LANGUAGE_PARTIAL_VECTOR_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GREYBOX_LANGUAGE_PARTIAL_VECTOR_INL_HPP
#undef GREYBOX_LANGUAGE_PARTIAL_VECTOR_INL_HPP
#else
#define GREYBOX_LANGUAGE_PARTIAL_VECTOR_INL_HPP
#endif

#include <cstddef>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Values i … of an array of n whose memory is padded to whole vectors. Lanes past the end repeat value i:
// whatever is computed from padding is then as harmless (and as fast) as the real samples.
template <class D, class T = hn::TFromD<D>>
hn::Vec<D> load_repeating(D d, const T* from, std::size_t i, std::size_t n) {
  const auto loaded = hn::LoadU(d, from + i);
  if (HWY_LIKELY(i + hn::Lanes(d) <= n)) return loaded;
  return hn::IfThenElse(hn::FirstN(d, n - i), loaded, hn::Set(d, from[i]));
}

// The first `count` lanes; the others are zero and their memory is not touched.
template <class D, class T = hn::TFromD<D>>
hn::Vec<D> load_part(D d, const T* from, std::size_t count) {
  return count >= hn::Lanes(d) ? hn::LoadU(d, from) : hn::MaskedLoad(hn::FirstN(d, count), d, from);
}

template <class D, class T = hn::TFromD<D>>
void store_part(D d, hn::Vec<D> values, T* to, std::size_t count) {
  if (count >= hn::Lanes(d)) {
    hn::StoreU(values, d, to);
  } else {
    hn::BlendedStore(values, hn::FirstN(d, count), d, to);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#endif
