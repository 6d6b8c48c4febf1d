// The model file of `greybox demo`: the toy example, for a user who has nothing yet.
#pragma once

#include <string_view>

namespace greybox {

// As in examples/toy.toml; its data are DataSet::toy, as toy.csv beside it.
inline constexpr std::string_view kToyModel =
    R"toml(# y = sin(x) + cos(x) + noise, modelled as a·sin(x + c) plus a network (Takeishi & Kalousis, section 3.4).
name  = "toy"
about = "A sine whose amplitude and phase the data alone cannot determine"

[data]
file  = "toy.csv"                     # columns: x, y
split = { train = "1/3", validation = "1/3", test = "1/3", by = "window" }

[parameters]
a = { prior = "uniform", low = 0, high = 2, about = "amplitude" }
c = { prior = "uniform", low = "-pi", high = "pi", unit = "rad", about = "phase" }

[theory]                              # no [state]: the theory gives y directly
y = "a * sin(x + c)"

[network.fD]
kind    = "mlp"
inputs  = ["x", "a", "c", "theory.y"]
hidden  = [16, 16]
outputs = ["y"]

[regularizers]
normD    = "mean(norm2(network))"
corr     = "abs(mean(dot(theory, network)))"
normdif  = "abs(mean(norm2(theory)) - mean(norm2(network)))"
both     = "corr + normdif"
centred  = "corr + normdif + c^2"

[train]
regularizer = "centred"
lambda = 0
epochs = 2000
batch  = 10
rate   = [1e-2, 1e-4]
)toml";

}  // namespace greybox
