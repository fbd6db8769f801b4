// Damages files in every way and checks the property that the fuzz target checks, too.
#include <cstdint>
#include <random>

#include "inference/test_settings.h"
#include "io/section_file_property.h"
#include "io/temporary_folder.h"
#include "treebank/conll_helpers.h"

namespace copse {
namespace {

using Bytes = std::vector<std::byte>;

class SectionFileDamageTest : public TemporaryFolderTest {
 protected:
  Bytes written_file(const std::vector<std::pair<std::string, std::string>>& sections) const {
    SectionFileWriter writer(path("written"));
    for (const auto& [name, text] : sections) writer.add(name, text);
    writer.close();
    const std::string text = content(path("written"));
    const auto bytes = bytes_of(text);
    return {bytes.begin(), bytes.end()};
  }
  Bytes small_file() const {
    return written_file(
        {{"empty", ""}, {"config", "{\"order\": 1}"}, {"weights", std::string(100, '\3')}, {"end", ""}});
  }
};

TEST_F(SectionFileDamageTest, IsByteByByteWhatTheFormatSays) {
  Bytes expected(32 + 64);
  store_little_endian<std::uint32_t>(1, expected.data() + 12);
  std::memcpy(expected.data() + 32, "text", 4);
  store_little_endian<std::uint64_t>(128, expected.data() + 32 + 40);
  store_little_endian<std::uint64_t>(7, expected.data() + 32 + 48);
  expected.resize(128);
  const auto text = std::as_bytes(std::span("content", 7));
  expected.insert(expected.end(), text.begin(), text.end());
  make_checksums_right(expected);
  EXPECT_EQ(written_file({{"text", "content"}}), expected);
  // The whole file as one number, which no later version may change.
  EXPECT_EQ(checksum(expected), 0x772E34933A0F1E62u);
}

TEST_F(SectionFileDamageTest, EveryTruncationIsRefused) {
  const Bytes file = small_file();
  for (std::size_t length = 0; length < file.size(); ++length) {
    const auto start = std::span(file).first(length);
    EXPECT_THROW(SectionFile::from_bytes(start), DataError) << length << " of " << file.size();
    write(path("truncated"), std::string(as_text(start)));
    EXPECT_THROW(SectionFile::open(path("truncated")), DataError) << length << " of " << file.size();
    ASSERT_EQ(section_file_violation(start), std::nullopt);
  }
  EXPECT_NO_THROW(SectionFile::from_bytes(file));
}

TEST_F(SectionFileDamageTest, EveryFlippedBitIsFound) {
  Bytes file = small_file();
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    const auto mask = static_cast<std::byte>(1 << bit % 8);
    file[bit / 8] ^= mask;
    EXPECT_THROW(SectionFile::from_bytes(file), DataError) << "bit " << bit;
    ASSERT_EQ(section_file_violation(file), std::nullopt);
    file[bit / 8] ^= mask;
  }
  EXPECT_NO_THROW(SectionFile::from_bytes(file));
}

TEST_F(SectionFileDamageTest, DirectoriesThatMakeNoSenseAreRefusedWhateverTheirChecksum) {
  const Bytes intact = small_file();
  const std::string refusal = "file: is damaged in its directory of sections; get or make it again";
  const auto message_after = [&](auto change) {
    Bytes file = intact;
    change(file);
    make_checksums_right(file);
    return error_of([&] { SectionFile::from_bytes(file, "file"); });
  };
  const auto entry = [](Bytes& file, std::size_t section) { return file.data() + 32 + 64 * section; };
  const auto with_number = [&](std::size_t section, std::size_t place, std::uint64_t number) {
    return message_after([&](Bytes& file) { store_little_endian(number, entry(file, section) + place); });
  };
  constexpr std::size_t kOffset = 40;
  constexpr std::size_t kSize = 48;
  const auto offset_of = [&](std::size_t section) {
    return load_little_endian<std::uint64_t>(intact.data() + 32 + 64 * section + kOffset);
  };

  EXPECT_EQ(message_after([](Bytes&) {}), "no error");
  EXPECT_EQ(with_number(2, kOffset, offset_of(2) + 8), refusal) << "not aligned";
  EXPECT_EQ(with_number(2, kOffset, offset_of(1)), refusal) << "overlaps the section before";
  EXPECT_EQ(with_number(0, kOffset, 0), refusal) << "overlaps the header";
  EXPECT_EQ(with_number(3, kOffset, std::uint64_t{1} << 40), refusal) << "outside";
  EXPECT_EQ(with_number(2, kSize, std::uint64_t{1} << 40), refusal) << "too long";
  EXPECT_EQ(with_number(2, kSize, ~std::uint64_t{0} - 63), refusal) << "offset and size overflow";
  EXPECT_EQ(with_number(1, kSize, 65), refusal) << "overlaps the section behind";
  EXPECT_EQ(message_after([&](Bytes& file) { std::memcpy(entry(file, 0), entry(file, 1), 40); }), refusal)
      << "a name twice";
  EXPECT_EQ(message_after([&](Bytes& file) { *entry(file, 0) = std::byte{' '}; }), refusal);
  EXPECT_EQ(message_after([&](Bytes& file) { *entry(file, 0) = std::byte{0}; }), refusal) << "no name";
  EXPECT_EQ(message_after([&](Bytes& file) { entry(file, 0)[39] = std::byte{'x'}; }), refusal)
      << "bytes behind the name";
  EXPECT_EQ(message_after([&](Bytes& file) { file.resize(file.size() + 64); }), refusal)
      << "bytes of no section";
  EXPECT_EQ(message_after([](Bytes& file) { store_little_endian<std::uint32_t>(~0U, file.data() + 12); }),
            refusal)
      << "more sections than the file has room for";
}

class Mutator {
 public:
  explicit Mutator(std::mt19937_64& random) : random_(random) {}

  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void mutate(Bytes& file) {
    static constexpr std::array<std::uint64_t, 8> kNumbers = {0,   1,   63,         64,
                                                              128, 256, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFC0};
    if (file.size() < 8) return;
    const auto place = static_cast<std::ptrdiff_t>(below(file.size()));
    switch (below(6)) {
      case 0:
        file[place] = static_cast<std::byte>(random_());
        break;
      case 1:
        file.erase(file.begin() + place, file.begin() + place + below(file.size() - place));
        break;
      case 2:
        file.insert(file.begin() + place, below(70), std::byte{0});
        break;
      case 3:
        file.resize(place);
        break;
      case 4: {  // an interesting number at a place where numbers are
        const std::size_t word = below(file.size() / 8) * 8;
        store_little_endian(kNumbers[below(kNumbers.size())], file.data() + word);
        break;
      }
      default: {  // one entry of the directory, or whatever is there, over another
        const std::size_t blocks = (file.size() - std::min<std::size_t>(32, file.size())) / 64;
        if (blocks > 0) std::memmove(&file[32 + 64 * below(blocks)], &file[32 + 64 * below(blocks)], 64);
      }
    }
  }

 private:
  std::mt19937_64& random_;
};

TEST_F(SectionFileDamageTest, MutatedFilesAreRefusedOrUsable) {
  const std::vector<Bytes> files = {
      small_file(), written_file({}), written_file({{"a", ""}, {"b", "b"}}),
      written_file({{"1", std::string(64, '1')}, {"2", std::string(200, '2')}})};
  const int cases = testing::scaled(20'000);
  int usable = 0;
  for (int number = 0; number < cases; ++number) {
    SCOPED_TRACE(testing::case_name(number));
    std::mt19937_64 random = testing::case_generator(number);
    Mutator mutator(random);
    const Bytes& intact = files[mutator.below(files.size())];
    Bytes file = intact;
    for (std::size_t count = 1 + mutator.below(3); count > 0; --count) mutator.mutate(file);
    if (file != intact) {
      ASSERT_THROW(SectionFile::from_bytes(file), DataError);
    }
    ASSERT_EQ(section_file_violation(file), std::nullopt);
    make_checksums_right(file);
    ASSERT_EQ(section_file_violation(file), std::nullopt);
    if (error_of([&] { SectionFile::from_bytes(file); }) == "no error") ++usable;
  }
  // Both outcomes must occur behind the checksums, or the test looks at one side only.
  if (cases >= 1000) {
    EXPECT_GT(usable, cases / 20);
    EXPECT_LT(usable, cases - cases / 20);
  }
}

}  // namespace
}  // namespace copse
