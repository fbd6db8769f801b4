// write_seeds FOLDER: inputs for each fuzzer to begin with, in FOLDER/NAME_fuzzer, from the samples of the
// tests.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "constituency/conversion_rules.h"
#include "labelling/decoder_seeds.h"
#include "model/model_property.h"
#include "network/encoder_property.h"
#include "network/network_property.h"
#include "serving/json_property.h"
#include "serving/multipart_property.h"
#include "treebank/conll_samples.h"
#include "vectors/vector_helpers.h"
#include "vectors/word_vectors_property.h"

namespace copse::testing {
namespace {

class SeedWriter {
 public:
  explicit SeedWriter(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void write(const std::string& fuzzer, const std::string& bytes) {
    std::filesystem::create_directories(folder_ / fuzzer);
    std::ofstream(folder_ / fuzzer / ("seed" + std::to_string(++count_)), std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path folder_;
  int count_ = 0;
};

std::string chosen(std::size_t choice, std::string_view bytes) {
  return std::string(1, static_cast<char>(choice)).append(bytes);
}

// Sections behind their lengths, as model_fuzzer and vectors_fuzzer read them.
template <std::size_t kCount>
std::string seed_of_sections(const SectionFile& file, const std::array<const char*, kCount>& names) {
  std::string seed;
  for (const char* name : names) {
    const std::string_view text = file.text(name);
    seed += static_cast<char>(text.size() & 0xFF);
    seed += static_cast<char>(text.size() >> 8);
    seed += text;
  }
  return seed;
}

std::string model_seed(Factorization factorization) {
  const std::vector<std::uint64_t> hashes = {1ULL << 40, 5ULL << 50, 1ULL << 63};
  const std::vector<float> weights = {0.5F, -1.25F, 3.0F};
  const auto linear = [&](Factorization parts) {
    return LinearModel(FeatureExtractor(FeatureOptions(), parts), round_weights(hashes, weights, {}));
  };
  ParserModel model(RootMode::single, linear(factorization));
  model.add_fact("key", "value");
  model.set_pruner(linear(Factorization::first), 0.01);
  const std::string path = std::filesystem::temp_directory_path() / "copse_seed_model";
  model.save(path);
  const SectionFile file = SectionFile::open(path);
  std::filesystem::remove(path);
  return seed_of_sections(file, std::array{"settings", "facts", "parser/settings", "pruner/settings",
                                           "parser/weights", "pruner/weights"});
}

std::string vectors_seed() {
  WordVectors vectors = build_vectors({{"the", {0.5F, -1.25F}}, {"of", {3.0F, 0.0F}}});
  vectors.add_fact("key", "value");
  const std::string path = std::filesystem::temp_directory_path() / "copse_seed_vectors";
  vectors.save(path);
  const SectionFile file = SectionFile::open(path);
  std::filesystem::remove(path);
  return seed_of_sections(file, kVectorSections);
}

void write_seeds(SeedWriter& seeds) {
  for (const char* sample : {kConlluSample, kConllxSample, kTab3Sample}) {
    for (std::size_t options = 0; options < 8; options += 4)
      seeds.write("conll_fuzzer", chosen(options, sample));
    seeds.write("text_reader_fuzzer", chosen(0, sample));
  }
  for (const std::string& seed : json_seeds()) seeds.write("json_request_fuzzer", seed);
  seeds.write("bracket_fuzzer", "( (S (NP (DT The) (NN dog)) (VP (VBZ sleeps)) (. .)) )\n((S (-NONE- *)))");
  for (std::size_t decoder = 0; decoder < kDecoders.size(); ++decoder) {
    seeds.write("decoder_fuzzer", chosen(decoder, as_text(decoder_seed(decoder))));
  }
  for (std::size_t component = 0; component < kComponents.size(); ++component) {
    const std::vector<std::byte> content = component_seed(component);
    seeds.write("decoder_fuzzer", chosen(kDecoders.size() + component, as_text(content)));
    seeds.write("section_file_fuzzer", chosen(1, as_text(component_file(component, content))));
  }
  for (const Factorization factorization : {Factorization::first, Factorization::grandsibling}) {
    seeds.write("model_fuzzer", model_seed(factorization));
  }
  seeds.write("vectors_fuzzer", chosen(0, "2 2\nthe 0.5 -1.25\nof 3 0\n"));
  seeds.write("vectors_fuzzer", chosen(0, "the\t0.5\t-1.25e-3\nof 3 0\n"));
  seeds.write("vectors_fuzzer", chosen(0, binary_vectors({{"the", {0.5F, -1.25F}}, {"of", {3.0F, 0.0F}}})));
  seeds.write("vectors_fuzzer", chosen(1, vectors_seed()));
  for (const std::size_t spelling : {0U, 1U}) {
    const NamedSections sections = network_sections(static_cast<Spelling>(spelling));
    for (std::size_t k = 0; k < sections.size(); ++k) {
      seeds.write("network_fuzzer", chosen(2 * k + spelling, as_text(sections[k].second)));
    }
  }
  const NamedSections encoder = encoder_sections();
  for (std::size_t k = 0; k < encoder.size(); ++k) {
    seeds.write("encoder_fuzzer", chosen(k, as_text(encoder[k].second)));
  }
  seeds.write("byte_reader_fuzzer",
              chosen(4, "\x01\x06\x02\x07") + std::string("\1\0\0\0\2\0\0\0hi\3\0\0\0\0\0\0\0", 18));
  seeds.write("text_reader_fuzzer", chosen(1, "Dr. No didn't see it. 木木木 Yes!\n\nNew (one)\n"));
  seeds.write("text_reader_fuzzer", chosen(2, ConversionRules::builtin_text("english").substr(0, 2000)));
  seeds.write("text_reader_fuzzer", chosen(3, "l1\tge\t2\ten"));
  seeds.write("text_reader_fuzzer", chosen(4, "SpaceAfter=No|P=0.93|SpacesAfter=\\s\\n"));
  std::mt19937 random(1);
  for (int k = 0; k < 20; ++k) {
    const RandomForm form = random_form(random);
    seeds.write("multipart_fuzzer", "multipart/form-data; boundary=\"" + form.boundary + "\"\n" + form.body);
    seeds.write(
        "request_fuzzer",
        "POST //process?model=a HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=\"" +
            form.boundary + "\"\r\nContent-Length: " + std::to_string(form.body.size()) + "\r\n\r\n" +
            form.body);
  }
  seeds.write("request_fuzzer",
              "POST /process HTTP/1.1\r\nHost: x\r\nContent-Type: "
              "application/x-www-form-urlencoded\r\nTransfer-Encoding: "
              "chunked\r\n\r\n5;x=y\r\ndata=\r\n3\r\n%20\r\n0\r\nTrailer: x\r\n\r\n");
}

}  // namespace
}  // namespace copse::testing

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: write_seeds FOLDER\n");
    return 2;
  }
  copse::testing::SeedWriter seeds{arguments[1]};
  copse::testing::write_seeds(seeds);
  return 0;
}
