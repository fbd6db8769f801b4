#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "commands.h"
#include "copse/error.h"
#include "default_model.h"
#include "number_text.h"
#include "option_values.h"
#include "pipeline/model_components.h"
#include "pipeline/parallel_pipeline.h"
#include "sentence_input.h"
#include "sentence_output.h"
#include "sentence_stream.h"

namespace copse {
namespace {

struct SelectOptions {
  std::string model;
  SentenceInputOptions input;
  std::string output = "-";
  std::string output_format;
  std::size_t count = 0;
  std::string by = "entropy";
  std::string per = "word";
  int min_words = 1;
  int threads = 1;
};

// How much a sentence would teach: the entropy of its trees, or the number of wrong heads to expect of the
// best one.
double uncertainty(const Parse& parse, int words, const SelectOptions& options) {
  double sum = 0.0;
  if (options.by == "entropy") {
    sum = parse.entropy;
  } else {
    const std::vector<double>& probabilities = parse.best().head_probabilities;
    for (std::size_t word = 1; word < probabilities.size(); ++word) sum += 1.0 - probabilities[word];
  }
  return options.per == "word" ? sum / words : sum;
}

struct Candidate {
  double uncertainty;
  std::int64_t number;  // in the input
  Sentence sentence;
};

// The least certain one last, and of equals the first of the input first.
bool is_better(const Candidate& a, const Candidate& b) {
  return a.uncertainty != b.uncertainty ? a.uncertainty > b.uncertainty : a.number < b.number;
}

// The most uncertain sentences so far. Holds no more than are wanted.
class Selection {
 public:
  explicit Selection(std::size_t most) : most_(most) {}

  void add(Candidate candidate) {
    if (best_.size() == most_ && !is_better(candidate, best_.top())) return;
    best_.push(std::move(candidate));
    if (best_.size() > most_) best_.pop();
  }

  std::vector<Candidate> take() {
    std::vector<Candidate> all;
    for (; !best_.empty(); best_.pop()) all.push_back(best_.top());
    std::reverse(all.begin(), all.end());
    return all;
  }

 private:
  struct Order {
    bool operator()(const Candidate& a, const Candidate& b) const { return is_better(a, b); }
  };
  std::size_t most_;
  std::priority_queue<Candidate, std::vector<Candidate>, Order> best_;  // the worst on top
};

// Parses batches, and remembers what is worth it.
class Selector {
 public:
  Selector(const Model& model, const SelectOptions& options, TaskPool& pool)
      : options_(options), pipeline_(model, parse_options(), pool), selection_(options.count) {}

  void add(Sentence&& sentence) {
    words_ += sentence.size();
    batch_.push_back(std::move(sentence));
    constexpr std::size_t kBatch = 512;
    if (batch_.size() == kBatch) flush();
  }

  void flush() {
    // What is parsed gets tags, and what is written is to be as it was.
    std::vector<PipelineItem> items(batch_.size());
    for (std::size_t k = 0; k < batch_.size(); ++k) items[k].sentence = batch_[k];
    pipeline_.parse(items);
    for (std::size_t k = 0; k < batch_.size(); ++k) {
      if (items[k].error) std::rethrow_exception(items[k].error);
      ++sentences_;
      const int words = batch_[k].size();
      if (words < options_.min_words) continue;
      selection_.add({uncertainty(items[k].parse, words, options_), sentences_, std::move(batch_[k])});
    }
    batch_.clear();
  }

  std::int64_t sentences() const { return sentences_; }
  std::int64_t words() const { return words_; }
  std::vector<Candidate> take() { return selection_.take(); }

 private:
  static ParseOptions parse_options() {
    ParseOptions options;
    options.probabilities = true;
    options.labels = false;
    return options;
  }

  const SelectOptions& options_;
  ParallelPipeline pipeline_;
  Selection selection_;
  std::vector<Sentence> batch_;
  std::int64_t sentences_ = 0;
  std::int64_t words_ = 0;
};

void select(const SelectOptions& options) {
  const std::string path = model_path(options.model);
  std::vector<std::string> files = options.input.files;
  files.push_back(path);
  expect_one_standard_input("--model", files);
  expect_no_input("--output", options.output, files);
  const Model model = Model::load(path);
  TaskPool pool(options.threads);
  SentenceOutput output(options.output, options.output_format.empty() ? usual_output_format(options.input)
                                                                      : options.output_format);
  InputPosition position;
  StreamProgress progress(output, options.output, position);
  Selector selector(model, options, pool);
  SentenceInput input(options.input, model.components().segmenter, position, [] {});
  for (Sentence sentence; input.next(sentence);) {
    selector.add(std::move(sentence));
    progress.advance(selector.sentences(), selector.words());
  }
  selector.flush();
  for (Candidate& candidate : selector.take()) {
    if (candidate.sentence.layout().format == ConllFormat::conllu) {
      candidate.sentence.set_comment("uncertainty", fmt::format("{:.4f}", candidate.uncertainty));
    }
    output.writer().write(candidate.sentence);
  }
  output.close();
  progress.advance(selector.sentences(), selector.words());
  progress.finish();
}

}  // namespace

void add_select(CLI::App& program) {
  CLI::App* command = program.add_subcommand("select", "Choose the sentences that are worth annotating");
  command->footer(
      "Parses sentences and writes those that the model is least certain about, the most\n"
      "uncertain ones first, as they were in the input: annotate them, train again, and go on.\n"
      "In CoNLL-U, the comment uncertainty says how much.\n\n"
      "--by entropy measures how many trees compete (in nats), --by error how many heads of\n"
      "the best tree are likely to be wrong. --per word divides by the length; --per sentence\n"
      "prefers long sentences, where a minute of annotation finds more.\n\n"
      "Examples:\n"
      "  copse select text.txt --most-uncertain 10\n"
      "  copse select pool.conllu --most-uncertain 100 --output next.conllu\n"
      "  copse select pool.conllu --model de.copse --most-uncertain 50 --by error --min-words 5");
  auto options = std::make_shared<SelectOptions>();
  add_model_option(*command, options->model);
  command->add_option("--most-uncertain", options->count, "So many sentences, or all if there are fewer")
      ->required()
      ->check(CLI::Range(1, 100'000'000))
      ->option_text("N");
  command->add_option("--by", options->by, "entropy: of the trees; error: wrong heads to expect")
      ->check(CLI::IsMember({"entropy", "error"}))
      ->option_text("WHAT [entropy]");
  command->add_option("--per", options->per, "word: divided by the length; sentence: not")
      ->check(CLI::IsMember({"word", "sentence"}))
      ->option_text("WHAT [word]");
  command->add_option("--min-words", options->min_words, "Pass over shorter sentences")
      ->check(CLI::Range(1, 10'000))
      ->option_text("N [1]");
  add_sentence_input(*command, options->input);
  command->add_option("--output", options->output, "Appears when it is complete; - is the standard output")
      ->option_text("FILE [-]");
  add_output_format(*command, options->output_format);
  add_threads_option(*command, options->threads);
  command->callback([options] { select(*options); });
}

}  // namespace copse
