#include "io/section_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <stdexcept>
#include <thread>
#include <type_traits>

#include "io/compress_helpers.h"
#include "io/temporary_folder.h"
#include "treebank/conll_helpers.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

static_assert(!std::is_copy_constructible_v<SectionFile> &&
              std::is_nothrow_move_constructible_v<SectionFile>);

class SectionFileTest : public TemporaryFolderTest {
 protected:
  std::string model() const { return path("model"); }
  std::string message_of_opening(const std::string& path) const {
    return error_of([&] { SectionFile::open(path); });
  }
  // The message without the path that it starts with.
  std::string problem_with(const std::string& bytes) const {
    write(path("file"), bytes);
    const std::string message = message_of_opening(path("file"));
    const std::string start = path("file") + ": ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  }
  std::string small_file() const {
    SectionFileWriter writer(path("small"));
    writer.add("text", "content");
    writer.close();
    return content(path("small"));
  }
};

// A file that happens to be called "-" is not in the way.
TEST_F(SectionFileTest, MinusIsTheStandardInput) {
  write(path("good"), small_file());
  write(path("-"), "something else");
  const fs::path before = fs::current_path();
  const int standard_input = ::dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(path("good").c_str(), "rb", stdin), nullptr);
  fs::current_path(path("."));
  EXPECT_NO_THROW(EXPECT_EQ(SectionFile::open("-").text("text"), "content"));
  fs::current_path(before);
  ::dup2(standard_input, STDIN_FILENO);
  ::close(standard_input);
}

TEST_F(SectionFileTest, KeepsSectionsOfEverySize) {
  std::vector<std::string> contents;
  for (const std::size_t size : {0, 1, 63, 64, 65, 0, 4095, 4096, 300'000, 0}) {
    std::string bytes(size, '\0');
    for (std::size_t k = 0; k < size; ++k) bytes[k] = static_cast<char>(k * k + size);
    contents.push_back(bytes);
  }
  SectionFileWriter writer(model());
  for (std::size_t k = 0; k < contents.size(); ++k) {
    writer.add("section-" + std::to_string(k), bytes_of(contents[k]));
  }
  EXPECT_FALSE(fs::exists(model()));
  writer.close();
  writer.close();

  const SectionFile file = SectionFile::open(model());
  EXPECT_EQ(file.path(), model());
  EXPECT_EQ(file.size(), fs::file_size(model()));
  ASSERT_EQ(file.names().size(), contents.size());
  for (std::size_t k = 0; k < contents.size(); ++k) {
    const std::string name = "section-" + std::to_string(k);
    EXPECT_EQ(file.names()[k], name);
    EXPECT_TRUE(file.has(name));
    EXPECT_TRUE(file.text(name) == contents[k]) << name;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.section(name).data()) % 64, 0U);
  }
}

TEST_F(SectionFileTest, MayHaveNoSections) {
  SectionFileWriter(model()).close();
  const SectionFile file = SectionFile::open(model());
  EXPECT_TRUE(file.names().empty());
  EXPECT_EQ(file.size(), 32U);
  EXPECT_FALSE(file.has("text"));
}

TEST_F(SectionFileTest, OwnsCopiesAndBorrowsWhereItSaysSo) {
  SectionFileWriter writer(model());
  writer.add("json", std::string("{\"a\": ") + "1}");
  writer.add("taken", std::vector<std::byte>(1000, std::byte{7}));
  const std::vector<float> floats = {1.5f, -0.0f, 3e38f};
  writer.add_numbers("floats", floats);
  const std::array<std::uint16_t, 2> small = {1, 65535};
  writer.add_numbers("small", small);
  writer.add_numbers("span", std::span(floats).first(1));
  writer.add_numbers("none", std::span<const double>());
  ByteWriter bytes;
  bytes.text("structured");
  writer.add("structured", bytes.take());
  SectionFileWriter moved = std::move(writer);
  moved.close();

  const SectionFile file = SectionFile::open(model());
  EXPECT_EQ(file.text("json"), "{\"a\": 1}");
  EXPECT_EQ(file.text("taken"), std::string(1000, '\7'));
  EXPECT_TRUE(std::ranges::equal(file.numbers<float>("floats"), floats));
  EXPECT_TRUE(std::ranges::equal(file.numbers<std::uint16_t>("small"), small));
  EXPECT_EQ(file.numbers<float>("span").size(), 1U);
  EXPECT_TRUE(file.numbers<double>("none").empty());
  ByteReader reader = file.reader("structured");
  EXPECT_EQ(reader.text(), "structured");
  EXPECT_EQ(error_of([&] { reader.u8(); }).find(model() + ": section 'structured': ends too early"), 0U);
}

TEST_F(SectionFileTest, NamesWhatASectionLacks) {
  SectionFileWriter writer(model());
  writer.add("five", "12345");
  writer.close();
  const SectionFile file = SectionFile::open(model());
  const std::string advice =
      "; it does not suit this version of Copse, make it again or use the version that made it";
  EXPECT_EQ(error_of([&] { file.section("six"); }), model() + ": has no section 'six'" + advice);
  EXPECT_EQ(error_of([&] { file.numbers<float>("six"); }), model() + ": has no section 'six'" + advice);
  EXPECT_EQ(error_of([&] { file.numbers<float>("five"); }),
            model() + ": section 'five': has 5 bytes, no whole number of elements of 4" + advice);
}

TEST_F(SectionFileTest, BytesLiveAsLongAsSomeoneHoldsThem) {
  write(model(), small_file());
  std::shared_ptr<const void> holder;
  std::string_view text;
  {
    SectionFile file = SectionFile::open(model());
    SectionFile moved = std::move(file);
    text = moved.text("text");
    holder = moved.keep_alive();
  }
  EXPECT_EQ(text, "content");
  // Another model takes the name; the one that is open stays what it was.
  SectionFileWriter writer(model());
  writer.add("text", "CONTENT");
  writer.close();
  EXPECT_EQ(text, "content");
  EXPECT_EQ(SectionFile::open(model()).text("text"), "CONTENT");
}

TEST_F(SectionFileTest, RefusesMistakesOfTheWriter) {
  SectionFileWriter writer(model());
  writer.add("name", "");
  EXPECT_THROW(writer.add("name", "again"), std::invalid_argument);
  for (const std::string name : {"", "with space", "naïve", "new\nline"}) {
    EXPECT_THROW(writer.add(name, ""), std::invalid_argument) << name;
  }
  EXPECT_THROW(writer.add(std::string_view("nul\0", 4), ""), std::invalid_argument);
  EXPECT_THROW(writer.add(std::string(41, 'x'), ""), std::invalid_argument);
  writer.add(std::string(40, 'x'), "long");
  writer.add("A-z_0.9/b", "all kinds");
  writer.close();
  EXPECT_THROW(writer.add("late", ""), std::logic_error);
  const SectionFile file = SectionFile::open(model());
  EXPECT_EQ(file.names().size(), 3U);
  EXPECT_EQ(file.text("A-z_0.9/b"), "all kinds");
  EXPECT_EQ(file.text(std::string(40, 'x')), "long");
}

TEST_F(SectionFileTest, AppearsWholeOrNotAtAll) {
  { SectionFileWriter(model()).add("text", "never closed"); }
  EXPECT_EQ(file_count(), 0);
  write(model(), "old");
  {
    SectionFileWriter writer(model());
    writer.add("text", std::string(1'000'000, 'x'));
  }
  EXPECT_EQ(content(model()), "old");
  EXPECT_EQ(file_count(), 1);
  EXPECT_EQ(
      error_of([&] { SectionFileWriter writer(path("no/folder")); }).find(path("no/folder") + ": cannot"),
      0U);
}

TEST_F(SectionFileTest, ReadsPipes) {
  const std::string bytes = small_file();
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const auto read_through_pipe = [&](const std::string& content) {
    std::thread feeder([&] { write(path("pipe"), content); });
    std::string result;
    try {
      result = SectionFile::open(path("pipe")).text("text");
    } catch (const DataError& error) {
      result = std::string(error.what()).substr(path("pipe").size());
    }
    feeder.join();
    return result;
  };
  EXPECT_EQ(read_through_pipe(bytes), "content");
  EXPECT_EQ(read_through_pipe(bytes.substr(0, 100)),
            ": is truncated: 100 of 135 bytes are there; get or make it again");
  EXPECT_EQ(read_through_pipe(bytes.substr(0, 20)),
            ": is truncated: only 20 bytes are there; get or make it again");
  EXPECT_EQ(read_through_pipe(bytes + "x"),
            ": has more than the 135 bytes that belong to it; get or make it again");
  EXPECT_EQ(read_through_pipe("some text"), ": is not a Copse model; check the path");
}

TEST_F(SectionFileTest, RefusesForeignFiles) {
  const std::string foreign = "is not a Copse model; check the path";
  EXPECT_EQ(problem_with(""), "is empty, not a Copse model; check the path");
  EXPECT_EQ(problem_with("x"), foreign);
  EXPECT_EQ(problem_with("1\tword\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"), foreign);
  EXPECT_EQ(problem_with(gzip_bytes(small_file())), foreign);
  EXPECT_EQ(problem_with(zstd_bytes(small_file())), foreign);
  EXPECT_EQ(problem_with(std::string(1000, '\0')), foreign);

  EXPECT_EQ(message_of_opening(path("missing")),
            path("missing") + ": cannot open: No such file or directory; check the path and its permissions");
  EXPECT_EQ(message_of_opening(fs::path(model()).parent_path()),
            fs::path(model()).parent_path().string() +
                ": cannot read: Is a directory; check that it is a readable file");
  EXPECT_EQ(message_of_opening("/dev/null"), "/dev/null: is empty, not a Copse model; check the path");
  if (fs::exists("/dev/zero")) {
    EXPECT_EQ(message_of_opening("/dev/zero"), "/dev/zero: is not a Copse model; check the path");
  }
}

TEST_F(SectionFileTest, SaysWhatHappenedToAFile) {
  const std::string bytes = small_file();
  const auto changed = [&bytes](std::size_t place, char byte) {
    std::string copy = bytes;
    copy[place] = byte;
    return copy;
  };
  EXPECT_EQ(problem_with(bytes), "no error");
  EXPECT_EQ(problem_with(changed(8, 3)),
            "was written by a newer Copse (format 3, this program reads up to 1); upgrade Copse");
  EXPECT_EQ(problem_with(changed(8, 0)), "is damaged: there is no format 0; get or make it again");
  EXPECT_EQ(problem_with(bytes.substr(0, 134)),
            "is truncated: 134 of 135 bytes are there; get or make it again");
  EXPECT_EQ(problem_with(bytes.substr(0, 50)),
            "is truncated: 50 of 135 bytes are there; get or make it again");
  EXPECT_EQ(problem_with(bytes.substr(0, 7)), "is truncated: only 7 bytes are there; get or make it again");
  EXPECT_EQ(problem_with(bytes + '\0'),
            "has more than the 135 bytes that belong to it; get or make it again");
  EXPECT_EQ(problem_with(changed(130, 'x')), "is damaged in section 'text'; get or make it again");
  EXPECT_EQ(problem_with(changed(120, 'x')), "is damaged before section 'text'; get or make it again");
  EXPECT_EQ(problem_with(changed(33, 'x')), "is damaged in its directory of sections; get or make it again");

  const std::string by_text = "was damaged by a transfer as text; transfer it again in binary mode";
  std::string unix_ends = bytes;
  unix_ends.erase(6, 1);
  EXPECT_EQ(problem_with(unix_ends), by_text);
  std::string windows_ends = bytes;
  windows_ends.insert(6, "\r");
  EXPECT_EQ(problem_with(windows_ends), by_text);
  EXPECT_EQ(problem_with(changed(0, '\t')), by_text);
}

TEST_F(SectionFileTest, SaysThatAFileMayNotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  write(model(), small_file());
  ::chmod(model().c_str(), 0);
  EXPECT_EQ(message_of_opening(model()),
            model() + ": cannot open: Permission denied; check the path and its permissions");
}

}  // namespace
}  // namespace copse
