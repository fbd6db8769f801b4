#include "serving/problem.h"

#include <fmt/format.h>

#include <new>

#include "copse/error.h"
#include "serving/error_json.h"
#include "serving/request_error.h"

namespace copse {

Problem describe(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const RequestError& problem) {
    return {problem.status(), problem.what(), problem.where()};
  } catch (const InfeasibleError& problem) {
    return {422, problem.what()};
  } catch (const DataError& problem) {
    return {400, problem.what()};
  } catch (const std::bad_alloc&) {
    return {503, "out of memory; send less at a time"};
  } catch (const std::exception& problem) {
    return {500, fmt::format("internal error: {}; please report it", problem.what())};
  } catch (...) {
    return {500, "internal error; please report it"};
  }
}

std::string error_body(const Problem& problem, ErrorStyle style) {
  if (style == ErrorStyle::text) return problem.message + "\n";
  return error_json(RequestError(problem.status, problem.message, problem.where)) + "\n";
}

ReplyHead error_head(const Problem& problem, ErrorStyle style) {
  ReplyHead head{problem.status,
                 style == ErrorStyle::text ? "text/plain; charset=utf-8" : "application/json"};
  if (problem.status == 503) head.headers.emplace_back("Retry-After", "1");
  if (problem.status == 401) head.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"copse\"");
  return head;
}

ErrorStyle style_of(const std::string& path) {
  return path.starts_with("/v1/") ? ErrorStyle::json : ErrorStyle::text;
}

}  // namespace copse
