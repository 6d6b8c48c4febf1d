// Verdicts cross the border alone, and with landscapes.
#pragma once

#include <greybox/verdict.hpp>

#include "options.hpp"

namespace greybox::python {

template <>
struct Names<Finding> {
  static constexpr std::pair<Finding, const char*> list[] = {
      {Finding::identifiable, name_of(Finding::identifiable).data()},
      {Finding::flat, name_of(Finding::flat).data()},
      {Finding::one_sided, name_of(Finding::one_sided).data()},
      {Finding::several_minima, name_of(Finding::several_minima).data()},
      {Finding::unstable, name_of(Finding::unstable).data()},
      {Finding::disagree, name_of(Finding::disagree).data()},
      {Finding::not_adapted, name_of(Finding::not_adapted).data()},
      {Finding::determined, name_of(Finding::determined).data()},
      {Finding::cut_off, name_of(Finding::cut_off).data()},
      {Finding::not_judged, name_of(Finding::not_judged).data()}};
};

template <>
struct Fields<Profile> {
  using P = Profile;
  static constexpr auto list = std::tuple{Field{"theta", &P::theta}, Field{"lowest", &P::lowest},
                                          Field{"low", &P::low}, Field{"high", &P::high}};
};

template <>
struct Fields<Verdict> {
  using V = Verdict;
  static constexpr auto list =
      std::tuple{Field{"parameter", &V::parameter}, Field{"regularizer", &V::regularizer},
                 Field{"finding", &V::finding},     Field{"sentence", &V::sentence},
                 Field{"evidence", &V::evidence},   Field{"best", &V::best},
                 Field{"interval", &V::interval},   Field{"profile", &V::profile},
                 Field{"intervals", &V::intervals}, Field{"needs_more_data", &V::needs_more_data}};
};

template <>
struct Fields<FlatCombination> {
  using C = FlatCombination;
  static constexpr auto list = std::tuple{Field{"regularizer", &C::regularizer}, Field{"text", &C::text},
                                          Field{"direction", &C::direction}, Field{"sentence", &C::sentence}};
};

template <>
struct Fields<Verdicts> {
  using V = Verdicts;
  static constexpr auto list =
      std::tuple{Field{"verdicts", &V::verdicts},     Field{"combinations", &V::combinations},
                 Field{"split", &V::split},           Field{"n_windows", &V::n_windows},
                 Field{"n_networks", &V::n_networks}, Field{"summary", &V::summary},
                 Field{"warnings", &V::warnings}};
};

template <>
struct Fields<JudgeOptions> {
  using J = JudgeOptions;
  static constexpr auto list = std::tuple{Field{"regularizers", &J::regularizers},
                                          Field{"on", &J::on},
                                          Field{"n_windows", &J::n_windows},
                                          Field{"data", &J::data},
                                          Field{"held", &J::held},
                                          Field{"seeds", &J::seeds},
                                          Field{"with", &J::with},
                                          Field{"n_resamples", &J::n_resamples},
                                          Field{"seed", &J::seed}};
};

}  // namespace greybox::python
