// The explorer's server: the page, and its questions passed on to the session. Compiled alone, for the sake
// of the server's header.
#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "analysis/explore/answers.hpp"
#include "analysis/explore/secret.hpp"
#include "core/threads.hpp"
#include "greybox/explore.hpp"
#include "report/live_page.hpp"

#if GREYBOX_HAS_SERVER
#include <httplib.h>

#include "analysis/explore/request_threads.hpp"
#endif

namespace greybox {

#if GREYBOX_HAS_SERVER

namespace {

constexpr const char* kHost = "127.0.0.1";
constexpr std::size_t kServerThreads = 24, kMostRequestBytes = 64 * 1024;
// An idle connection keeps a thread, and the end of the server waits for it.
constexpr int kIdleSeconds = 1;
constexpr std::size_t kRequestsPerConnection = 1'000'000;
constexpr const char* kRequestName = "request";

Json error_json(const std::string& message, const std::string& help = "", const std::string& text = "") {
  return {{"error", message}, {"help", help}, {"text", text}};
}

// The user's mistakes with their help; mistakes of the page without it, which would speak of files.
Json error_json(const InputError& error) {
  const Diagnostic& first = error.diagnostics().front();
  if (first.file == kRequestName) return error_json(first.message);
  return error_json(first.message, first.help, error.what());
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

// As it is: the library compresses what it is given whole, which on the way to the same machine takes longer
// than the answer.
void send_text(httplib::Response& response, std::string text, const char* type) {
  const std::size_t size = text.size();
  response.set_content_provider(
      size, type, [text = std::move(text)](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        return sink.write(text.data() + offset, length);
      });
}

void reply(httplib::Response& response, int status, const Json& json) {
  response.status = status;
  send_text(response, line_of(json), "application/json");
}

}  // namespace

struct Explorer::Implementation {
  Implementation(const Run& run, const ExploreOptions& options) : session_(run, options.execution) {
    warnings_ = session_.model()->networks->warnings;
    token_ = random_secret();
    server_.new_task_queue = [this] { return requests_.release(); };
    server_.set_tcp_nodelay(true);
    server_.set_keep_alive_timeout(kIdleSeconds);
    server_.set_keep_alive_max_count(kRequestsPerConnection);
    server_.set_payload_max_length(kMostRequestBytes);
    bind(options.port);
    live_page("{}");  // throws where there is none
    add_routes();
    thread_ = start_thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  ~Implementation() { stop(); }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void stop() {
    session_.end();
    if (!thread_.joinable()) return;
    server_.stop();
    thread_.join();
    is_stopped_ = true;
  }

  void bind(std::uint16_t port) {
    // Otherwise two servers could share a port, and one would never be asked.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    if (port == 0)
      port_ = server_.bind_to_any_port(kHost);
    else if (server_.bind_to_port(kHost, port))
      port_ = port;
    if (port_ <= 0)
      throw std::runtime_error(
          fmt::format("port {} of {} cannot be used; another program may have it", port, kHost));
    address_ = fmt::format("http://{}:{}/{}/", kHost, port_, token_);
  }

  bool is_own_host(const std::string& host) const {
    return host == fmt::format("{}:{}", kHost, port_) || host == fmt::format("localhost:{}", port_);
  }
  // A page of another site must not ask, whatever name it gave this machine.
  bool is_allowed(const httplib::Request& request) const {
    if (!is_own_host(request.get_header_value("Host"))) return false;
    if (!request.has_header("Origin")) return true;
    const std::string origin = request.get_header_value("Origin"), scheme = "http://";
    return origin.starts_with(scheme) && is_own_host(origin.substr(scheme.size()));
  }
  bool has_secret(const std::string& path) const {
    const std::size_t end = path.find('/', 1);
    return end != std::string::npos && is_same_secret(std::string_view(path).substr(1, end - 1), token_);
  }

  void add_routes() {
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      response.set_header("Cache-Control", "no-store");
      response.set_header("Referrer-Policy", "no-referrer");
      response.set_header("X-Content-Type-Options", "nosniff");
      response.set_header("Cross-Origin-Resource-Policy", "same-origin");
      if (is_allowed(request) && has_secret(request.path)) return httplib::Server::HandlerResponse::Unhandled;
      reply(
          response, 403,
          error_json("this address is not open to you",
                     "open the whole address that `greybox explore` printed, in a browser on this machine"));
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
          reply(response, 500, error_json("something went wrong in the server"));
        });
    server_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (!response.has_header("Content-Type"))
        reply(response, response.status,
              error_json(response.status == 413 ? "the request is too long" : "there is nothing here"));
    });
    server_.Get(R"(/[0-9a-f]+/)",
                [this](const httplib::Request&, httplib::Response& response) { page(response); });
    server_.Post(R"(/[0-9a-f]+/([a-z]+))", [this](const httplib::Request& request,
                                                  httplib::Response& response) { ask(request, response); });
  }

  void page(httplib::Response& response) {
    try {
      const LivePage page = live_page(start_of(session_, "/" + token_ + "/").dump());
      response.set_header("Content-Security-Policy", page.policy);
      send_text(response, page.html, "text/html; charset=utf-8");
    } catch (const std::exception& error) {
      reply(response, 500, error_json(error.what()));
    }
  }

  void ask(const httplib::Request& request, httplib::Response& response) {
    const std::string name = request.matches[1];
    if (!is_question(name)) return reply(response, 404, error_json("there is no question `" + name + "`"));
    if (!request.get_header_value("Content-Type").starts_with("application/json"))
      return reply(response, 415, error_json("questions are JSON", "send them as application/json"));
    if (is_streamed(name)) return stream(name, request.body, response);
    try {
      const Json json = read_json_text(request.body, kRequestName);
      answer(session_, newest_, name, JsonValue(json, kRequestName), [&](const Json& answered) {
        reply(response, 200, answered);
        return true;
      });
    } catch (const InputError& error) {
      reply(response, 400, error_json(error));
    } catch (const std::exception& error) {
      reply(response, 500, error_json(error.what()));
    }
  }

  // Line by line, as they are computed.
  void stream(const std::string& name, const std::string& body, httplib::Response& response) {
    response.set_chunked_content_provider(
        "application/x-ndjson", [this, name, body](std::size_t, httplib::DataSink& sink) {
          const auto write = [&](const Json& json) {
            const std::string line = line_of(json);
            return sink.write(line.data(), line.size());
          };
          try {
            const Json json = read_json_text(body, kRequestName);
            answer(session_, newest_, name, JsonValue(json, kRequestName), write);
          } catch (const InputError& error) {
            write(error_json(error));
          } catch (const std::exception& error) {
            write(error_json(error.what()));
          }
          sink.done();
          return true;
        });
  }

  ExploreSession session_;
  Newest newest_;
  std::unique_ptr<RequestThreads> requests_ = std::make_unique<RequestThreads>(kServerThreads);
  httplib::Server server_;
  std::string token_, address_;
  std::vector<std::string> warnings_;
  int port_ = -1;
  std::thread thread_;
  std::atomic<bool> is_stopped_ = false;
};

#else

struct Explorer::Implementation {
  Implementation(const Run&, const ExploreOptions&) {
    throw std::runtime_error(
        "this build of greybox has no server to explore with; install cpp-httplib "
        "(Debian: libcpp-httplib-dev) and build it again");
  }
  void stop() {}

  std::string address_;
  std::vector<std::string> warnings_;
  std::atomic<bool> is_stopped_ = false;
};

#endif

Explorer::Explorer(const Run& run, const ExploreOptions& options)
    : implementation_(std::make_unique<Implementation>(run, options)) {}

Explorer::~Explorer() = default;
Explorer::Explorer(Explorer&&) noexcept = default;
Explorer& Explorer::operator=(Explorer&&) noexcept = default;

const std::string& Explorer::address() const {
  return implementation_->address_;
}

const std::vector<std::string>& Explorer::warnings() const {
  return implementation_->warnings_;
}

void Explorer::wait(const std::atomic<bool>& cancel) const {
  constexpr std::chrono::milliseconds kPatience(50);
  while (!cancel && !implementation_->is_stopped_) std::this_thread::sleep_for(kPatience);
}

void Explorer::stop() {
  implementation_->stop();
}

}  // namespace greybox
