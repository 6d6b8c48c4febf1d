#include "background.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "fields.hpp"

namespace greybox::python {

template <>
struct Fields<EpochReport> {
  using E = EpochReport;
  static constexpr auto list = std::tuple{Field{"epoch", &E::epoch},
                                          Field{"epochs", &E::epochs},
                                          Field{"loss", &E::loss},
                                          Field{"regularizer", &E::regularizer},
                                          Field{"validation_loss", &E::validation_loss},
                                          Field{"validation_regularizer", &E::validation_regularizer},
                                          Field{"rate", &E::rate},
                                          Field{"multiplier", &E::multiplier},
                                          Field{"samples_per_second", &E::samples_per_second},
                                          Field{"seconds_left", &E::seconds_left}};
};

template <>
struct Fields<ProgressReport> {
  using P = ProgressReport;
  static constexpr auto list = std::tuple{
      Field{"stage", &P::stage},     Field{"unit", &P::unit},         Field{"n_done", &P::n_done},
      Field{"n_total", &P::n_total}, Field{"training", &P::training}, Field{"n_trainings", &P::n_trainings}};
};

namespace {

using Clock = std::chrono::steady_clock;
// How long a signal may wait, and how often counts are shown.
constexpr std::chrono::milliseconds kPatience{50};

nb::dict dictionary_of(const ProgressReport& report) {
  nb::dict fields = fields_of(report, nb::handle());
  fields["epoch"] = report.epoch != nullptr ? nb::object(fields_of(*report.epoch, nb::handle())) : nb::none();
  return fields;
}

class Listener {
 public:
  explicit Listener(const Control& control) : control_(control) {}

  void run(const std::function<void(const Execution&)>& work) {
    std::thread worker([&] { do_work(work); });
    {
      const nb::gil_scoped_release released;
      wait();
      worker.join();
    }
    if (!python_error_ && failure_) std::rethrow_exception(failure_);
  }

  std::optional<nb::python_error> take_error() { return std::move(python_error_); }

 private:
  // On the thread of the work.
  void do_work(const std::function<void(const Execution&)>& work) {
    Communicator* others = control_.communicator.get();
    Execution execution{.n_threads = control_.n_threads, .cancel = &cancel_, .communicator = others};
    if (others != nullptr) others->give_up_when(&cancel_);
    if (!control_.progress.is_none())
      execution.progress = [this](const ProgressReport& report) { tell(report); };
    try {
      work(execution);
    } catch (...) {
      failure_ = std::current_exception();
    }
    if (others != nullptr) others->give_up_when(nullptr);
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    changed_.notify_all();
  }

  // Every epoch is told; counts only now and then, and at the end.
  void tell(const ProgressReport& report) {
    const Clock::time_point now = Clock::now();
    if (report.epoch == nullptr && report.n_done < report.n_total && now - last_told_ < kPatience) return;
    last_told_ = now;
    std::unique_lock lock(mutex_);
    report_ = &report;
    changed_.notify_all();
    changed_.wait(lock, [this] { return report_ == nullptr; });
  }

  // On the calling thread, without the GIL.
  void wait() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait_for(lock, kPatience, [this] { return is_done_ || report_ != nullptr; });
      if (is_done_) return;
      const ProgressReport* report = report_;
      lock.unlock();
      {
        const nb::gil_scoped_acquire held;
        ask_python(report);
      }
      lock.lock();
      if (report == nullptr) continue;
      report_ = nullptr;
      changed_.notify_all();
    }
  }

  void ask_python(const ProgressReport* report) {
    if (python_error_) return;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!control_.cancel.is_none() && nb::cast<bool>(control_.cancel.attr("is_set")())) cancel_ = true;
      if (report != nullptr) control_.progress(dictionary_of(*report));
    } catch (nb::python_error& error) {
      python_error_.emplace(std::move(error));
      cancel_ = true;
    }
  }

  const Control& control_;
  std::atomic<bool> cancel_ = false;
  std::exception_ptr failure_;
  std::optional<nb::python_error> python_error_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // The worker waits while it is set.
  const ProgressReport* report_ = nullptr;
  bool is_done_ = false;
  Clock::time_point last_told_{};
};

}  // namespace

std::optional<nb::python_error> listen(const Control& control,
                                       const std::function<void(const Execution&)>& work) {
  Listener listener(control);
  listener.run(work);
  return listener.take_error();
}

}  // namespace greybox::python
