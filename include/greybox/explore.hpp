// The explorer: a page on this machine alone in which θ is dragged and the model follows.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "greybox/run.hpp"

namespace greybox {

struct ExploreOptions {
  // Of 127.0.0.1; 0: one that is free.
  std::uint16_t port = 0;
  // Its progress and cancellation are not used.
  Execution execution{};
};

// Serves as long as it lives: the page and the answers to its questions, to this machine only, to whoever
// knows the address. Model, data and all finished networks are loaded once; what it writes is pins (pins.json
// in the run's folder) and entries of the ledger.
class Explorer {
 public:
  // Throws InputError for the user's mistakes, std::runtime_error where nothing can be served on the port,
  // and when the library was built without the page or without a server.
  explicit Explorer(const Run& run, const ExploreOptions& options = {});
  ~Explorer();
  Explorer(Explorer&&) noexcept;
  Explorer& operator=(Explorer&&) noexcept;

  // To be opened in a browser; holds a secret that is made anew for every explorer.
  const std::string& address() const;
  const std::vector<std::string>& warnings() const;
  // Returns once `cancel` is true, or after `stop`.
  void wait(const std::atomic<bool>& cancel) const;
  // Ends what is being computed and closes the port. May be called twice.
  void stop();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace greybox
