#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "commands.h"
#include "console.h"
#include "copse/inference/tree_distribution.h"
#include "demo_model.h"
#include "render/probability.h"
#include "render/text_width.h"
#include "render/tree_drawing.h"
#include "terminal.h"

namespace copse {
namespace {

constexpr RootMode kRootMode = RootMode::single;
constexpr int kBestTrees = 3;

// A distribution together with what it borrows.
class Analysis {
 public:
  Analysis(const DemoModel& model, Factorization factorization, const Constraints& constraints = {}) {
    arcs_.assign_all(model.words());
    parts_.assign(arcs_, factorization);
    potentials_ = model.potentials(parts_);
    distribution_.assign(parts_, potentials_, kRootMode, constraints);
  }
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  TreeDistribution& distribution() { return distribution_; }

  double arc_probability(int head, int modifier) {
    return head == modifier ? 0.0
                            : distribution_.marginals().arc[static_cast<size_t>(arcs_.find(head, modifier))];
  }
  // For each word, of the arc that leads to it.
  std::vector<double> arc_probabilities(std::span<const int> heads) {
    std::vector<double> probabilities(heads.size());
    for (int word = 1; word < static_cast<int>(heads.size()); ++word) {
      probabilities[word] = arc_probability(heads[word], word);
    }
    return probabilities;
  }
  std::vector<int> best_tree() {
    std::vector<int> heads(static_cast<size_t>(arcs_.words()) + 1);
    distribution_.best_tree(heads);
    return heads;
  }
  std::vector<int> min_risk_tree() {
    std::vector<int> heads(static_cast<size_t>(arcs_.words()) + 1);
    distribution_.min_risk_tree(heads);
    return heads;
  }
  double expected_right_arcs(std::span<const int> heads) {
    const std::vector<double> probabilities = arc_probabilities(heads);
    return std::accumulate(probabilities.begin() + 1, probabilities.end(), 0.0);
  }

 private:
  ArcSet arcs_;
  PartIndex parts_;
  Potentials potentials_;
  TreeDistribution distribution_;
};

// Where every part scores 0, the sum over all trees is their number.
double number_of_trees(int words) {
  ArcSet arcs;
  arcs.assign_all(words);
  PartIndex parts;
  parts.assign(arcs, Factorization::first);
  Potentials potentials;
  potentials.assign(parts);
  TreeDistribution distribution;
  distribution.assign(parts, potentials, kRootMode);
  return std::round(std::exp(distribution.log_partition()));
}

// Writes the demonstration, section by section.
class Demo {
 public:
  explicit Demo(const Canvas& canvas) : canvas_(canvas), analysis_(model_, Factorization::grandsibling) {}

  std::string write() {
    best_ = analysis_.best_tree();
    write_sentence();
    write_potentials();
    write_distribution();
    write_best_trees();
    write_min_risk_tree();
    write_constraint();
    write_factorizations();
    return std::move(out_);
  }

 private:
  const std::string& form(int word) const { return model_.forms()[word]; }
  std::string_view arrow() const { return canvas_.unicode ? "→" : "->"; }
  std::string arc_text(int head, int modifier) const {
    return fmt::format("{} {} {}", form(head), arrow(), form(modifier));
  }

  std::string part_text(const DemoPart& part) const {
    std::string text;
    if (part.grandparent != DemoPart::kUnset) text = fmt::format("{} {} ", form(part.grandparent), arrow());
    text += fmt::format("{} {} ", form(part.head), arrow());
    if (part.sibling != DemoPart::kUnset) text += form(part.sibling) + ", ";
    return text + form(part.modifier);
  }

  void heading(std::string_view text) {
    if (!out_.empty()) out_ += "\n";
    out_ += (canvas_.colour ? styled(text, Style::bold) : std::string(text)) + "\n\n";
  }

  DrawOptions draw_options() const {
    DrawOptions options;
    options.canvas = canvas_;
    return options;
  }
  DrawableTree drawable(const std::vector<int>& heads) const {
    DrawableTree tree;
    tree.forms.assign(model_.forms().begin(), model_.forms().end());
    tree.heads = heads;
    return tree;
  }

  void write_sentence() {
    std::string sentence;
    for (int word = 1; word <= model_.words(); ++word) sentence += (word > 1 ? " " : "") + form(word);
    heading("Exact inference on one sentence: " + sentence);
    out_ +=
        "Did Ann use a feather to sketch, or is it the fox that has one? The potentials\n"
        "are made up by hand for this demonstration, none is learnt. All other figures\n"
        "are computed from them, exactly.\n";
  }

  void write_potentials() {
    heading("The potentials: what each part adds to the score of a tree that contains it");
    const std::span<const DemoPart> parts = model_.parts();
    const size_t rows = (parts.size() + 1) / 2;
    std::array<std::vector<DrawnLine>, 2> halves;
    for (size_t k = 0; k < parts.size(); ++k) {
      std::string text = fmt::format("  {:>4.1f}  {}", parts[k].potential, part_text(parts[k]));
      const int columns = display_width(text);
      halves[k / rows].push_back({std::move(text), columns});
    }
    out_ += side_by_side(halves, canvas_.columns);
    out_ += fmt::format("  Any other arc scores {:.1f}, any other pair or triple of arcs 0.\n",
                        DemoModel::kOtherArc);
  }

  void write_distribution() {
    heading("The best of all trees, and how probable each of its arcs is");
    DrawableTree tree = drawable(best_);
    tree.probabilities = analysis_.arc_probabilities(best_);
    out_ += draw_tree(tree, draw_options());
    const double entropy = analysis_.distribution().entropy();
    out_ += fmt::format(
        "\n  projective trees   {:.0f}\n"
        "  log-partition      {:.4f}\n"
        "  entropy            {:.4f} nats: as uncertain as {:.1f} equally probable trees\n",
        number_of_trees(model_.words()), analysis_.distribution().log_partition(), entropy,
        std::exp(entropy));
  }

  // A tree under a title, small enough to stand beside others; what is not as in the best tree is marked.
  std::vector<DrawnLine> small_drawing(std::string title, const std::vector<int>& heads) const {
    DrawableTree tree = drawable(heads);
    tree.notes.resize(heads.size());
    for (size_t word = 1; word < heads.size(); ++word) {
      if (heads[word] != best_[word]) tree.notes[word] = "*";
    }
    const int width = display_width(title);
    std::vector<DrawnLine> lines = {{std::move(title), width}};
    for (DrawnLine& line : draw_tree_lines(tree, draw_options())) lines.push_back(std::move(line));
    return lines;
  }

  void write_best_trees() {
    std::vector<ScoredTree> trees;
    analysis_.distribution().k_best(kBestTrees, trees);
    std::vector<std::vector<DrawnLine>> drawings;
    double together = 0.0;
    for (size_t rank = 0; rank < trees.size(); ++rank) {
      const double probability = std::exp(trees[rank].score - analysis_.distribution().log_partition());
      together += probability;
      drawings.push_back(
          small_drawing(fmt::format("{}. P = {:.4f}", rank + 1, probability), trees[rank].heads));
    }
    heading(fmt::format("The {} best trees; * marks a head that differs from the best tree's", trees.size()));
    out_ += side_by_side(drawings, canvas_.columns);
    out_ += fmt::format("\n  Together they have {:.4f} of the probability.\n", together);
  }

  void write_min_risk_tree() {
    heading("The tree of minimum risk: the one with the most right arcs to expect");
    const std::vector<int> heads = analysis_.min_risk_tree();
    if (heads != best_) {
      DrawableTree tree = drawable(heads);
      tree.probabilities = analysis_.arc_probabilities(heads);
      out_ += draw_tree(tree, draw_options()) + "\n";
    }
    out_ += fmt::format("  expected right arcs of {}: {:.4f}; of the best tree: {:.4f}{}\n", model_.words(),
                        analysis_.expected_right_arcs(heads), analysis_.expected_right_arcs(best_),
                        heads == best_ ? ", for it is the same tree" : "");
  }

  // The head of the ambiguous word that the best tree does not have, but which is the next in probability.
  int rival_head() {
    const int word = model_.ambiguous_word();
    int rival = best_[word] == 0 ? 1 : 0;
    for (int head = 0; head <= model_.words(); ++head) {
      if (head == best_[word]) continue;
      if (analysis_.arc_probability(head, word) > analysis_.arc_probability(rival, word)) rival = head;
    }
    return rival;
  }

  void write_constraint() {
    const int word = model_.ambiguous_word();
    Constraints constraints;
    constraints.heads.assign(model_.forms().size(), Constraints::kAnyHead);
    constraints.heads[word] = rival_head();
    heading(fmt::format("What follows if somebody tells us that {} is right", arc_text(rival_head(), word)));
    Analysis constrained(model_, Factorization::grandsibling, constraints);
    const std::vector<int> heads = constrained.best_tree();
    DrawableTree tree = drawable(heads);
    tree.probabilities = constrained.arc_probabilities(heads);
    tree.notes.resize(heads.size());
    for (int modifier = 1; modifier <= model_.words(); ++modifier) {
      const double before = analysis_.arc_probability(heads[modifier], modifier);
      const std::string before_text = percent(before);
      if (before_text != percent(tree.probabilities[modifier])) tree.notes[modifier] = "was " + before_text;
    }
    out_ += draw_tree(tree, draw_options());
    out_ += fmt::format("\n  entropy            {:.4f} nats, {:.4f} before\n",
                        constrained.distribution().entropy(), analysis_.distribution().entropy());
  }

  void write_factorizations() {
    const int word = model_.ambiguous_word();
    const int likeliest = best_[word];
    const int rival = rival_head();
    heading(
        fmt::format("The head of \"{}\" under each factorization, which sees the parts it has", form(word)));
    constexpr std::array kFactorizations = {Factorization::first, Factorization::sibling,
                                            Factorization::grandchild, Factorization::grandsibling};
    constexpr int kBarColumns = 10;
    const auto cell = [&](std::string_view head, double probability) {
      return fmt::format("  {} {} {:>5.1f}%", head, bar(probability, kBarColumns, canvas_.unicode),
                         100.0 * probability);
    };
    for (const Factorization factorization : kFactorizations) {
      Analysis analysis(model_, factorization);
      const double first = analysis.arc_probability(likeliest, word);
      const double second = analysis.arc_probability(rival, word);
      out_ +=
          fmt::format("  {:<12}{}{}  others {:>4.1f}%\n", name(factorization), cell(form(likeliest), first),
                      cell(form(rival), second), 100.0 * (1.0 - first - second));
    }
  }

  Canvas canvas_;
  DemoModel model_;
  Analysis analysis_;
  std::vector<int> best_;
  std::string out_;
};

}  // namespace

void add_demo(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("demo", "Show exact inference at work on one ambiguous sentence");
  command->footer(
      "The sentence and its potentials are built in; everything else that is shown is\n"
      "computed. No files are read or written.");
  auto options = std::make_shared<TerminalOptions>();
  add_terminal_options(*command, *options);
  command->callback([options] { write_output(Demo(canvas_for(*options)).write()); });
}

}  // namespace copse
