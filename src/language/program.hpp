// A graph turned into straight-line code over blocks of samples: values, gradients (reverse mode) and
// tangents (forward mode), in float and double.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "language/graph.hpp"

namespace greybox {

enum class Boundary : std::uint8_t { no_flux, periodic, fixed };

// The grid that fields live on; row index is y, column index is x.
struct Grid {
  std::size_t height = 0;
  std::size_t width = 0;
  double dx = 1;
  double dy = 1;
  Boundary boundary = Boundary::no_flux;
  double outside = 0;  // `fixed`: the value held just outside the grid
  std::size_t points() const { return height * width; }
};

using RegisterId = std::uint16_t;

struct Instruction {
  Operation operation;
  Shape shape;  // of the result
  RegisterId result;
  std::array<RegisterId, 3> arguments;
};

// A value that must be computed by the end of a section.
struct Deadline {
  NodeId node;
  std::uint8_t section;
};

// Immutable once compiled. Registers: inputs first, then constants, then results. A register holds one array
// over the block's samples: n values for a scalar, n × points (sample by sample) for a field.
class Program {
 public:
  // Code for `outputs`; `inputs` are nodes whose values the caller supplies (leaves, or anything computed
  // elsewhere). Every leaf that the outputs need must be an input. `deadlines`: by which section each output
  // must be there, for those with one; the others may come last. Every value is computed as late as that
  // allows.
  Program(const Graph& graph, std::span<const NodeId> inputs, std::span<const NodeId> outputs,
          const Grid& grid, std::span<const Deadline> deadlines = {});

  std::size_t n_sections() const { return section_ends_.size(); }  // up to the last one that an output needs
  std::size_t n_inputs() const { return n_inputs_; }
  std::size_t n_registers() const { return shapes_.size(); }
  RegisterId output(std::size_t i) const {
    return outputs_[i];
  }  // may be an input's or a constant's register
  Shape shape(RegisterId r) const { return shapes_[r]; }
  const Grid& grid() const { return grid_; }
  std::span<const Instruction> section(std::size_t s) const;

  struct Constant {
    RegisterId where;
    double value;
  };
  std::span<const Constant> constants() const { return constants_; }

 private:
  Grid grid_;
  std::size_t n_inputs_ = 0;
  std::vector<Shape> shapes_;
  std::vector<RegisterId> outputs_;
  std::vector<Constant> constants_;
  std::vector<Instruction> instructions_;
  std::vector<std::size_t> section_ends_;
};

template <class T>
struct Block;

// Memory for the registers of a program, all but its inputs, for blocks of at most `capacity` samples. A
// register's length is padded (see `padded`) and kernels may compute on the padding, so nothing may be read
// from it.
template <class T>
struct FrameMemory {
  FrameMemory(const Program& program, std::size_t capacity);

  std::size_t capacity;
  AlignedBuffer<T> buffer;
  std::vector<T*> values, gradients,
      tangents;  // by register; null for inputs, and for what a constant has not
  std::span<T> all_gradients;
  T* unwanted = nullptr;  // takes gradients that nobody wants
  T* zeros = nullptr;
  T* bordered = nullptr;  // one sample's field inside a border, for derivatives in space
};

// A program at work. Inputs point into the caller's arrays (padded to whole vectors). The program must
// outlive the frame.
template <class T>
class Frame {
 public:
  Frame(const Program& program, std::size_t capacity);  // with memory of its own
  Frame(const Program& program, FrameMemory<T>& memory);

  // All registers but the inputs lie there from now on. Memory may serve several frames of a program in turn;
  // constants are found in each.
  void move_to(FrameMemory<T>& memory);

  // Input register `i` reads `value`, which is never written to; its gradient is *added* to `gradient` (null
  // when nobody wants it) and its tangent is read from `tangent` (null for zero).
  void bind(std::size_t i, const T* value, T* gradient = nullptr, T* tangent = nullptr);

  T* value(RegisterId r) { return values_[r]; }
  // Where nobody wants a gradient (a constant, an input bound without one) this is memory that may be added
  // to but holds nothing; a missing tangent reads as zero.
  T* gradient(RegisterId r) { return gradients_[r] ? gradients_[r] : memory_->unwanted; }
  T* tangent(RegisterId r) { return tangents_[r] ? tangents_[r] : memory_->zeros; }

  // Values of a section from the values before it.
  void forward(std::size_t section, std::size_t n_samples);
  // Sets the gradients of all registers but the inputs to zero; the caller then sets cotangents of outputs by
  // adding to gradient(output(i)).
  void clear_gradients();
  // Adds to the gradients of a section's arguments, after forward of the same inputs; last section first.
  void reverse(std::size_t section, std::size_t n_samples);
  // Tangents of a section; needs forward of the same inputs.
  void tangent_forward(std::size_t section, std::size_t n_samples);

 private:
  Frame(const Program& program, std::unique_ptr<FrameMemory<T>> memory);
  Block<T> block(std::size_t n_samples) const;

  const Program* program_;
  std::unique_ptr<FrameMemory<T>> own_memory_;
  FrameMemory<T>* memory_ = nullptr;
  std::vector<T*> values_, gradients_, tangents_;  // a null gradient is not wanted, a null tangent is zero
};

extern template struct FrameMemory<float>;
extern template struct FrameMemory<double>;
extern template class Frame<float>;
extern template class Frame<double>;

}  // namespace greybox
