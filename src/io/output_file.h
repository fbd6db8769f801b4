#pragma once

#include <string>
#include <string_view>

namespace copse {

// A file that appears whole or not at all: bytes go to a temporary file beside the target, and close()
// renames it over the target. If close() is never reached, the destructor removes the temporary and the
// target stays as it was. A symbolic link is followed, and the permissions of an existing target are kept.
// Targets that cannot be replaced (the standard output as "-", devices, pipes) are written directly.
class OutputFile {
 public:
  // Throws DataError when the file cannot be created.
  explicit OutputFile(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  // Buffered; a failure (such as a full disk) is a DataError here, in flush() or in close().
  void write(std::string_view bytes);
  void flush();

  // Makes the file appear. Later calls do nothing.
  void close();

  const std::string& name() const { return name_; }

 private:
  void swap(OutputFile& other) noexcept;
  void write_through(std::string_view bytes);
  void abandon() noexcept;
  [[noreturn]] void fail(int error_number) const;

  std::string name_;       // for messages
  std::string target_;     // empty when written directly
  std::string temporary_;  // empty when written directly
  std::string buffer_;
  int descriptor_ = -1;
  bool owns_descriptor_ = true;  // the standard output stays open
  int slot_ = -1;                // of remove_temporary_files(), while there is a temporary
};

// Removes the temporaries of all files that are being written, for a program that is about to end without
// destructors. May be called in a signal handler; files that are still written afterwards are lost.
void remove_temporary_files() noexcept;

}  // namespace copse
