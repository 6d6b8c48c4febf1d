// What readings of regularizers come from, one regularizer after the other.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "analysis/verdict/profile.hpp"
#include "analysis/verdict/study_reading.hpp"

namespace greybox {

// A valley that holds less than this share of the prior ties the parameters along it.
inline constexpr double kThinValley = 0.05;

// The data matched, or where that is not possible the networks as trained.
class ReadingSource {
 public:
  virtual ~ReadingSource() = default;
  virtual const std::vector<std::size_t>& parameters() const = 0;
  virtual bool has_values(std::size_t regularizer) = 0;
  virtual ParameterReading read(std::size_t axis) = 0;
  virtual Valley valley() = 0;
  // Whether a valley that no combination describes ties an open axis to other open ones.
  virtual bool is_tied(std::size_t axis, const std::vector<std::size_t>& open) = 0;
  // Whether R is low along a combination that may be named: at most of these coordinates of all varied
  // parameters, of which `held` stay as they are.
  virtual bool is_low_along(const std::vector<std::vector<double>>& rows,
                            const std::vector<std::size_t>& held) = 0;
  // Whether the search for the lowest value came to its end.
  virtual bool is_settled() = 0;
};

class StudySource final : public ReadingSource {
 public:
  explicit StudySource(ThetaStudies& studies) : studies_(studies) {}
  const std::vector<std::size_t>& parameters() const override { return studies_.last().axes; }
  bool has_values(std::size_t regularizer) override {
    return greybox::has_values(studies_.study(regularizer));
  }
  ParameterReading read(std::size_t axis) override { return read_study(studies_.last(), axis); }
  Valley valley() override { return valley_of(studies_.last()); }
  bool is_tied(std::size_t axis, const std::vector<std::size_t>& open) override {
    return greybox::is_tied(studies_, axis, open);
  }
  bool is_low_along(const std::vector<std::vector<double>>& rows,
                    const std::vector<std::size_t>& held) override {
    return greybox::is_low_along(studies_, rows, held);
  }
  bool is_settled() override { return !studies_.last().still_falls; }

 private:
  ThetaStudies& studies_;
};

// Regularizers in groups, in their order: memory does not grow with their number.
class CloudSource final : public ReadingSource {
 public:
  using MakeCloud = std::function<ThetaCloud(const CloudRange&)>;

  CloudSource(MakeCloud make, std::size_t n_regularizers, std::size_t n_at_once)
      : make_(std::move(make)), n_regularizers_(n_regularizers), n_at_once_(n_at_once) {
    move_to(0);
  }
  const ThetaCloud& cloud() const { return cloud_; }
  const std::vector<std::size_t>& parameters() const override { return cloud_.parameters; }
  bool has_values(std::size_t regularizer) override {
    if (regularizer < range_.first || regularizer >= range_.first + range_.n) move_to(regularizer);
    if (!greybox::has_values(cloud_, regularizer - range_.first)) return false;
    set_ = find_sublevel_set(cloud_, regularizer - range_.first);
    return true;
  }
  ParameterReading read(std::size_t axis) override { return read_parameter(cloud_, set_, axis); }
  Valley valley() override { return valley_of(cloud_, set_); }
  bool is_tied(std::size_t /*axis*/, const std::vector<std::size_t>& open) override {
    return open.size() == parameters().size() && valley().low_share < kThinValley;
  }
  // The cloud has no points there; its valley is all that is known.
  bool is_low_along(const std::vector<std::vector<double>>& /*rows*/,
                    const std::vector<std::size_t>& /*held*/) override {
    return true;
  }
  bool is_settled() override { return true; }

 private:
  void move_to(std::size_t regularizer) {
    range_ = {regularizer, std::min(n_at_once_, n_regularizers_ - regularizer)};
    cloud_ = {};
    cloud_ = make_(range_);
  }

  MakeCloud make_;
  std::size_t n_regularizers_, n_at_once_;
  CloudRange range_;
  ThetaCloud cloud_;
  SublevelSet set_;
};

}  // namespace greybox
