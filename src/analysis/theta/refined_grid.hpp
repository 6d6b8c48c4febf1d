// Functions over a grid from few of its points: more of them where values are not what those around foretell,
// so that a kink, a valley, or the border of where functions are numbers asks for points there alone.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/theta/bisected_axis.hpp"
#include "analysis/theta/interpolant.hpp"

namespace greybox {

// A place counts the points of the grid, the last axis running fastest. Where the first quantity is no finite
// number, none is: such places are a region of their own, which is foretold where all around are so.
class RefinedGrid {
 public:
  // [quantity][place of the list]
  using ValuesAt = std::function<Quantities(const std::vector<std::size_t>& places)>;
  // How many times the error that is allowed values are away from those that were foretold, one per place.
  using Judge = std::function<std::vector<double>(const std::vector<std::size_t>& places,
                                                  const Quantities& foretold, const Quantities& found)>;

  // Where the points of one or two axes lie, rising.
  explicit RefinedGrid(std::vector<std::vector<double>> positions);

  // Until what was foretold is right wherever the last points were added. False where that takes more than so
  // many points; those that were computed stay known.
  bool refine(const ValuesAt& values_at, const Judge& judge, std::size_t most_points);
  // Computes those that are not known, too.
  void compute(const std::vector<std::size_t>& places, const ValuesAt& values_at);

  std::size_t size() const { return is_known_.size(); }
  bool is_known(std::size_t place) const { return is_known_[place] != 0; }
  std::vector<std::size_t> known() const;
  // [quantity][place], from those that are known.
  const Quantities& values() const { return values_; }
  // Of other functions, from their values at the places that are known, [quantity][place of that list].
  Quantities filled(const Quantities& found) const;

 private:
  // Calls with places of one level that are known, and what was foretold of them.
  using Compare = std::function<void(const std::vector<std::size_t>& places, const Quantities& foretold)>;
  struct Stencil;
  struct Point {
    std::size_t along[2];
  };

  std::size_t n_levels() const;
  std::vector<std::size_t> lattice(std::size_t level) const;
  // The lowest level all of which is computed.
  std::size_t full_level() const;
  std::vector<std::size_t> wanted(std::size_t level, const std::vector<double>& apart) const;
  std::size_t place(std::size_t first, std::size_t second) const {
    return first * axes_[1].n_points() + second;
  }

  void foretell(std::size_t level, Quantities& values, const Compare& compare) const;
  void foretell_some(std::size_t level, const std::vector<Point>& points, bool along_first, bool along_second,
                     Quantities& values, const Compare& compare) const;
  Stencil stencil(std::size_t axis, std::size_t level, const Point& point, const Quantities& values) const;
  void find(const std::vector<std::size_t>& places, const ValuesAt& values_at);
  void fill(Quantities& values) const;
  void set_known(const std::vector<std::size_t>& places, const Quantities& found, Quantities& values) const;

  std::vector<std::vector<double>> positions_;
  // One that is not there has a single point.
  std::vector<BisectedAxis> axes_;
  std::vector<std::uint8_t> is_known_;
  Quantities values_;
};

}  // namespace greybox
