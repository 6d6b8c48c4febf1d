// A web server on 127.0.0.1 that answers each path with prepared bytes, right or wrong.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace greybox::test {

// A sound answer.
inline std::string http_reply(std::string_view body, std::string_view status = "200 OK") {
  return "HTTP/1.1 " + std::string(status) +
         "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

class CannedServer {
 public:
  CannedServer() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    ::setenv("no_proxy", "127.0.0.1", 1);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(place);
    auto* address = reinterpret_cast<sockaddr*>(&place);
    if (::bind(socket_, address, size) != 0 || ::listen(socket_, 16) != 0 ||
        ::getsockname(socket_, address, &size) != 0)
      throw std::runtime_error("no port to listen on");
    port_ = ntohs(place.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~CannedServer() {
    is_ending_ = true;
    ::shutdown(socket_, SHUT_RDWR);  // wakes the thread that waits for a connection
    thread_.join();
    ::close(socket_);
  }
  CannedServer(const CannedServer&) = delete;
  CannedServer& operator=(const CannedServer&) = delete;

  std::string address(const std::string& path = "") const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  // The bytes of the whole answer; a server that `stalls` then keeps the connection open without sending
  // more.
  void answer(const std::string& path, std::string reply, bool stalls = false) {
    const std::lock_guard lock(mutex_);
    answers_[path] = {std::move(reply), stalls};
  }

 private:
  struct Answer {
    std::string reply;
    bool stalls = false;
  };

  void serve() {
    while (!is_ending_) {
      const int connection = ::accept(socket_, nullptr, nullptr);
      if (connection < 0) continue;
      const Answer answer = answer_to(request_of(connection));
      (void)::send(connection, answer.reply.data(), answer.reply.size(), MSG_NOSIGNAL);
      if (answer.stalls) request_of(connection);  // returns when the client has given up
      ::close(connection);
    }
  }

  // Reads to the empty line that ends a request, or to the end of the connection.
  static std::string request_of(int connection) {
    std::string request;
    char byte = 0;
    while (!request.ends_with("\r\n\r\n") && ::recv(connection, &byte, 1, 0) == 1) request += byte;
    return request;
  }

  Answer answer_to(const std::string& request) {
    const std::size_t begin = request.find(' ') + 1;
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find(request.substr(begin, request.find(' ', begin) - begin));
    return found == answers_.end() ? Answer{http_reply("", "404 Not Found")} : found->second;
  }

  int socket_;
  int port_ = 0;
  std::atomic<bool> is_ending_ = false;
  std::mutex mutex_;
  std::map<std::string, Answer> answers_;
  std::thread thread_;
};

}  // namespace greybox::test
