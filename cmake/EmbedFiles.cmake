# cmake -DFOLDER=web -DHEADER=serving/assets.h -DFUNCTION=assets -DOUTPUT=assets.cc -P EmbedFiles.cmake
# Writes the files of a folder as a C++ source that defines std::span<const EmbeddedFile> FUNCTION(), which the header
# declares (src/io/embedded_file.h). copse_embed_files() in src/CMakeLists.txt calls it.
file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT files)
set(arrays "")
set(rows "")
set(number 0)
foreach(file ${files})
  file(READ ${FOLDER}/${file} bytes HEX)
  file(SHA256 ${FOLDER}/${file} hash)
  string(SUBSTRING ${hash} 0 32 hash)
  string(LENGTH "${bytes}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  # One line of source must not become endless.
  string(REGEX REPLACE "(0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],0x[0-9a-f][0-9a-f],)" "\\1\n" bytes "${bytes}")
  # The NUL behind the last byte keeps arrays of empty files legal.
  string(APPEND arrays "constexpr unsigned char kBytes${number}[] = {\n${bytes}0};\n")
  string(APPEND rows "    {\"/${file}\", \"\\\"${hash}\\\"\", {reinterpret_cast<const char*>(kBytes${number}), ${length}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT}.new "// Made by cmake/EmbedFiles.cmake.
#include \"${HEADER}\"

namespace copse {
namespace {

${arrays}
// With one more than there are: a folder may be empty.
const EmbeddedFile kFiles[] = {
${rows}    {}};

}  // namespace

std::span<const EmbeddedFile> ${FUNCTION}() { return std::span<const EmbeddedFile>(kFiles).first(${number}); }

}  // namespace copse
")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
file(REMOVE ${OUTPUT}.new)
