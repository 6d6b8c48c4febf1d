// A sample goes through a layer a few rows at a time, so that what is made of them stays in the cache.
#pragma once

#include <algorithm>
#include <cstddef>

namespace greybox {

struct Strip {
  std::size_t first = 0;
  std::size_t n_rows = 0;

  std::size_t end() const { return first + n_rows; }
};

// The strips of an image, all of the same height but the last, which takes what is left.
class Strips {
 public:
  // A strip has at least `fewest` rows.
  Strips(std::size_t height, std::size_t fewest)
      : height_(height), rows_(std::max(kRows, fewest)), size_(std::max<std::size_t>(height / rows_, 1)) {}

  std::size_t size() const { return size_; }
  Strip operator[](std::size_t i) const {
    return {.first = i * rows_, .n_rows = i + 1 < size_ ? rows_ : height_ - i * rows_};
  }
  bool is_last(const Strip& strip) const { return strip.end() == height_; }
  std::size_t rows() const { return rows_; }                           // of all but the last
  std::size_t most_rows() const { return (*this)[size_ - 1].n_rows; }  // those of the last

 private:
  static constexpr std::size_t kRows = 8;  // two rows of Winograd's tiles

  std::size_t height_, rows_, size_;
};

}  // namespace greybox
