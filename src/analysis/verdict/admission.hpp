// Whether there can be verdicts at all: enough evidence, and a run that fits its data.
#pragma once

#include <string>

#include "analysis/run/opened_run.hpp"
#include "analysis/run/window_choice.hpp"
#include "core/thread_pool.hpp"

namespace greybox {

struct Admission {
  // Why there can be no verdict; empty: there can.
  std::string refusal{};
  // Without reserve; else what is left open may be for want of training.
  bool fits = true;
};

Admission admit(const OpenedRun& run, const WindowChoice& choice, ThreadPool& pool);

}  // namespace greybox
