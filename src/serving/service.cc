#include "serving/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "memory/resident_bytes.h"
#include "serving/assets.h"
#include "serving/media_type.h"
#include "serving/problem.h"
#include "serving/request_error.h"
#include "text/utf8.h"

namespace copse {
namespace {

// No resource of others, no script that is not in a file of ours, no frame around the page.
constexpr const char* kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
    "'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void set_error(const Problem& problem, ErrorStyle style, Answer& answer) {
  answer.head = error_head(problem, style);
  answer.body = error_body(problem, style);
  answer.outcome->error = problem.message;
}

std::string allowed_methods(const Route& route) {
  std::string list;
  for (const std::string& method : route.methods) list += (list.empty() ? "" : ", ") + method;
  if (std::find(route.methods.begin(), route.methods.end(), "GET") != route.methods.end()) list += ", HEAD";
  return list + ", OPTIONS";
}

bool allows(const Route& route, const std::string& method) {
  const std::string& asked = method == "HEAD" ? "GET" : method;
  return std::find(route.methods.begin(), route.methods.end(), asked) != route.methods.end();
}

// A page, its files, and whether the server is alive, are no secrets: a browser asks for them without a
// token.
bool is_public(const std::string& path) {
  return path == "/healthz" || path == "/openapi.json" || find_asset(path) != nullptr;
}

// Takes the answer of quick handlers.
class DirectReply : public Reply {
 public:
  explicit DirectReply(Answer& answer) : answer_(answer) {}
  void send(ReplyHead head, std::string body) override {
    answer_.head = std::move(head);
    answer_.body = std::move(body);
  }
  void start(ReplyHead head) override { answer_.head = std::move(head); }
  void write(std::string piece) override { answer_.body += piece; }

 private:
  Answer& answer_;
};

}  // namespace

Service::Service(const ModelSet& models, std::vector<Route> routes, const ServiceOptions& options)
    : models_(&models),
      routes_(std::move(routes)),
      options_(options),
      workers_(options.threads, options.queue) {
  routes_.push_back({.path = "/healthz", .methods = {"GET"}, .quick = [this](const Request&, Reply& reply) {
                       // Who balances loads is told to look elsewhere.
                       if (is_stopping_) throw RequestError(503, "the server is stopping");
                       reply.send({.content_type = "text/plain; charset=utf-8"}, "ok\n");
                     }});
  routes_.push_back({.path = "/metrics", .methods = {"GET"}, .quick = [this](const Request&, Reply& reply) {
                       reply.send({.content_type = "text/plain; version=0.0.4; charset=utf-8"},
                                  metrics_.text(load()));
                     }});
}

ServerLoad Service::load() const {
  return {workers_.threads(), workers_.busy(), workers_.waiting(), connections_, resident_bytes()};
}

const Route* Service::find_route(const std::string& path) const {
  const auto found =
      std::find_if(routes_.begin(), routes_.end(), [&](const Route& route) { return route.path == path; });
  return found == routes_.end() ? nullptr : &*found;
}

Answer Service::answer(Request request, std::function<void()> on_progress) {
  const AccessControl::Headers cors =
      request.method == "OPTIONS" ? AccessControl::Headers() : options_.access.cors_headers(request);
  Answer answer = route(std::move(request), std::move(on_progress));
  answer.headers = cors;
  answer.headers.emplace_back("X-Content-Type-Options", "nosniff");
  return answer;
}

Answer Service::refusal(int status, const std::string& message, const std::string& path) const {
  Answer answer;
  answer.route = "invalid";
  const Route* const route = find_route(path);
  set_error({status, message}, route != nullptr ? route->errors : style_of(path), answer);
  return answer;
}

Answer Service::route(Request request, std::function<void()> on_progress) {
  Answer answer;
  const Route* const route = find_route(request.path);
  const bool is_asset = route == nullptr && find_asset(request.path) != nullptr;
  answer.route = route != nullptr ? route->path : is_asset ? "page" : "unknown";
  const ErrorStyle style = route != nullptr ? route->errors : style_of(request.path);
  if (request.method == "OPTIONS") {
    answer_options(request, answer);
  } else if (!is_public(request.path) && !options_.access.has_token(request)) {
    set_error({401, "a token is needed; send the header Authorization: Bearer TOKEN"}, style, answer);
  } else if (is_asset) {
    answer_asset(request, answer);
  } else if (route == nullptr) {
    set_error({404, fmt::format("there is nothing at {}; try /process, /models, /v1/parse or /",
                                copse::quoted(request.path, 80))},
              style, answer);
  } else if (!allows(*route, request.method)) {
    set_error({405, fmt::format("{} does not answer {}; use {}", route->path, copse::quoted(request.method),
                                allowed_methods(*route))},
              style, answer);
    answer.head.headers.emplace_back("Allow", allowed_methods(*route));
  } else if (const std::string_view coding = trimmed(request.header("Content-Encoding"));
             !coding.empty() && lower_ascii(coding) != "identity") {
    set_error({415, fmt::format("the body has the Content-Encoding {}; send it as it is",
                                copse::quoted(coding, 80))},
              style, answer);
    answer.head.headers.emplace_back("Accept-Encoding", "identity");
  } else if (route->quick) {
    answer_quick(*route, request, answer);
  } else {
    parse(*route, std::move(request), std::move(on_progress), answer);
  }
  return answer;
}

void Service::answer_options(const Request& request, Answer& answer) const {
  const Route* const route = find_route(request.path);
  const std::string methods = route == nullptr ? "GET, HEAD, OPTIONS" : allowed_methods(*route);
  answer.head.status = 204;
  answer.head.content_type.clear();
  answer.head.headers = options_.access.preflight_headers(request, methods);
  answer.head.headers.emplace_back("Allow", methods);
}

void Service::answer_asset(const Request& request, Answer& answer) const {
  if (request.method != "GET" && request.method != "HEAD") {
    set_error({405, fmt::format("{} can only be read; use GET", copse::quoted(request.path, 80))},
              ErrorStyle::text, answer);
    answer.head.headers.emplace_back("Allow", "GET, HEAD, OPTIONS");
    return;
  }
  const EmbeddedFile& asset = *find_asset(request.path);
  answer.head.content_type = content_type_of(asset.path);
  answer.head.headers = {{"ETag", std::string(asset.etag)},
                         {"Cache-Control", "no-cache"},  // ask again, which is cheap, for ours may be new
                         {"Content-Security-Policy", kContentSecurityPolicy},
                         {"Referrer-Policy", "no-referrer"},
                         {"Cross-Origin-Opener-Policy", "same-origin"}};
  if (request.header("If-None-Match").find(asset.etag) != std::string_view::npos) {
    answer.head.status = 304;
    answer.head.content_type.clear();
    return;
  }
  answer.body = asset.bytes;
}

void Service::answer_quick(const Route& route, const Request& request, Answer& answer) const {
  try {
    DirectReply reply(answer);
    route.quick(request, reply);
  } catch (...) {
    set_error(describe(std::current_exception()), route.errors, answer);
  }
}

void Service::parse(const Route& route, Request request, std::function<void()> on_progress, Answer& answer) {
  if (is_stopping_) return set_error({503, "the server is stopping; ask again later"}, route.errors, answer);
  const auto reply = std::make_shared<PipedReply>(std::move(on_progress), [this] { workers_.wake(); });
  const bool was_added = workers_.add(std::make_unique<RequestJob>(route, std::move(request), reply,
                                                                   answer.outcome, Deadline(options_.timeout),
                                                                   *models_, options_.max_words, metrics_));
  if (!was_added) {
    return set_error({503, "too many requests are waiting; ask again in a second"}, route.errors, answer);
  }
  answer.reply = reply;
}

}  // namespace copse
