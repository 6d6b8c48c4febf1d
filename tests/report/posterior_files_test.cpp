#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "data/npz.hpp"
#include "data/scratch_folder.hpp"
#include "greybox/sample.hpp"

namespace greybox::test {
namespace {

// CmdStan's CSV, read strictly: comments, one header, comments of the adaptation, rows of numbers.
struct CmdStanFile {
  std::map<std::string, std::string> configuration;
  std::vector<std::string> comments, header;
  std::vector<std::vector<double>> rows;
};

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> found;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) found.push_back(cell);
  return found;
}

CmdStanFile read_cmdstan(const std::string& text) {
  CmdStanFile file;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) {
      file.comments.push_back(line);
      const std::size_t equals = line.find(" = "), name = line.find_first_not_of("# ");
      if (equals != std::string::npos)
        file.configuration[line.substr(name, equals - name)] = line.substr(equals + 3);
    } else if (file.header.empty()) {
      file.header = cells(line);
    } else {
      std::vector<double>& row = file.rows.emplace_back();
      for (const std::string& cell : cells(line)) {
        char* end = nullptr;
        row.push_back(std::strtod(cell.c_str(), &end));
        EXPECT_EQ(*end, '\0') << cell;
      }
      EXPECT_EQ(row.size(), file.header.size()) << line;
    }
  }
  return file;
}

class PosteriorFiles : public ScratchFolder {
 protected:
  static Posterior made_posterior() {
    Posterior posterior;
    posterior.model = "made";
    posterior.method = "nuts";
    posterior.n_chains = 2;
    posterior.n_draws = 3;
    posterior.n_warmup = 7;
    posterior.beta = 2;
    for (const char* name : {"a", "b"}) {
      PosteriorParameter& parameter = posterior.parameters.emplace_back();
      parameter.name = name;
      for (int i = 0; i < 6; ++i) parameter.draws.push_back(i + (name[0] == 'b' ? 0.1 : 0.0));
      parameter.edges = {0, 3, 6};
      parameter.density = {0.2, 0.1};
      parameter.prior = {0.1, 0.1};
    }
    posterior.pairs = {{0, 1, {0.1, 0, 0, 0.2}}};
    for (int c = 0; c < 2; ++c)
      posterior.chains.push_back({.step_size = 0.5,
                                  .inverse_mass = {1, 0.25},
                                  .log_density = {-1, -2, -3},
                                  .acceptance = {0.9, 0.8, 1},
                                  .energy = {1, 2, 3},
                                  .depth = {1, 2, 3},
                                  .n_leapfrog = {1, 3, 7},
                                  .is_divergent = {0, 1, 0}});
    posterior.regularizers = posterior.losses = {1, 2, 3, 4, 5, 6};
    posterior.sensitivity = {{2, 6, {1, 1}, {2, 2}}};
    return posterior;
  }
};

TEST_F(PosteriorFiles, ChainsAreInCmdStansForm) {
  write_posterior(made_posterior(), path("sample"));
  const CmdStanFile file = read_cmdstan(bytes_of(path("sample/chain-2.csv")));
  EXPECT_EQ(file.configuration.at("num_samples"), "3");
  EXPECT_EQ(file.configuration.at("num_warmup"), "7");
  EXPECT_EQ(file.configuration.at("save_warmup"), "0");
  EXPECT_EQ(file.configuration.at("id"), "2");
  EXPECT_EQ(file.configuration.at("Step size"), "0.5");
  EXPECT_EQ(file.comments.back(), "# 1, 0.25");
  EXPECT_EQ(file.header, (std::vector<std::string>{"lp__", "accept_stat__", "stepsize__", "treedepth__",
                                                   "n_leapfrog__", "divergent__", "energy__", "a", "b"}));
  ASSERT_EQ(file.rows.size(), 3U);
  EXPECT_EQ(file.rows[1], (std::vector<double>{-2, 0.8, 0.5, 2, 3, 1, 2, 4, 4.1}));
}

TEST_F(PosteriorFiles, ArraysHaveOneRowPerChain) {
  Posterior posterior = made_posterior();
  posterior.grid = {{0, 1, 2}, {5, 6}};
  posterior.grid_density = {1, 2, 3, 4, 5, 6};
  write_posterior(posterior, path("sample"));
  std::map<std::string, NpyArray> arrays;
  for (const auto& [name, array] : read_npz(path("sample/posterior.npz"))) arrays[name] = array;
  EXPECT_EQ(arrays.at("b").shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(arrays.at("b").to_doubles()[3], 3.1);
  EXPECT_EQ(arrays.at("R__").to_doubles()[5], 6);
  EXPECT_EQ(arrays.at("grid.b").to_doubles(), (std::vector<double>{5, 6}));
  EXPECT_EQ(arrays.at("density__").shape, (std::vector<std::size_t>{3, 2}));
}

TEST_F(PosteriorFiles, EveryFileIsNamed) {
  for (const std::filesystem::path& file : write_posterior(made_posterior(), path("sample")))
    EXPECT_GT(std::filesystem::file_size(file), 0U) << file;
  EXPECT_TRUE(bytes_of(path("sample/posterior.svg")).find("</svg>") != std::string::npos);
}

}  // namespace
}  // namespace greybox::test
