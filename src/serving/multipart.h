#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace copse {

// A part of a multipart/form-data body.
struct FormPart {
  std::string name;
  std::string filename;      // empty if there is none
  std::string content_type;  // as sent; empty if there is none
  std::string content;       // decoded: as Content-Transfer-Encoding says, but still in its character set
};

// The parts of a body, as RFC 2046 and RFC 7578 have them: any boundary, text before the first and behind the
// last one, spaces behind boundaries, parts without a content type, quoted names, names in percent encoding
// or of RFC 8187, folded headers, and encodings (7bit, 8bit, binary, base64, quoted-printable). Lines that
// end in LF alone are accepted, too.
//
// Throws RequestError 400 for anything else: a boundary that is missing, a part without a name, an unknown
// encoding, a body that ends before its last boundary.
std::vector<FormPart> parse_multipart(std::string_view body, std::string_view boundary);

// The content of a part in UTF-8. By RFC 7578, its character set is that of its content type, else that which
// a field "_charset_" names for the whole form, else UTF-8. Throws RequestError 400.
std::string part_as_utf8(const FormPart& part, std::string_view form_charset);

}  // namespace copse
