// How often progress is shown: on a terminal, where it is redrawn, and in a log, where it adds up.
#pragma once

#include <chrono>

namespace greybox::apps {

inline constexpr std::chrono::milliseconds kRedraw{100};
inline constexpr std::chrono::seconds kLogInterval{10};

}  // namespace greybox::apps
