// greybox sample RUN --regularizer R --beta B [--method grid|nuts] [--chains 4] [--on SPLIT|FILE] …
#include <fmt/format.h>

#include <cmath>
#include <greybox/counted.hpp>
#include <greybox/error.hpp>
#include <greybox/sample.hpp>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "command_shape.hpp"
#include "flag_names.hpp"
#include "on_option.hpp"
#include "option_text.hpp"
#include "picture_options.hpp"
#include "processes.hpp"
#include "progress_display.hpp"
#include "progress_line.hpp"
#include "standard_streams.hpp"
#include "terminal.hpp"

namespace greybox::apps {
namespace {

// From which on a person would rather know a shorter way.
constexpr double kLong = 30, kShort = 5;  // seconds

struct SampleArguments {
  SampleOptions options;
  std::filesystem::path run, data, output;
  std::string method, on;
  PictureArguments picture;
  std::size_t n_threads = 0;
  bool json = false;
};

void print(const Posterior& posterior) {
  fmt::print("p(θ) exp(-β R) with R {} and β = {:.6g} on {} of {}, method {}\n", posterior.regularizer,
             posterior.beta, counted(posterior.n_windows, "window"), posterior.on, posterior.method);
  if (posterior.method == "nuts")
    fmt::print("{} of {} after {} of warm-up, {} divergent\n", counted(posterior.n_chains, "chain"),
               counted(posterior.n_draws, "draw"), posterior.n_warmup, posterior.n_divergent);
  fmt::print("{:<12}{:>11}{:>11}{:>11}{:>11}{:>11}{:>8}{:>10}{:>10}\n", "", "mean", "sd", "5 %", "median",
             "95 %", "R-hat", "ESS bulk", "ESS tail");
  for (const PosteriorParameter& p : posterior.parameters)
    fmt::print("{:<12}{:>11.5g}{:>11.3g}{:>11.5g}{:>11.5g}{:>11.5g}{:>8.3f}{:>10.0f}{:>10.0f}\n", p.name,
               p.mean, p.sd, p.q5, p.median, p.q95, p.rhat, p.ess_bulk, p.ess_tail);
}

void print_sensitivity(const Posterior& posterior) {
  fmt::print("\nmean ± sd at other β\n{:<12}", "β");
  for (const PosteriorParameter& parameter : posterior.parameters) fmt::print("{:>22}", parameter.name);
  fmt::print("\n");
  for (const PosteriorAtBeta& at : posterior.sensitivity) {
    fmt::print("{:<11.4g}", at.beta);
    for (std::size_t p = 0; p < at.mean.size(); ++p)
      fmt::print("{:>22}", fmt::format("{:.5g} ± {:.3g}", at.mean[p], at.sd[p]));
    fmt::print("{}\n", std::isfinite(at.ess) ? fmt::format("   (worth {:.0f} draws)", at.ess) : "");
  }
}

std::string needs_text(const SampleNeeds& needs, const SampleOptions& options) {
  const std::string work = needs.method == "grid"
                               ? "R on a grid"
                               : fmt::format("{} of {}", counted(options.chains, "chain"),
                                             counted(options.warmup + options.draws, "step"));
  std::string text = fmt::format(
      "{} on {}: about {} of {:.2g} s, some {}", work, counted(needs.n_windows, "window"),
      counted(needs.n_evaluations, "evaluation"), needs.seconds_each, duration_text(needs.seconds));
  if (needs.seconds > kLong) text += "; --sample N uses fewer windows";
  return text;
}

// In a log only of what is worth waiting for.
void tell_needs(const Run& run, const SampleOptions& options) {
  const SampleNeeds needs = sample_needs(run, options);
  if (is_terminal(Stream::err) || needs.seconds > kShort) tell_line(needs_text(needs, options));
}

Posterior compute(const SampleArguments& arguments, const Run& run) {
  SampleOptions options = arguments.options;
  if (!arguments.method.empty())
    options.method = arguments.method == "grid" ? SampleMethod::grid : SampleMethod::nuts;
  const OnChoice choice = parse_on(arguments.on);
  if (choice.each_window)
    refuse_flag("--on", "a distribution is that of a set of windows",
                "name a split or a file; `greybox estimate --on each` gives one value per window");
  options.on = choice.on;
  options.data = read_data(run, choice.data.empty() ? arguments.data : choice.data);
  options.execution.n_threads = threads_of_process(arguments.n_threads);
  if (options.beta && !is_helper()) tell_needs(run, options);
  ProgressDisplay display;
  options.execution = display.cancellable(arguments.n_threads);
  return sample(run, options);
}

void run(const SampleArguments& arguments) {
  const PictureStyle style = style_of(arguments.picture);
  const Run run = Run::open(arguments.run);
  Posterior posterior = compute(arguments, run);
  leave_if_helper();
  posterior.warnings = with_flags(posterior.warnings);
  const std::filesystem::path folder = output_or(arguments.output, run, "sample");
  std::vector<std::filesystem::path> files = write_posterior(posterior, folder);
  draw_again(posterior, folder, style, files);
  print_warnings(posterior.warnings);
  if (arguments.json) {
    print_json(to_json(posterior), files);
  } else {
    print(posterior);
    print_sensitivity(posterior);
    print_files(files);
  }
  const SampleOptions& asked = arguments.options;
  if (posterior.n_draws < asked.draws || posterior.n_chains < asked.chains)
    throw Interruption("what was drawn until then is kept");
}

}  // namespace

void add_sample(CLI::App& app) {
  auto arguments = std::make_shared<SampleArguments>();
  CLI::App* command =
      app.add_subcommand("sample", "The distribution of the parameters: p(θ) exp(-β R), with R-hat and ESS");
  SampleOptions& options = arguments->options;
  add_run_option(*command, arguments->run);
  command
      ->add_option("--regularizer", options.regularizer,
                   "A regularizer of the model file, or an expression, also of L, rmse and nrmse")
      ->required();
  command->add_option("--beta", options.beta,
                      "How strongly R weighs against the prior; without it, values are suggested");
  command
      ->add_option("--method", arguments->method,
                   "grid (the default for one or two parameters) or nuts (the default for more)")
      ->check(CLI::IsMember({"grid", "nuts"}));
  add_on_option(*command, arguments->on, EachWindow::refused);
  add_data_option(*command, arguments->data);
  command->add_option("--sample", options.n_windows,
                      "Use only so many windows, drawn by --seed from all series and times; by default all");
  command->add_option("--chains", options.chains, "Chains, which run side by side");
  command->add_option("--draws", options.draws, "Draws of each chain");
  command->add_option("--warmup", options.warmup, "Iterations before them, in which the sampler adapts");
  command->add_option("--target", options.target_acceptance,
                      "Acceptance that the step size is adapted to; larger takes smaller steps");
  command->add_option("--seed", options.seed, "Of all random numbers");
  command->add_flag("--exact", options.exact, "Compute R at every θ, even where it can be interpolated");
  add_picture_options(*command, arguments->picture);
  command->add_option("-o,--output", arguments->output, "Folder for the results; by default RUN/sample");
  add_threads_option(*command, arguments->n_threads);
  add_json_option(*command, arguments->json);
  describe(*command, kAsking,
           {"greybox sample runs/toy --regularizer normD --beta 100",
            "greybox sample runs/toy --regularizer normD    # suggests values of β"});
  command->callback([arguments] { run(*arguments); });
}

}  // namespace greybox::apps
