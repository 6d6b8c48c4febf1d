// Model files read into specifications, and refused with messages that help.
#include "model/spec.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "cases/golden_cases.hpp"
#include "model/keys.hpp"
#include "nn/norm.hpp"
#include "nn/padding.hpp"
#include "support/mentions.hpp"
#include "support/paths.hpp"

namespace greybox {
namespace {

using test::expect_mentions;

namespace fs = std::filesystem;

const fs::path root = kSourceFolder;

std::string message_of(const std::string& text, const std::string& path = "model.toml") {
  try {
    parse_model_spec(text, path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string message_of_file(const fs::path& file) {
  try {
    read_model_spec(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string smallest = "[data]\nfile = \"d.csv\"\n[theory]\ny = \"x\"\n";

TEST(Spec, GoldenCases) {
  const fs::path folder = root / "tests/cases/reading";
  ASSERT_GE(test::model_files(folder).size(), 75u);
  test::expect_golden_cases(folder, [](const fs::path& file) {
    const std::string message = message_of(test::read_text(file), file.filename().string());
    EXPECT_FALSE(message.empty()) << file << " was accepted";
    return message;
  });
}

TEST(Spec, EveryMessageSaysHowToMend) {
  for (const fs::path& file : test::model_files(root / "tests/cases/reading")) {
    try {
      read_model_spec(file);
    } catch (const InputError& error) {
      for (const Diagnostic& diagnostic : error.diagnostics())
        EXPECT_FALSE(diagnostic.help.empty()) << error.what();
    }
  }
}

TEST(Spec, ExamplesRead) {
  const auto examples = test::model_files(root / "examples");
  ASSERT_FALSE(examples.empty());
  for (const fs::path& file : examples) EXPECT_EQ(message_of_file(file), "");
}

TEST(Spec, ReferenceIsUpToDate) {
  test::expect_text_of_file(model_file_reference(), root / "docs/model-file.md");
}

TEST(Spec, Pendulum) {
  const ModelSpec spec = read_model_spec(root / "examples/pendulum.toml");
  EXPECT_EQ(spec.name, "pendulum");
  EXPECT_EQ(spec.data.window.length, 11u);
  EXPECT_EQ(spec.data.split.train, 0.4);
  ASSERT_EQ(spec.parameters.size(), 1u);
  EXPECT_EQ(spec.parameters[0].high, 12);
  EXPECT_EQ(spec.parameters[0].unit, "m/s^2");
  ASSERT_EQ(spec.state.size(), 2u);
  EXPECT_EQ(spec.state[0].name, "angle");
  ASSERT_EQ(spec.networks.size(), 1u);
  EXPECT_EQ(spec.networks[0].inputs.size(), 6u);
  EXPECT_EQ(spec.networks[0].settings.counts("hidden"), (std::vector<std::size_t>{128, 128, 128}));
  EXPECT_EQ(spec.networks[0].outputs[1].name, "velocity");
  EXPECT_EQ(spec.solver.options.tableau, find_tableau("rk4_38"));
  EXPECT_EQ(spec.solver.options.step, 0.05);
  EXPECT_EQ(spec.train.regularizer, "both");
  EXPECT_EQ(spec.train.rate_start, 1e-3);
  EXPECT_EQ(spec.train.rate_end, 1e-5);
}

TEST(Spec, DefaultsAreThoseOfTheStructs) {
  const ModelSpec spec = parse_model_spec(smallest, "folder/small.toml");
  EXPECT_EQ(spec.name, "small");
  EXPECT_TRUE(spec.is_algebraic());
  EXPECT_FALSE(spec.grid.is_given || spec.solver.is_given);
  const TrainSpec train;
  EXPECT_EQ(spec.train.epochs, train.epochs);
  EXPECT_EQ(spec.train.batch, train.batch);
  EXPECT_EQ(spec.train.draws, train.draws);
  EXPECT_EQ(spec.train.lambda, train.lambda);
  EXPECT_EQ(spec.train.rate_start, train.rate_start);
  EXPECT_EQ(spec.train.rate_end, train.rate_end);
  EXPECT_EQ(spec.train.weight_decay, train.weight_decay);
  EXPECT_EQ(spec.train.clip_value, train.clip_value);
  EXPECT_EQ(spec.train.clip_norm, train.clip_norm);
  EXPECT_EQ(spec.train.validate_every, train.validate_every);
  EXPECT_EQ(spec.train.patience, train.patience);
  EXPECT_EQ(spec.train.keep_best, train.keep_best);
  EXPECT_EQ(spec.train.checkpoint_seconds, train.checkpoint_seconds);
  EXPECT_EQ(spec.train.precision, train.precision);
  EXPECT_EQ(spec.data.split.train, 1);
  EXPECT_EQ(spec.data.split.shuffle, SplitOptions{}.shuffle);
  EXPECT_EQ(spec.data.window.observed, WindowOptions{}.observed);
  EXPECT_EQ(spec.solver.options.relative_tolerance, IntegratorOptions{}.relative_tolerance);
  EXPECT_EQ(spec.solver.options.absolute_tolerance, IntegratorOptions{}.absolute_tolerance);
  EXPECT_EQ(spec.solver.options.max_steps, IntegratorOptions{}.max_steps);
}

TEST(Spec, TablesKeepTheOrderOfTheFile) {
  const ModelSpec spec = parse_model_spec(smallest + "z = \"1\"\na = \"2\"\nm = \"3\"\n", "m.toml");
  ASSERT_EQ(spec.theory.size(), 4u);
  EXPECT_EQ(spec.theory[1].name, "z");
  EXPECT_EQ(spec.theory[2].name, "a");
  EXPECT_EQ(spec.theory[3].name, "m");
}

TEST(Spec, NumbersAsConstantExpressions) {
  const ModelSpec spec = parse_model_spec(smallest +
                                              "[parameters]\nc = { prior = \"uniform\", low = \"-pi\", high "
                                              "= \"2*sqrt(4)/2^1\" }\n[grid]\nheight = \"2*4\"\n"
                                              "width = 4\nspacing = [\"2/31\", 0.5]\n",
                                          "m.toml");
  EXPECT_DOUBLE_EQ(spec.parameters[0].low, -std::acos(-1.0));
  EXPECT_EQ(spec.parameters[0].high, 2);
  EXPECT_EQ(spec.grid.grid.height, 8u);
  EXPECT_EQ(spec.grid.grid.dx, 2.0 / 31);
  EXPECT_EQ(spec.grid.grid.dy, 0.5);
}

TEST(Spec, ChoicesAreInTheOrderOfTheirEnumerations) {
  const std::string network = "[network.n]\ninputs = \"window\"\noutputs = [\"z[16]\", \"w\"]\n";
  const auto network_of = [&](const std::string& keys) {
    return parse_model_spec(smallest + "[grid]\nheight = 4\nwidth = 4\n" + network + keys, "m.toml")
        .networks[0];
  };
  EXPECT_EQ(network_of("hidden = []\nactivation = \"sigmoid\"").settings.choice<Activation>("activation"),
            Activation::sigmoid);
  EXPECT_EQ(network_of("hidden = []\nactivation = \"silu\"").settings.choice<Activation>("activation"),
            Activation::silu);
  const NetworkSpec conv =
      network_of("kind = \"conv2d\"\nchannels = [4]\npadding = \"periodic\"\nnorm = \"instance\"");
  EXPECT_EQ(conv.kind, find_network_kind("conv2d"));
  EXPECT_EQ(conv.settings.choice<Padding>("padding"), Padding::periodic);
  EXPECT_EQ(conv.settings.choice<Norm>("norm"), Norm::instance);
  EXPECT_TRUE(conv.reads_window);
  ASSERT_EQ(conv.outputs.size(), 2u);
  EXPECT_EQ(conv.outputs[0].count, 16u);
  EXPECT_TRUE(conv.outputs[0].is_vector);
  EXPECT_FALSE(conv.outputs[1].is_vector);
  EXPECT_EQ(parse_model_spec(smallest + "[train]\nprecision = \"double\"", "m.toml").train.precision,
            Precision::double_);
}

TEST(Spec, BoundsThatAreNotGivenAreInfinite) {
  const ModelSpec spec = parse_model_spec(smallest +
                                              "[parameters]\na = { prior = \"normal\", mean = 1, sd = 2 }\nb "
                                              "= { prior = \"lognormal\", mean = 1, sd = 2 }\n",
                                          "m.toml");
  EXPECT_EQ(spec.parameters[0].low, -INFINITY);
  EXPECT_EQ(spec.parameters[0].high, INFINITY);
  EXPECT_EQ(spec.parameters[1].low, 0);
}

TEST(Spec, ByteOrderMarkAndWindowsLineEnds) {
  const ModelSpec spec =
      parse_model_spec("\xEF\xBB\xBF[data]\r\nfile = \"d.csv\"\r\n[theory]\r\ny = \"x\"\r\n", "m.toml");
  EXPECT_EQ(spec.theory[0].text, "x");
  EXPECT_EQ(spec.source->line(4), "y = \"x\"");
}

TEST(Spec, EquationsKnowTheirPlace) {
  const ModelSpec spec = parse_model_spec("[data]\nfile = \"d.csv\"\n[theory]\n\"θ\" = \"α*x\"\n", "m.toml");
  const Equation& equation = spec.theory[0];
  EXPECT_TRUE(equation.is_literal);
  EXPECT_EQ(equation.text_span.line, 4u);
  EXPECT_EQ(equation.text_span.column, 9u);  // bytes: the θ takes two
  const Diagnostic diagnostic = at(*spec.source, equation, equation.syntax->children[1]->range, "here", "");
  EXPECT_EQ(diagnostic.span.column, 12u);
  EXPECT_EQ(diagnostic.line.substr(diagnostic.span.column - 1, diagnostic.span.length), "x");
}

TEST(Spec, NotText) {
  expect_mentions(message_of("[data]\nfile = \"\xff\"\n"),
                  "model.toml:2:9: error: the file is not valid UTF-8");
  expect_mentions(message_of(std::string("[data]\nx\0y", 10)), "model.toml:2:2: error: a NUL byte");
  expect_mentions(message_of("\xff\xfe[\0d\0"), "not valid UTF-8");
}

TEST(Spec, TooLarge) {
  expect_mentions(message_of("a = \"" + std::string(10'000'000, 'x') + "\""), "larger than 1000000 bytes");
  expect_mentions(message_of("# one\na = \"" + std::string(20'000, 'x') + "\""),
                  "model.toml:2: error: the line is longer");
}

TEST(Spec, HostileFilesEndQuickly) {
  std::string keys, dots = "a", lists, names = smallest, multiline = "x = \"\"\"\"\"\"";
  for (int i = 0; i < 90'000; ++i) keys += fmt::format("k{} = 1\n", i);
  for (int i = 0; i < 4'000; ++i) dots += ".a";
  for (int i = 0; i < 100'000; ++i) lists += "[\n";
  for (int i = 0; i < 30'000; ++i) names += fmt::format("n{} = \"1\"\n", i);
  const auto start = std::chrono::steady_clock::now();
  expect_mentions(message_of(keys), "more mistakes");
  expect_mentions(message_of(dots + " = 1"), "nested more than");
  expect_mentions(message_of(multiline + "\n" + dots + " = 1"), "nested more than");
  expect_mentions(message_of("a = " + lists), "nested more than");
  expect_mentions(message_of(names + "[state]\nq = \"1\"\n"), "more mistakes");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Spec, FilesThatCannotBeRead) {
  const fs::path folder = fs::path(testing::TempDir()) / "greybox_spec_test";
  fs::create_directories(folder);
  std::ofstream(folder / "pendulum.toml") << smallest;
  expect_mentions(message_of_file(folder / "pendulun.toml"), "pendulun.toml: error: there is no such file");
  expect_mentions(message_of_file(folder / "pendulun.toml"),
                  "did you mean `" + (folder / "pendulum.toml").string());
  expect_mentions(message_of_file(folder), "this is a folder, not a model file");
  expect_mentions(message_of_file(folder), "did you mean `" + (folder / "pendulum.toml").string());
  expect_mentions(message_of_file(folder / "pendulum.toml" / "x.toml"), "there is no such file");
  EXPECT_EQ(message_of_file(folder / "pendulum.toml"), "");
  fs::remove_all(folder);
}

TEST(Spec, EndlessFilesAreRefused) {
  if (!fs::exists("/dev/zero")) GTEST_SKIP();
  expect_mentions(message_of_file("/dev/zero"), "a pipe or a device, not a file");
}

TEST(Keys, DefaultsAreAllowed) {
  const auto is_allowed = [](const KeyInfo& key) {
    if (key.type == KeyType::choice) return std::ranges::find(key.choices, key.fallback) != key.choices.end();
    const bool is_number = key.type == KeyType::number || key.type == KeyType::count;
    return !is_number || contains(key.range, std::stod(std::string(key.fallback)));
  };
  for (const TableInfo& table : model_file_tables()) {
    for (const KeyInfo& key : table.keys) {
      EXPECT_TRUE(key.fallback.empty() || is_allowed(key)) << table.name << "." << key.name;
      EXPECT_FALSE(key.about.empty()) << table.name << "." << key.name;
    }
  }
}

}  // namespace
}  // namespace greybox
