// The ways to learn, as the command line calls them.
#pragma once

#include <greybox/train.hpp>
#include <map>
#include <string>

namespace greybox::apps {

inline const std::map<std::string, TrainMode>& mode_names() {
  static const std::map<std::string, TrainMode> names = {{"adaptive", TrainMode::adaptive},
                                                         {"inductive", TrainMode::inductive},
                                                         {"transductive", TrainMode::transductive},
                                                         {"aphynity", TrainMode::aphynity},
                                                         {"tailored", TrainMode::tailored}};
  return names;
}

}  // namespace greybox::apps
