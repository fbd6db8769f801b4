#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "copse/parse_options.h"
#include "document.h"
#include "workspaces.h"

namespace copse::python {

// Texts that are parsed together, each of which becomes a document. What goes wrong with one of them does not
// touch the others. Nothing here needs the interpreter or its lock.
class TextBatch {
 public:
  using Words = std::vector<std::vector<std::string>>;  // sentences that are cut into words

  struct Settings {
    ParseOptions parsing;
    bool lines = false;  // every line of a text is a sentence
    int threads = 1;
  };

  TextBatch(std::shared_ptr<Workspaces> workspaces, Settings settings);
  // Stops what runs, and waits for that.
  ~TextBatch();
  TextBatch(const TextBatch&) = delete;
  TextBatch& operator=(const TextBatch&) = delete;

  void add_text(std::string text, std::vector<KnownArc> known);
  void add_words(Words words, std::vector<KnownArc> known);
  void add_conllu(std::string text, std::vector<KnownArc> known);
  std::size_t size() const { return inputs_.size(); }
  std::size_t bytes() const { return bytes_; }

  // In this thread, or in another: then wait() until it says true.
  void run();
  void start();
  bool wait(int milliseconds);

  // After that. Throws what went wrong with this text.
  std::shared_ptr<Document> document(std::size_t number) const;

 private:
  struct Text {
    std::string text;
  };
  struct Conllu {
    std::string text;
  };
  struct Input {
    std::variant<Text, Words, Conllu> content;
    std::vector<KnownArc> known;
    std::shared_ptr<Document> document;
    std::exception_ptr error;
  };

  void run_with(Workspace& workspace);
  void read(Input& input) const;

  std::shared_ptr<Workspaces> workspaces_;
  Settings settings_;
  std::vector<Input> inputs_;
  std::size_t bytes_ = 0;
  std::exception_ptr failure_;  // of all

  std::atomic<bool> is_cancelled_ = false;
  std::thread thread_;
  pid_t process_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
};

}  // namespace copse::python
