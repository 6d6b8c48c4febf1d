// What a page draws of an evaluation.
#pragma once

#include "analysis/explore/session.hpp"

namespace greybox {

// Of fields, `step` is the output time that is shown; the last one where there are fewer.
Json json_of(const ExploreSession& session, const EvaluateRequest& request, const Evaluation& evaluation,
             std::size_t step);

}  // namespace greybox
