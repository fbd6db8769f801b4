#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/error.h"
#include "default_model.h"
#include "io/output_file.h"
#include "option_values.h"
#include "serving/http_server.h"
#include "serving/json_routes.h"
#include "serving/udpipe.h"

namespace copse {
namespace {

struct ServeOptions {
  std::vector<std::string> models;  // NAME=FILE
  HttpOptions http;
  ServiceOptions service;
  double timeout = 30.0;
  std::string token_file;
  std::string log;
};

NamedModel load_named(const std::string& name, const std::string& file) {
  const std::string path = model_path(file);
  return {name, path, Model::load(path)};
}

std::string name_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

// NAME=FILE, or what --model of other commands takes.
NamedModel load_option(const std::string& option) {
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos) return load_named(name_of(option), option);
  if (equals == 0 || equals + 1 == option.size()) {
    throw CLI::ValidationError("--model", option + " is not NAME=FILE");
  }
  return load_named(option.substr(0, equals), option.substr(equals + 1));
}

// What model_path("") finds, by the name that it has there.
NamedModel load_default() {
  const char* chosen = std::getenv("COPSE_MODEL");
  return load_named(chosen == nullptr || *chosen == '\0' ? "english" : name_of(chosen), "");
}

ModelSet load_models(const std::vector<std::string>& options) {
  std::vector<NamedModel> models;
  models.reserve(options.size());
  for (const std::string& option : options) models.push_back(load_option(option));
  if (models.empty()) models.push_back(load_default());
  return ModelSet(std::move(models));
}

// The signals that end a server, kept from all threads that are started from now on: one thread waits for
// them.
class EndSignals {
 public:
  EndSignals() {
    ::sigemptyset(&signals_);
    for (const int signal : {SIGINT, SIGTERM}) {
      struct sigaction action {};
      ::sigaction(signal, nullptr, &action);
      if (action.sa_handler != SIG_IGN)
        ::sigaddset(&signals_, signal);  // else whoever started us wants it so
    }
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }
  // The one that came within that time, or 0.
  int wait(std::chrono::milliseconds time) const {
    const timespec limit{time.count() / 1000, time.count() % 1000 * 1'000'000};
    return std::max(::sigtimedwait(&signals_, nullptr, &limit), 0);
  }
  // Ends the program as if nobody had waited.
  void obey(int signal) const {
    remove_temporary_files();
    std::signal(signal, SIG_DFL);
    ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
    ::raise(signal);
  }

 private:
  sigset_t signals_;
};

std::string address_text(const std::string& host, int port) {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}/", is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", port);
}

// Answers until a signal comes, and then until all that runs has been answered.
void answer_until_signal(HttpServer& server, const EndSignals& signals) {
  std::atomic<bool> has_ended = false;
  std::exception_ptr failure;
  std::thread answering([&] {
    try {
      server.run();
    } catch (...) {
      failure = std::current_exception();
    }
    has_ended = true;
  });
  bool is_stopping = false;
  while (!has_ended) {
    const int signal = signals.wait(std::chrono::milliseconds(100));
    if (signal == 0) continue;
    if (std::exchange(is_stopping, true)) signals.obey(signal);
    std::fputs("copse: stopping when what runs is answered; the same signal again stops at once\n", stderr);
    server.stop();
  }
  answering.join();
  if (failure) std::rethrow_exception(failure);
}

void warn(const std::string& message) {
  std::fputs(fmt::format("copse: warning: {}\n", message).c_str(), stderr);
}

void read_tokens(const std::string& path, AccessControl& access) {
  access.tokens = read_token_file(path);
  if (is_readable_by_all(path)) {
    warn(fmt::format("{}: every user of this machine can read the tokens; say `chmod 600 {}`", path, path));
  }
}

void warn_of_few_connections(const HttpServer& server, const HttpOptions& options) {
  if (server.max_connections() >= options.max_connections) return;
  warn(fmt::format(
      "only {} connections at a time, since the system allows no more open files; raise `ulimit -Hn` for {}",
      server.max_connections(), options.max_connections));
}

void serve(ServeOptions& options) {
  const EndSignals signals;
  options.http.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(options.timeout * 1000.0));
  options.service.timeout = options.http.timeout;
  if (!options.token_file.empty()) read_tokens(options.token_file, options.service.access);
  std::unique_ptr<AccessLog> log;
  if (!options.log.empty()) log = std::make_unique<AccessLog>(options.log);
  const ModelSet models = load_models(options.models);
  std::vector<Route> routes = udpipe_routes(models);
  for (Route& route : json_routes(models)) routes.push_back(std::move(route));
  Service service(models, std::move(routes), options.service);
  HttpServer server(service, log.get(), options.http);
  const int port = server.bind();
  warn_of_few_connections(server, options.http);
  write_output(fmt::format("listening on {}\n", address_text(options.http.host, port)));
  answer_until_signal(server, signals);
}

}  // namespace

void add_serve(CLI::App& program) {
  CLI::App* command = program.add_subcommand("serve", "Answer requests over HTTP: a web service, and a page");
  command->footer(
      "Prints `listening on http://127.0.0.1:8001/` when it is ready. In a browser, this address\n"
      "is a page to try things out. Programs ask\n"
      "  /process, /models   as UDPipe's web service is asked, so that its clients work unchanged\n"
      "  /v1/parse           JSON in and out, with probabilities, constraints and k best trees\n"
      "  /healthz, /metrics  whether all is well, and how much there is to do (Prometheus)\n"
      "docs/serving.md has all of it.\n\n"
      "Only programs on this machine can ask, unless --host says otherwise: 0.0.0.0 means\n"
      "everybody. Then give a --token-file, and put a server that speaks HTTPS in front.\n\n"
      "The --threads are shared by as many requests, and --queue more, which take turns after\n"
      "every few sentences; others are told to come back (503). A request that takes longer than --timeout "
      "is stopped (504), also while\n"
      "it is being sent. SIGTERM or Ctrl-C: what runs is finished, what is new is refused; the\n"
      "same signal again stops at once.\n\n"
      "The access log has a JSON object a line: time, client, path, status, words, ms. What\n"
      "clients send to be parsed is never in it.\n\n"
      "Examples:\n"
      "  copse serve\n"
      "  curl -F data='It works.' -F tokenizer= -F tagger= -F parser= http://127.0.0.1:8001/process\n"
      "  copse serve --port 0 --threads 4 --log access.jsonl\n"
      "  copse serve --model english=english --model czech=cs.copse\n"
      "  copse serve --host 0.0.0.0 --token-file tokens.txt --cors https://example.org");
  auto options = std::make_shared<ServeOptions>();
  command
      ->add_option("--model", options->models,
                   "A model and what clients call it; the first is the default one")
      ->option_text("NAME=FILE ... [the English model]")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--host", options->http.host, "The address to listen on")
      ->check([](const std::string& host) {
        return is_host(host)
                   ? ""
                   : host + " is no address; write one of this machine, or 0.0.0.0 or :: for all of them";
      })
      ->option_text("ADDRESS [127.0.0.1]");
  command->add_option("--port", options->http.port, "0: any that is free, which is printed")
      ->check(CLI::Range(0, 65'535))
      ->option_text("N [8001]");
  add_threads_option(*command, options->service.threads);
  command->add_option("--queue", options->service.queue, "Requests that may wait for a thread")
      ->check(CLI::Range(0, 100'000))
      ->option_text("N [64]");
  command->add_option("--timeout", options->timeout, "Seconds that a request may take")
      ->check(CLI::Range(0.1, 86'400.0))
      ->option_text("S [30]");
  command->add_option("--max-body", options->http.max_body, "Bytes of a request; 64K, 4M and the like")
      ->transform(CLI::AsSizeValue(false))
      ->check([](const std::string& bytes) {
        const bool is_size = bytes != "0" && bytes.find('-') == std::string::npos;
        return is_size ? "" : bytes + " is no size of a request; write a number of bytes, such as 64K or 4M";
      })
      ->option_text("BYTES [4M]");
  command->add_option("--max-words", options->service.max_words, "Words of a request")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->option_text("N [100000]");
  command->add_option("--token-file", options->token_file, "Clients must know one of its tokens, one a line")
      ->option_text("FILE");
  command
      ->add_option("--cors", options->service.access.origins,
                   "An origin whose pages may ask, such as https://example.org; *: all")
      ->option_text("ORIGIN ...")
      ->check([](const std::string& origin) {
        return is_origin(origin) ? "" : origin + " is no origin; write https://example.org, or *";
      })
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--log", options->log, "The access log, to be continued; - is the standard error")
      ->option_text("FILE");
  command->callback([options] { serve(*options); });
}

}  // namespace copse
