#include "io/bytes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "inference/test_settings.h"
#include "io/byte_reader_property.h"
#include "treebank/conll_helpers.h"

namespace copse {
namespace {

const std::string kAdvice =
    "; it does not suit this version of Copse, make it again or use the version that made it";

std::vector<int> values_of(const std::vector<std::byte>& bytes) {
  std::vector<int> values;
  for (const std::byte byte : bytes) values.push_back(std::to_integer<int>(byte));
  return values;
}

TEST(ByteWriter, IsLittleEndian) {
  ByteWriter writer;
  writer.u8(1);
  writer.u32(0x01020304);
  writer.u64(0x0102030405060708);
  writer.i32(-2);
  writer.f32(1.0f);
  writer.f64(-2.0);
  writer.text("ab");
  writer.numbers<std::uint16_t>(std::vector<std::uint16_t>{0x0102});
  const std::vector<int> expected = {1,                                        //
                                     4,   3,   2,    1,                        //
                                     8,   7,   6,    5,    4,   3,   2, 1,     //
                                     254, 255, 255,  255,                      //
                                     0,   0,   0x80, 0x3F,                     //
                                     0,   0,   0,    0,    0,   0,   0, 0xC0,  //
                                     2,   0,   0,    0,    'a', 'b',           //
                                     1,   0,   0,    0,    0,   0,   0, 0,    2, 1};
  EXPECT_EQ(values_of(writer.bytes()), expected);
  EXPECT_EQ(values_of(writer.take()), expected);
  EXPECT_TRUE(writer.bytes().empty());
}

TEST(ByteReader, ReadsWhatWasWritten) {
  const std::vector<double> doubles = {0.0, -0.0, 1e308, std::numeric_limits<double>::infinity(), 5e-324};
  ByteWriter writer;
  writer.u8(255);
  writer.u32(4'000'000'000);
  writer.u64(std::numeric_limits<std::uint64_t>::max());
  writer.i32(std::numeric_limits<int>::min());
  writer.f32(std::numeric_limits<float>::denorm_min());
  writer.f64(std::nan(""));
  writer.text("");
  writer.text(std::string_view("with \0 and é", 13));
  writer.numbers<double>(doubles);
  writer.numbers<std::int8_t>({});
  writer.u64(2);
  writer.text("a");
  writer.text("b");
  const std::vector<std::byte> bytes = writer.take();

  ByteReader reader(bytes, "test");
  EXPECT_EQ(reader.u8(), 255);
  EXPECT_EQ(reader.u32(), 4'000'000'000);
  EXPECT_EQ(reader.u64(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(reader.i32(), std::numeric_limits<int>::min());
  EXPECT_EQ(reader.f32(), std::numeric_limits<float>::denorm_min());
  EXPECT_TRUE(std::isnan(reader.f64()));
  EXPECT_EQ(reader.text(), "");
  EXPECT_EQ(reader.text(), std::string_view("with \0 and é", 13));
  EXPECT_EQ(reader.numbers<double>(), doubles);
  EXPECT_TRUE(reader.numbers<std::int8_t>().empty());
  EXPECT_EQ(reader.count(4), 2U);
  EXPECT_EQ(reader.text(), "a");
  EXPECT_EQ(reader.remaining(), 5U);
  EXPECT_EQ(error_of([&] { reader.expect_end(); }), "test: has 5 bytes too many" + kAdvice);
  EXPECT_EQ(reader.text(), "b");
  reader.expect_end();
  EXPECT_EQ(error_of([&] { reader.u8(); }), "test: ends too early: 1 bytes wanted, 0 left" + kAdvice);
  EXPECT_EQ(error_of([&] { reader.fail("is odd"); }), "test: is odd" + kAdvice);
}

TEST(ByteReader, RefusesLengthsBeforeItAllocates) {
  for (const std::uint64_t length : {std::uint64_t{2}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    ByteWriter writer;
    writer.u64(length);
    writer.u64(0);
    const auto reader = [&] { return ByteReader(writer.bytes(), "test"); };
    const std::string expected =
        "test: says that " + std::to_string(length) + " elements follow, but only 8 bytes do" + kAdvice;
    EXPECT_EQ(error_of([&] { reader().numbers<double>(); }), expected);
    EXPECT_EQ(error_of([&] { reader().count(5); }), expected);
  }
  ByteWriter writer;
  writer.u32(~std::uint32_t{0});
  EXPECT_EQ(error_of([&] { ByteReader(writer.bytes(), "test").text(); }),
            "test: ends too early: 4294967295 bytes wanted, 0 left" + kAdvice);
}

TEST(ByteReader, StaysWithinTheBytes) {
  for (int number = 0; number < testing::scaled(20'000); ++number) {
    SCOPED_TRACE(testing::case_name(number));
    std::mt19937_64 random = testing::case_generator(number);
    // Mostly zeros, so that lengths are often small enough.
    const auto random_bytes = [&random](std::size_t size, unsigned zeros) {
      std::vector<std::byte> bytes(size);
      for (std::byte& byte : bytes) {
        if (random() % zeros == 0) byte = static_cast<std::byte>(random() % (random() % 4 == 0 ? 256 : 8));
      }
      return bytes;
    };
    const auto operations = random_bytes(random() % 12, 1);
    const auto bytes = random_bytes(random() % 100, 8);
    const auto violation = byte_reader_violation(operations, bytes);
    ASSERT_FALSE(violation.has_value()) << *violation;
  }
}

}  // namespace
}  // namespace copse
