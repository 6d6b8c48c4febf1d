// greybox: the command line.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <greybox/error.hpp>
#include <greybox/version.hpp>

#include "command.hpp"

namespace greybox::apps {

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
}

}  // namespace greybox::apps

int main(int argc, char** argv) {
  using namespace greybox::apps;
  CLI::App app{"Trustworthy grey-box modelling: which parameters of a theory survive the network beside it?",
               "greybox"};
  app.set_version_flag("--version", fmt::format("greybox {}", greybox::version()));
  app.require_subcommand(1);
  add_check(app);
  add_train(app);
  add_landscape(app);
  add_estimate(app);
  add_predict(app);
  add_refit(app);
  add_compare(app);
  add_data(app);
  add_demo(app);
  try {
    app.parse(argc, argv);
    return kDone;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kWrongInput;
  } catch (const greybox::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kWrongInput;
  } catch (const Interrupted& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kInterrupted;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return kFailed;
  }
}
