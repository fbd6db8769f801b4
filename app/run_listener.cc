#include "run_listener.h"

namespace copse {
namespace {

thread_local RunListener* listener_of_thread = nullptr;

}  // namespace

Listening::Listening(RunListener& listener) { listener_of_thread = &listener; }
Listening::~Listening() { listener_of_thread = nullptr; }

RunListener* current_listener() { return listener_of_thread; }

}  // namespace copse
