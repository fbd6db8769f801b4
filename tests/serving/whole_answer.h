#pragma once

#include <thread>

#include "serving/service.h"

namespace copse::testing {

// Waits for all of an answer.
inline Answer whole_answer(Service& service, const Request& request) {
  Answer answer = service.answer(request, [] {});
  if (!answer.reply) return answer;
  while (!answer.reply->is_complete()) std::this_thread::yield();
  answer.head = answer.reply->head();
  answer.reply->take(answer.body);
  return answer;
}

}  // namespace copse::testing
