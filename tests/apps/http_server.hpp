// Python's web server on a folder, for as long as the object lives.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace greybox::test {

class HttpServer {
 public:
  explicit HttpServer(const std::filesystem::path& folder) {
    ::setenv("no_proxy", "127.0.0.1", 1);
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) return;
    child_ = ::fork();
    if (child_ == 0) start(folder, ends[1]);
    ::close(ends[1]);
    address_ = announced_address(ends[0]);
    ::close(ends[0]);
  }
  ~HttpServer() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Empty when there is no python3.
  const std::string& address() const { return address_; }

 private:
  [[noreturn]] static void start(const std::filesystem::path& folder, int out) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
    ::execlp("python3", "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory",
             folder.c_str(), nullptr);
    ::_exit(127);
  }

  // Python says "Serving HTTP on 127.0.0.1 port 40123 (http://127.0.0.1:40123/) ..." once it listens.
  static std::string announced_address(int out) {
    std::string line;
    for (char byte = 0; ::read(out, &byte, 1) == 1 && byte != '\n';) line += byte;
    const std::size_t begin = line.find("http://"), end = line.find("/)");
    return begin < end && end != std::string::npos ? line.substr(begin, end - begin) : "";
  }

  pid_t child_ = -1;
  std::string address_;
};

}  // namespace greybox::test
