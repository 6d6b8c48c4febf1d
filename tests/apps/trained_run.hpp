// A quickly trained run of the toy for tests of the commands that look at one.
#pragma once

#include "apps/run_tool.hpp"

namespace greybox::test {

class TrainedRun : public ToolTest {
 protected:
  // Makes run/, with an estimator when asked for.
  void train_toy(bool has_estimator = false) const {
    std::string text = bytes_of(source("examples/toy.toml"));
    if (has_estimator)
      text.insert(text.find("[regularizers]"),
                  "[network.guess]\ninputs = \"window\"\nhidden = [16]\noutputs = [\"a\", \"c\"]\n"
                  "[estimator]\na = \"2 * sigmoid(guess.a)\"\nc = \"pi * tanh(guess.c)\"\n");
    write("toy.toml", text);
    std::filesystem::copy_file(source("examples/toy.csv"), path("toy.csv"),
                               std::filesystem::copy_options::overwrite_existing);
    const ToolResult result = greybox({"train", "toy.toml", "-o", "run", "--epochs", "100"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
};

}  // namespace greybox::test
