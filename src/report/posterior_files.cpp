// A distribution as files: JSON and npz for programs, CmdStan's CSV for other tools, a picture for people.
#include <fmt/format.h>

#include <iterator>

#include "core/atomic_file.hpp"
#include "data/npz.hpp"
#include "greybox/sample.hpp"
#include "report/picture_style.hpp"
#include "report/posterior_picture.hpp"

namespace greybox {
namespace {

void write_arrays(const Posterior& posterior, const std::filesystem::path& file) {
  const std::vector<std::size_t> shape = {posterior.n_chains, posterior.n_draws};
  std::vector<NamedArray> arrays;
  for (const PosteriorParameter& parameter : posterior.parameters)
    arrays.emplace_back(parameter.name, NpyArray{shape, parameter.draws});
  // Two underscores: no parameter of a model is called so.
  arrays.emplace_back("R__", NpyArray{shape, posterior.regularizers});
  arrays.emplace_back("L__", NpyArray{shape, posterior.losses});
  std::vector<std::size_t> grid_shape;
  for (std::size_t k = 0; k < posterior.grid.size(); ++k) {
    grid_shape.push_back(posterior.grid[k].size());
    arrays.emplace_back("grid." + posterior.parameters[k].name,
                        NpyArray{{posterior.grid[k].size()}, posterior.grid[k]});
  }
  if (!grid_shape.empty()) arrays.emplace_back("density__", NpyArray{grid_shape, posterior.grid_density});
  write_npz(file, arrays);
}

std::string configuration(const Posterior& posterior, std::size_t chain) {
  return fmt::format(
      "# model = {}\n# method = sample\n#   sample\n#     num_samples = {}\n#     num_warmup = {}\n"
      "#     save_warmup = 0\n#     thin = 1\n#     algorithm = {}\n# id = {}\n# random\n#   seed = {}\n",
      posterior.model, posterior.n_draws, posterior.n_warmup, posterior.method, chain + 1, posterior.seed);
}

std::string adaptation(const PosteriorChain& chain) {
  std::string text = fmt::format(
      "# Adaptation terminated\n# Step size = {}\n# Diagonal elements of inverse mass matrix:\n# ",
      chain.step_size);
  for (std::size_t p = 0; p < chain.inverse_mass.size(); ++p)
    fmt::format_to(std::back_inserter(text), "{}{}", p == 0 ? "" : ", ", chain.inverse_mass[p]);
  return text + '\n';
}

// As CmdStan writes it, so that ArviZ, posterior and shinystan read it.
std::string chain_text(const Posterior& posterior, std::size_t chain) {
  std::string text = configuration(posterior, chain);
  text += "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__";
  for (const PosteriorParameter& parameter : posterior.parameters) text += "," + parameter.name;
  text += '\n';
  const PosteriorChain& of_chain = posterior.chains[chain];
  if (!of_chain.inverse_mass.empty()) text += adaptation(of_chain);
  for (std::size_t i = 0; i < posterior.n_draws; ++i) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}", of_chain.log_density[i],
                   of_chain.acceptance[i], of_chain.step_size, of_chain.depth[i], of_chain.n_leapfrog[i],
                   of_chain.is_divergent[i], of_chain.energy[i]);
    for (const PosteriorParameter& parameter : posterior.parameters)
      fmt::format_to(std::back_inserter(text), ",{}", parameter.draws[chain * posterior.n_draws + i]);
    text += '\n';
  }
  return text;
}

}  // namespace

std::vector<std::filesystem::path> write_posterior(const Posterior& posterior,
                                                   const std::filesystem::path& folder) {
  AtomicFolder together(folder);
  std::vector<std::filesystem::path> files;
  const auto file = [&](const std::string& name) { return files.emplace_back(together.folder() / name); };
  write_arrays(posterior, file("posterior.npz"));
  for (std::size_t chain = 0; chain < posterior.n_chains; ++chain)
    write_file_atomically(file(fmt::format("chain-{}.csv", chain + 1)), chain_text(posterior, chain));
  const std::filesystem::path svg = file("posterior.svg"), png = file("posterior.png");
  draw_posterior(posterior, {svg, png});
  write_file_atomically(file("posterior.json"), to_json(posterior) + '\n');
  return together.commit(files);
}

std::vector<std::filesystem::path> draw_pictures(const Posterior& posterior,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style) {
  std::vector<std::filesystem::path> files = picture_files(folder, "posterior", style);
  draw_posterior(posterior, files, style);
  return files;
}

}  // namespace greybox
