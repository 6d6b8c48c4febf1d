// Processes that work on one computation together, as MPI starts them.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "greybox/error.hpp"

namespace greybox {

// Other processes did not come to where this one waited for them, and the work was cancelled meanwhile: so a
// launcher ends the processes that are left when one has died.
class LostProcesses : public Interruption {
 public:
  using Interruption::Interruption;
};

struct RankMessage {
  std::size_t from = 0;
  std::string bytes;
};

// All processes call the same functions of the library with the same arguments; the first, rank 0, prints and
// writes. Used by one thread at a time.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  // Processes on this computer, this one included: they share its cores.
  virtual std::size_t n_on_host() const = 0;

  virtual void send(std::size_t to, const std::string& bytes) = 0;
  // From any process; none when nothing has come.
  virtual std::optional<RankMessage> receive() = 0;
  // What rank 0 has, for all.
  virtual void broadcast(std::string& bytes) = 0;
  // Rank r has bytes [begins[r], begins[r + 1]) of `data`; afterwards all have all. `begins` has one entry
  // more than there are ranks.
  virtual void exchange(std::span<std::byte> data, std::span<const std::size_t> begins) = 0;
  // Rank r has bytes [sent_begins[q], sent_begins[q + 1]) of `sent` for rank q; what it gets from rank q
  // comes to [received_begins[q], received_begins[q + 1]) of `received`.
  virtual void redistribute(std::span<const std::byte> sent, std::span<const std::size_t> sent_begins,
                            std::span<std::byte> received, std::span<const std::size_t> received_begins) = 0;

  // From now on a wait for others that lasts throws LostProcesses while `cancel` is true. Null: never.
  virtual void give_up_when(const std::atomic<bool>* cancel) { (void)cancel; }
};

// Whether this library was built with MPI (GREYBOX_WITH_MPI).
bool has_mpi();

// Of all processes that mpirun or srun started together; null without such a launcher, for a single process,
// and in a library without MPI. Starts MPI when nobody has.
std::shared_ptr<Communicator> launched_communicator();

// Of a communicator of MPI by its Fortran handle: `comm.py2f()` in mpi4py, `MPI_Comm_c2f` in C. It is copied.
// Throws InputError in a library without MPI, and when MPI was not started.
std::shared_ptr<Communicator> communicator_of(int fortran_handle);

// For the end of a program that `launched_communicator` started MPI for: waits until all ranks are here, and
// ends MPI. False when some are not after `seconds`: they wait for something, or have failed.
bool end_together(double seconds);
// Ends the processes of all ranks, this one included.
[[noreturn]] void end_all_ranks(int exit_code);

}  // namespace greybox
