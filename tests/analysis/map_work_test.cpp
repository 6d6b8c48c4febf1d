// What several maps are expected to take.
#include "analysis/landscape/map_work.hpp"

#include <gtest/gtest.h>

namespace greybox {
namespace {

TEST(MapWork, MapsThatAreComputedPointByPointAreWhatTheyAre) {
  MapWork work(300);
  for (int map = 0; map < 3; ++map) {
    work.begin(100, false);
    for (std::size_t n = 10; n <= 100; n += 10) {
      work.show(n);
      EXPECT_EQ(work.n_total(), 300U);
      EXPECT_EQ(work.n_done(), 100 * static_cast<std::size_t>(map) + n);
    }
    work.end();
  }
  EXPECT_EQ(work.n_done(), work.n_total());
}

TEST(MapWork, WhatInterpolationTookOfOneMapIsExpectedOfTheNext) {
  MapWork work(900);
  work.begin(300, true);
  work.show(10);
  EXPECT_LE(work.n_total(), 300U) << "not all points of all maps";
  work.show(30);
  work.end();
  EXPECT_EQ(work.n_total(), 30U + 60U);
  work.begin(300, true);
  EXPECT_EQ(work.n_total(), 90U);
}

TEST(MapWork, AMapThatCouldNotBeInterpolatedCountsTwice) {
  MapWork work(100);
  work.begin(100, true);
  work.show(30);
  work.begin_again(false);
  EXPECT_EQ(work.n_total(), 130U);
  work.show(100);
  EXPECT_EQ(work.n_done(), 130U);
  work.end();
  EXPECT_EQ(work.n_total(), 130U);
}

TEST(MapWork, NeverExpectsLessThanIsDone) {
  MapWork work(200);
  for (int map = 0; map < 2; ++map) {
    work.begin(100, true);
    for (std::size_t n = 1; n <= 100; ++n) {
      work.show(n);
      EXPECT_GE(work.n_total(), work.n_done());
    }
    work.end();
  }
}

}  // namespace
}  // namespace greybox
