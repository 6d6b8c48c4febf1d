#include "model/weights.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/nearest_name.hpp"
#include "core/random.hpp"
#include "greybox/error.hpp"

namespace greybox {
namespace {

std::string text(const std::vector<std::size_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

bool belongs_to_a_network(const std::string& name, const std::vector<ModelTensor>& tensors) {
  const std::string network = name.substr(0, name.find('.') + 1);
  return !network.empty() && std::any_of(tensors.begin(), tensors.end(), [&](const ModelTensor& t) {
    return t.tensor.name.starts_with(network);
  });
}

}  // namespace

std::vector<double> initial_weights(const std::vector<ModelTensor>& tensors, std::uint64_t seed) {
  const Random random(seed, Purpose::weights);
  std::vector<double> weights;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const WeightTensor& tensor = tensors[t].tensor;
    for (std::size_t i = 0; i < tensor.size(); ++i)
      weights.push_back(tensor.centre + tensor.bound * (2 * random.uniform(t, i) - 1));
  }
  return weights;
}

WeightsFile read_weights_file(const std::filesystem::path& file, const std::vector<ModelTensor>& tensors) {
  NpzArrays read = read_npz_arrays(file);
  const std::vector<NamedArray>& arrays = read.arrays;
  std::vector<Diagnostic> mistakes;
  const auto mistake = [&](std::string message, std::string help) {
    mistakes.push_back(
        Diagnostic{.file = file.string(), .message = std::move(message), .help = std::move(help)});
  };
  std::vector<double> weights;
  std::vector<std::string> wanted;
  for (const ModelTensor& item : tensors) {
    const WeightTensor& tensor = item.tensor;
    wanted.push_back(tensor.name);
    const auto found =
        std::find_if(arrays.begin(), arrays.end(), [&](const auto& a) { return a.first == tensor.name; });
    if (found == arrays.end()) {
      mistake(fmt::format("there is no array `{}`", tensor.name),
              fmt::format("the model needs it with shape {}; docs/weights.md describes the layout",
                          text(tensor.shape)));
    } else if (found->second.shape != tensor.shape) {
      mistake(fmt::format("array `{}` has shape {}, and the model needs {}", tensor.name,
                          text(found->second.shape), text(tensor.shape)),
              "are these the weights of another model? PyTorch's layout is out × in");
    } else {
      const std::vector<double> values = found->second.to_doubles();
      weights.insert(weights.end(), values.begin(), values.end());
    }
  }
  for (const auto& [name, array] : arrays)
    if (belongs_to_a_network(name, tensors) &&
        std::find(wanted.begin(), wanted.end(), name) == wanted.end()) {
      const auto near = nearest_name(name, wanted);
      mistake(fmt::format("the model has no weights called `{}`", name),
              near ? fmt::format("did you mean `{}`?", *near)
                   : "remove the array, or add the layer to the model");
    }
  if (!mistakes.empty()) throw InputError(std::move(mistakes));
  return {std::move(weights), std::move(read.sha256)};
}

std::vector<double> read_weights(const std::filesystem::path& file, const std::vector<ModelTensor>& tensors) {
  return read_weights_file(file, tensors).weights;
}

template <class T>
std::vector<NamedArray> weight_arrays(const std::vector<ModelTensor>& tensors, std::span<const T> weights) {
  std::vector<NamedArray> arrays;
  for (const ModelTensor& item : tensors) {
    const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(item.tensor.offset);
    arrays.emplace_back(
        item.tensor.name,
        NpyArray{item.tensor.shape,
                 std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(item.tensor.size()))});
  }
  return arrays;
}

template std::vector<NamedArray> weight_arrays(const std::vector<ModelTensor>&, std::span<const float>);
template std::vector<NamedArray> weight_arrays(const std::vector<ModelTensor>&, std::span<const double>);

}  // namespace greybox
