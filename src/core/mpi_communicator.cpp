// Communicators of MPI: the only file that knows MPI, and that is compiled differently without it.
#include "core/patience.hpp"
#include "greybox/communicator.hpp"
#include "greybox/error.hpp"
#include "greybox/mpi_library.hpp"

#ifdef GREYBOX_HAS_MPI
// Without the old C++ interface.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

namespace greybox {
namespace {

constexpr int kTag = 20;
// Less than launchers wait before they kill.
constexpr std::chrono::milliseconds kPatience{500};
// What they were to send is still under way: MPI cannot be ended in order.
bool has_lost_others = false;
// A quantity that an `int` cannot count is sent in parts.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30U;

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string("MPI cannot ") + what + ": " +
                           std::string(text, static_cast<std::size_t>(length)));
}

class MpiCommunicator final : public Communicator {
 public:
  explicit MpiCommunicator(MPI_Comm original) {
    check(MPI_Comm_dup(original, &comm_), "copy the communicator");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm host = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
          "find the processes of this computer");
    MPI_Comm_size(host, &n_on_host_);
    MPI_Comm_free(&host);
  }
  ~MpiCommunicator() override {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (is_over == 0) MPI_Comm_free(&comm_);
  }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
  std::size_t size() const override { return static_cast<std::size_t>(size_); }
  std::size_t n_on_host() const override { return static_cast<std::size_t>(n_on_host_); }

  void send(std::size_t to, const std::string& bytes) override {
    if (bytes.size() > std::numeric_limits<int>::max())
      throw std::runtime_error("a result of more than 2 GiB cannot be sent to another process");
    check(MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, static_cast<int>(to), kTag, comm_),
          "send");
  }

  std::optional<RankMessage> receive() override {
    int is_there = 0, size = 0;
    MPI_Status status;
    MPI_Message handle = MPI_MESSAGE_NULL;
    check(MPI_Improbe(MPI_ANY_SOURCE, kTag, comm_, &is_there, &handle, &status), "look for a message");
    if (is_there == 0) return std::nullopt;
    MPI_Get_count(&status, MPI_BYTE, &size);
    RankMessage message{static_cast<std::size_t>(status.MPI_SOURCE),
                        std::string(static_cast<std::size_t>(size), '\0')};
    check(MPI_Mrecv(message.bytes.data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE), "receive");
    return message;
  }

  void broadcast(std::string& bytes) override {
    unsigned long long size = bytes.size();
    wait_for([&](MPI_Request* request) {
      return MPI_Ibcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, comm_, request);
    });
    bytes.resize(size);
    for (std::size_t done = 0; done < size; done += kMostAtOnce) {
      const int n = static_cast<int>(std::min<std::size_t>(size - done, kMostAtOnce));
      wait_for([&](MPI_Request* request) {
        return MPI_Ibcast(bytes.data() + done, n, MPI_BYTE, 0, comm_, request);
      });
    }
  }

  void exchange(std::span<std::byte> data, std::span<const std::size_t> begins) override {
    own_.set(begins);
    wait_for([&](MPI_Request* request) {
      return MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data.data(), own_.counts.data(),
                             own_.begins.data(), MPI_BYTE, comm_, request);
    });
  }

  void redistribute(std::span<const std::byte> sent, std::span<const std::size_t> sent_begins,
                    std::span<std::byte> received, std::span<const std::size_t> received_begins) override {
    own_.set(sent_begins);
    others_.set(received_begins);
    wait_for([&](MPI_Request* request) {
      return MPI_Ialltoallv(sent.data(), own_.counts.data(), own_.begins.data(), MPI_BYTE, received.data(),
                            others_.counts.data(), others_.begins.data(), MPI_BYTE, comm_, request);
    });
  }

  void give_up_when(const std::atomic<bool>* cancel) override { cancel_ = cancel; }

 private:
  // What each rank has of an array, as MPI wants to be told.
  struct Parts {
    std::vector<int> begins, counts;

    void set(std::span<const std::size_t> all) {
      if (all.back() > std::numeric_limits<int>::max())
        throw std::runtime_error("more than 2 GiB cannot be exchanged between processes at once");
      begins.assign(all.begin(), all.end() - 1);
      counts.clear();
      for (std::size_t r = 0; r + 1 < all.size(); ++r)
        counts.push_back(static_cast<int>(all[r + 1] - all[r]));
    }
  };

  // Begins something that all do together. Short waits do not sleep, and long ones leave the core to those
  // that still work.
  template <class Begin>
  void wait_for(const Begin& begin) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(begin(&request), "speak with other processes");
    int is_done = 0;
    Patience patience(cancel_, kPatience);
    for (int look = 0; is_done == 0; ++look) {
      check(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), "speak with other processes");
      if (is_done != 0 || look < kLooks) continue;
      if (patience.is_over()) give_up();
      if (look < kLooks + kYields)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

  [[noreturn]] static void give_up() {
    has_lost_others = true;
    throw LostProcesses("interrupted, and other processes do not answer");
  }

  static constexpr int kLooks = 2000, kYields = 20'000;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, n_on_host_ = 1;
  Parts own_, others_;
  const std::atomic<bool>* cancel_ = nullptr;
};

// Asking MPI itself would start it, which takes long and in some places fails.
bool has_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK", "MPI_LOCALNRANKS"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

bool has_started() {
  int has_started = 0;
  MPI_Initialized(&has_started);
  return has_started != 0;
}

bool is_ours = false;

}  // namespace

bool has_mpi() {
  return true;
}

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  return std::string(text);
}

std::shared_ptr<Communicator> launched_communicator() {
  if (!has_started()) {
    if (!has_launcher()) return nullptr;
    int level = 0;
    // Tasks run in other threads, but only the calling one speaks with other processes.
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
      throw std::runtime_error("MPI cannot be started");
    is_ours = true;
  }
  auto all = std::make_shared<MpiCommunicator>(MPI_COMM_WORLD);
  if (all->size() == 1) return nullptr;
  return all;
}

std::shared_ptr<Communicator> communicator_of(int fortran_handle) {
  if (!has_started())
    throw InputError(Diagnostic{.option = "communicator",
                                .message = "MPI was not started",
                                .help = "call MPI_Init first; in Python, `from mpi4py import MPI` does so"});
  return std::make_shared<MpiCommunicator>(MPI_Comm_f2c(static_cast<MPI_Fint>(fortran_handle)));
}

bool end_together(double seconds) {
  if (!is_ours) return true;
  if (has_lost_others) return false;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  MPI_Request request = MPI_REQUEST_NULL;
  int are_all_here = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  while (MPI_Test(&request, &are_all_here, MPI_STATUS_IGNORE) == MPI_SUCCESS && are_all_here == 0) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  MPI_Finalize();
  is_ours = false;
  return true;
}

void end_all_ranks(int exit_code) {
  if (is_ours) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace greybox

#else

#include <cstdlib>

namespace greybox {

bool has_mpi() {
  return false;
}

std::string mpi_library() {
  return {};
}

std::shared_ptr<Communicator> launched_communicator() {
  return nullptr;
}

std::shared_ptr<Communicator> communicator_of(int) {
  throw InputError(Diagnostic{.option = "communicator",
                              .message = "this greybox was built without MPI",
                              .help = "build it with -DGREYBOX_WITH_MPI=ON"});
}

bool end_together(double) {
  return true;
}

void end_all_ranks(int exit_code) {
  std::_Exit(exit_code);
}

}  // namespace greybox

#endif
