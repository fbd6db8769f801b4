#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "features/coarse_tags.h"
#include "features/feature_extractor.h"
#include "features/scope_words.h"
#include "features/template_set.h"

namespace copse::testing {

// Features in words instead of hashes: which template, what it reads, and the direction and distance. Written
// from docs/features.md, one string at a time; slow and hard to get wrong.
class NaiveFeatures {
 public:
  NaiveFeatures(const FeatureOptions& options, Factorization factorization)
      : options_(options),
        templates_(options.set, factorization,
                   {options.coarse != CoarseRule::none, options.has_lemmas, options.has_feats,
                    options.morphology.is_read}) {}

  std::vector<std::string> features(const Sentence& sentence, Scope scope, const Part& part) const {
    std::vector<std::string> result;
    for (const FeatureTemplate& feature : templates_.templates()) {
      if (feature.scope != scope || !fires(feature.firing, sentence, part)) continue;
      for (const std::string& values : readings(feature, sentence, part)) {
        for (const std::string& context : contexts(scope, part)) {
          result.push_back(written(feature) + " = " + values + " / " + context);
        }
      }
    }
    return result;
  }

 private:
  bool fires(Firing firing, const Sentence& sentence, const Part& part) const {
    if (firing != Firing::coordination) return true;
    if (part.sibling == part.head) return false;
    const Token& conjunction = sentence[part.sibling];
    const auto is_listed = [&](std::string_view tag) {
      return std::count(options_.conjunction_tags.begin(), options_.conjunction_tags.end(), tag) > 0;
    };
    return is_listed(fine_tag(conjunction)) || is_listed(coarse_tag(conjunction, options_.coarse));
  }

  // One text of all that the template reads; with a word in between, one for every different text.
  std::set<std::string> readings(const FeatureTemplate& feature, const Sentence& sentence,
                                 const Part& part) const {
    if (feature.firing == Firing::always || feature.firing == Firing::coordination) {
      return {reading(feature, sentence, part, 0)};
    }
    if (feature.firing == Firing::agreement) {
      return {reading(feature, sentence, part, 0) + agreement(sentence, part)};
    }
    std::set<std::string> texts;
    if (feature.firing == Firing::feature_pairs) {
      for (const std::string& head : single_feats(sentence, part.head)) {
        for (const std::string& modifier : single_feats(sentence, part.modifier)) {
          texts.insert(reading(feature, sentence, part, 0) + " " + head + " " + modifier);
        }
      }
      return texts;
    }
    const auto [left, right] = std::minmax(part.head, part.modifier);
    for (int between = left + 1; between < right; ++between) {
      texts.insert(reading(feature, sentence, part, between));
    }
    return texts;
  }

  std::string reading(const FeatureTemplate& feature, const Sentence& sentence, const Part& part,
                      int between) const {
    std::string text;
    for (const Atom& atom : feature.atoms) {
      const std::array words{part.grandparent, part.head, part.sibling,
                             part.modifier,    between,   part.second_sibling};
      const int word = words[static_cast<std::size_t>(atom.place)];
      const bool is_sibling = atom.place == Place::sibling || atom.place == Place::second_sibling;
      if (is_sibling && word == part.head) {
        text += "[none]";  // and no neighbours either
        continue;
      }
      text += value(sentence, atom.attribute, word + atom.offset);
    }
    return text;
  }

  // The first sixteen different features of a word.
  static std::vector<std::string> single_feats(const Sentence& sentence, int position) {
    if (position == 0) return {"[root]"};
    std::vector<std::string> feats;
    std::string entry;
    for (const char c : std::string(sentence[position].feats()) + "|") {
      if (c != '|') {
        entry += c;
        continue;
      }
      const bool is_new = std::find(feats.begin(), feats.end(), entry) == feats.end();
      if (!entry.empty() && entry != "_" && is_new && feats.size() < 16) feats.push_back(entry);
      entry.clear();
    }
    if (feats.empty()) feats.emplace_back("[none]");
    return feats;
  }

  static std::string agreement(const Sentence& sentence, const Part& part) {
    const auto key = [](const std::string& entry) { return entry.substr(0, entry.find('=')); };
    std::multiset<std::string> shared;
    for (const std::string& head : single_feats(sentence, part.head)) {
      for (const std::string& modifier : single_feats(sentence, part.modifier)) {
        if (key(head) == key(modifier)) shared.insert(key(head) + (head == modifier ? " same" : " other"));
      }
    }
    std::string text = "; shared:";
    for (const std::string& one : shared) text += " " + one;
    return text;
  }

  std::string refined_tag(const Token& word) const {
    const std::string tag(coarse_tag(word, options_.coarse));
    for (const auto& [refined, key] : options_.morphology.refinements) {
      if (refined != tag) continue;
      int bare = 0;
      std::string entry;
      for (const char c : std::string(word.feats() == "_" ? "" : word.feats()) + "|") {
        if (c != '|') {
          entry += c;
          continue;
        }
        const auto sign = entry.find('=');
        if (sign == std::string::npos && !entry.empty() && "|" + std::to_string(bare++) == key) {
          return tag + " with " + entry;
        }
        if (sign != std::string::npos && entry.substr(0, sign) == key) {
          return tag + " with " + entry.substr(sign + 1);
        }
        entry.clear();
      }
    }
    return tag;
  }

  std::string value(const Sentence& sentence, Attribute attribute, int position) const {
    if (position == 0) return "[root]";
    if (position < 0 || position > sentence.size()) return "[boundary]";
    return "\"" + value(sentence[position], attribute) + "\"";
  }

  std::string value(const Token& word, Attribute attribute) const {
    switch (attribute) {
      case Attribute::form:
        return std::string(word.form());
      case Attribute::fine_tag:
        return std::string(fine_tag(word));
      case Attribute::coarse_tag:
        return std::string(coarse_tag(word, options_.coarse));
      case Attribute::lemma:
        return std::string(word.lemma());
      case Attribute::feats:
        return std::string(word.feats());
      case Attribute::suffix: {
        std::vector<std::string> characters = characters_of(word.form());
        std::reverse(characters.begin(), characters.end());
        characters.resize(std::min<std::size_t>(characters.size(), 3));
        std::reverse(characters.begin(), characters.end());
        return joined(characters);
      }
      case Attribute::prefix: {
        std::vector<std::string> characters = characters_of(word.form());
        characters.resize(std::min<std::size_t>(characters.size(), 3));
        return joined(characters);
      }
      case Attribute::refined_tag:
        return refined_tag(word);
      case Attribute::feature:
        return "";  // see single_feats()
      case Attribute::shape:
        break;
    }
    std::vector<std::string> kinds;
    for (const std::string& character : characters_of(word.form())) kinds.push_back(kind_of(character));
    kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
    return joined(kinds);
  }

  static std::vector<std::string> characters_of(std::string_view text) {
    std::vector<std::string> characters;
    for (const char byte : text) {
      if ((byte & 0xC0) == 0x80)
        characters.back() += byte;
      else
        characters.emplace_back(1, byte);
    }
    return characters;
  }
  static std::string kind_of(const std::string& character) {
    if (character.size() > 1) return "beyond ASCII";
    if (std::isupper(character[0]) != 0) return "capital";
    if (std::islower(character[0]) != 0) return "letter";
    if (std::isdigit(character[0]) != 0) return "digit";
    return character;
  }
  static std::string joined(const std::vector<std::string>& pieces) {
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    return text;
  }

  static std::string side(int from, int to) {
    return direction(from, to) == Direction::left ? "left" : "right";
  }

  static std::vector<std::string> contexts(Scope scope, const Part& part) {
    const auto [grandparent, head, sibling, modifier, second_sibling, is_outermost] = part;
    const std::string arc = side(head, modifier);
    switch (scope) {
      case Scope::head:
      case Scope::modifier:
      case Scope::arc:
        return {arc, arc + " " + std::to_string(distance_class(head, modifier))};
      case Scope::sibling:
      case Scope::sibling_pair:
      case Scope::trisibling:
      case Scope::trisibling_pair:
      case Scope::trisibling_triple:
        return {arc};
      case Scope::grandchild:
      case Scope::grandsibling:
      case Scope::outermost:
      case Scope::grandtrisibling:
        return {side(grandparent, head) + " " + arc};
      case Scope::grandchild_pair:
      case Scope::outermost_pair:
        return {side(grandparent, modifier)};
      case Scope::grandsibling_pair:
        return {sibling == head ? "none on the " + arc : side(grandparent, sibling)};
      case Scope::grandsibling_triple:
        break;
    }
    return {side(grandparent, modifier) + " " + arc};
  }

  static std::string written(const FeatureTemplate& feature) {
    std::string text = std::to_string(static_cast<int>(feature.scope)) + "." +
                       std::to_string(static_cast<int>(feature.firing));
    for (const Atom& atom : feature.atoms) {
      text += " " + std::to_string(static_cast<int>(atom.attribute)) +
              "gsrtbq"[static_cast<std::size_t>(atom.place)] + std::to_string(atom.offset);
    }
    return text;
  }

  FeatureOptions options_;
  TemplateSet templates_;
};

}  // namespace copse::testing
