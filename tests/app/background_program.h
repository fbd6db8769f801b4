#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace copse::testing {

// The program while it runs: talk to it through pipes, send it signals. What is left of it is killed at the
// end.
class BackgroundProgram {
 public:
  // The standard error goes to the file "errors" in `folder`, where the program works.
  BackgroundProgram(const std::string& folder, const std::vector<std::string>& arguments) {
    std::array<int, 2> input;
    std::array<int, 2> output;
    if (::pipe(input.data()) != 0 || ::pipe(output.data()) != 0) std::abort();
    std::vector<char*> words;
    std::string binary = std::getenv("COPSE_BINARY");
    words.push_back(binary.data());
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(input[0], STDIN_FILENO);
      ::dup2(output[1], STDOUT_FILENO);
      for (const int descriptor : {input[0], input[1], output[0], output[1]}) ::close(descriptor);
      if (::chdir(folder.c_str()) != 0) ::_exit(99);
      // Tests that run in the background of a shell have it ignored, and so would the program.
      ::signal(SIGINT, SIG_DFL);
      ::dup2(::open("errors", O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
      ::execv(binary.c_str(), words.data());
      ::_exit(99);
    }
    ::close(input[0]);
    ::close(output[1]);
    to_program_ = input[1];
    from_program_ = output[0];
  }
  ~BackgroundProgram() {
    if (process_ > 0) {
      send(SIGKILL);
      wait();
    }
    close_input();
    ::close(from_program_);
  }
  BackgroundProgram(const BackgroundProgram&) = delete;
  BackgroundProgram& operator=(const BackgroundProgram&) = delete;

  void write(const std::string& text) const {
    if (::write(to_program_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
  }
  void close_input() {
    if (to_program_ >= 0) ::close(to_program_);
    to_program_ = -1;
  }
  // What comes until `end` has come, the output ends, or ten seconds pass without anything.
  std::string read_until(const std::string& end) const {
    std::string text;
    std::array<char, 4096> buffer;
    while (text.find(end) == std::string::npos) {
      pollfd waiting{from_program_, POLLIN, 0};
      if (::poll(&waiting, 1, 10'000) != 1) break;
      const ssize_t count = ::read(from_program_, buffer.data(), buffer.size());
      if (count <= 0) break;
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

  void send(int signal) const { ::kill(process_, signal); }
  // As waitpid gives it.
  int wait() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return status;
  }

 private:
  pid_t process_ = -1;
  int to_program_ = -1;
  int from_program_ = -1;
};

// Whether `condition` comes true within ten seconds.
template <class Condition>
bool wait_for(Condition condition) {
  for (int k = 0; k < 10'000; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace copse::testing
