// Readers of text that is neither a treebank nor a model, on arbitrary bytes.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "constituency/conversion_rules.h"
#include "features/lemma_rule.h"
#include "io/byte_source.h"
#include "labelling/decoder_seeds.h"
#include "segmentation/surface_text.h"
#include "segmentation/text_reader.h"
#include "text/attribute_list.h"
#include "text/character_table.h"
#include "text/utf8.h"
#include "treebank/conll_helpers.h"
#include "treebank/format_detection.h"
#include "treebank/roundtrip_property.h"
#include "treebank/token_lines.h"

namespace copse::testing {

inline constexpr std::array<std::string_view, 5> kTextReaders = {"token lines", "text", "rules",
                                                                 "lemma rules", "attributes"};

inline const SegmenterModel& seed_segmenter() {
  static const SegmenterModel model =
      SegmenterModel::from_file(SectionFile::from_bytes(component_file(1, component_seed(1)), "file"));
  return model;
}

inline std::string without_space(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string out;
  while (!text.empty()) {
    const std::string_view before = text;
    if (CharacterTable::get()[take_character(text)].kind == CharacterClass::space) continue;
    out += before.substr(0, before.size() - text.size());
  }
  return out;
}

// Sentences that can be written and read again.
inline std::optional<std::string> sentences_violation(SentenceReader& reader,
                                                      std::vector<Sentence>& sentences) {
  for (Sentence sentence; reader.next(sentence);) {
    if (sentence.empty()) return "an empty sentence";
    sentences.push_back(sentence);
  }
  ConllReadOptions options;
  options.format = ConllFormat::conllu;
  const std::string written = write_text(sentences, ConllFormat::conllu);
  if (write_text(read_text(written, options), ConllFormat::conllu) != written)
    return "sentences changed when read again";
  return std::nullopt;
}

inline std::optional<std::string> text_reader_violation(std::size_t reader, const std::string& bytes) {
  try {
    std::vector<Sentence> sentences;
    switch (reader) {
      case 0: {
        TokenLineReader lines(open_memory(bytes), "bytes");
        return sentences_violation(lines, sentences);
      }
      case 1: {
        TextReader text(open_memory(bytes), seed_segmenter(), "bytes");
        if (const auto violation = sentences_violation(text, sentences)) return violation;
        std::string back;
        TextWriter writer = TextWriter::to_text(back);
        for (const Sentence& sentence : sentences) writer.write(sentence);
        writer.close();
        if (!looks_compressed(bytes) && without_space(back) != without_space(bytes))
          return "another text came back";
        return std::nullopt;
      }
      case 2:
        ConversionRules::from_text(bytes, "bytes");
        return std::nullopt;
      case 3: {
        const std::optional<LemmaRule> rule = LemmaRule::parse(bytes);
        if (!rule || !rule->is_usable()) return std::nullopt;
        for (const std::string_view form : {"a", "Häuser", "木", "ABC-12"}) {
          const std::string lemma = rule->apply(form);
          if (lemma.empty() || !is_field_text(lemma)) return "a lemma that cannot be";
        }
        return LemmaRule::parse(rule->text()) == rule ? std::nullopt
                                                      : std::optional<std::string>("another rule");
      }
      default: {
        const ContentLine line = first_content_line(bytes);
        looks_like_treebank_row(line.text);
        const std::string with = with_attribute(bytes, "P", "0.5");
        if (attribute_value(with, "P") != "0.5") return "an attribute that is not there";
        if (attribute_value(without_attribute(with, "P"), "P")) return "an attribute that is still there";
        if (unescape_space(escape_space(bytes)) != bytes) return "another space";
        return std::nullopt;
      }
    }
  } catch (const DataError& error) {
    return refusal_violation(error, "bytes:");
  }
}

}  // namespace copse::testing
