#include "serving/form.h"

#include <gtest/gtest.h>

#include "serving/media_type.h"
#include "serving/request_error.h"

namespace copse::testing {
namespace {

FormFields decoded(const std::string& text) {
  FormFields fields;
  add_url_encoded(text, fields);
  return fields;
}

TEST(Form, UrlEncoded) {
  EXPECT_EQ(decoded("data=It+works%2E%0A&tokenizer=&parser"),
            (FormFields{{"data", "It works.\n"}, {"tokenizer", ""}, {"parser", ""}}));
  EXPECT_EQ(decoded("a=1&a=2&&b=%C3%a9=&"), (FormFields{{"a", "2"}, {"b", "é="}}));
  EXPECT_EQ(decoded(""), FormFields());
}

TEST(Form, UrlEncodedWrong) {
  for (const char* text : {"a=%", "a=%4", "a=%4g", "%zz=1", "a=%E9", "a=\xE9"}) {
    EXPECT_THROW(decoded(text), RequestError) << text;
  }
}

TEST(Form, TheBodyWinsOverTheQuery) {
  Request request{.method = "POST", .query = "model=a&tagger=", .body = "model=b"};
  request.headers = {{"content-TYPE", "Application/X-WWW-Form-Urlencoded; charset=utf-8"}};
  EXPECT_EQ(read_form(request), (FormFields{{"model", "b"}, {"tagger", ""}}));
  request.headers = {{"Content-Type", "multipart/form-data; boundary=\"a b\""}};
  request.body = "--a b\r\nContent-Disposition: form-data; name=model\r\n\r\nc\r\n--a b--";
  EXPECT_EQ(read_form(request), (FormFields{{"model", "c"}, {"tagger", ""}}));
}

TEST(Form, TheCharacterSetOfAForm) {
  Request request{.method = "POST"};
  request.headers = {{"Content-Type", "multipart/form-data; boundary=B"}};
  request.body =
      "--B\r\nContent-Disposition: form-data; name=data\r\n\r\n\xE9\r\n"
      "--B\r\nContent-Disposition: form-data; name=_charset_\r\n\r\niso-8859-1\r\n--B--";
  EXPECT_EQ(read_form(request), (FormFields{{"data", "é"}}));
}

TEST(Form, BodiesOfOtherTypes) {
  Request request{.method = "POST", .query = "a=1", .body = "{}"};
  for (const char* type :
       {"application/json", "", "multipart/form-data", ";", "multipart/form-data; boundary"}) {
    request.headers = {{"Content-Type", type}};
    EXPECT_THROW(read_form(request), RequestError) << type;
  }
  request.body.clear();
  EXPECT_EQ(read_form(request), (FormFields{{"a", "1"}}));
}

TEST(MediaType, Parameters) {
  const auto value = parse_parameterised("Text/Plain ; Charset=\"utf-8\";;x=a/b;y=\"\";");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->value, "text/plain");
  EXPECT_EQ(*value->parameter("charset"), "utf-8");
  EXPECT_EQ(*value->parameter("x"), "a/b");
  EXPECT_EQ(*value->parameter("y"), "");
  EXPECT_EQ(value->parameter("z"), nullptr);
  for (const char* text :
       {"", ";a=b", "text/plain a=b", "text/plain; a", "text/plain; =b", "text/plain; a=\"b",
        "text/plain; a*=utf-8", "text/plain; a*=utf-8''%4", "text/plain; a*x=b"}) {
    EXPECT_FALSE(parse_parameterised(text)) << text;
  }
}

}  // namespace
}  // namespace copse::testing
