#include "module_documents.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "document.h"
#include "document_state.h"
#include "pipeline/model_components.h"
#include "pipeline/model_folders.h"
#include "render/parse_members.h"
#include "text_batch.h"
#include "workspaces.h"

namespace copse::python {
namespace {

using DocumentPointer = std::shared_ptr<Document>;

// A sentence of a document, which it keeps alive.
struct SentenceView {
  DocumentPointer document;
  std::size_t number = 0;

  const DocumentSentence& content() const { return document->sentences[number]; }
  const Sentence& columns() const { return content().sentence; }
  const ParsedTree& tree() const { return content().parse.trees.front(); }
  const Token& word(int id) const {
    if (id < 1 || id > columns().size()) throw py::index_error("there is no such word");
    return columns()[id];
  }
};

py::object text_or_none(std::string_view column) {
  if (column == "_") return py::none();
  return py::str(column.data(), column.size());
}

py::object comment_or_none(const std::optional<std::string_view>& text) {
  if (!text) return py::none();
  return py::str(text->data(), text->size());
}

// Numbers of the words 1..n, where they lie; nobody may change them.
template <class T>
py::object view_of(const std::vector<T>& numbers, const DocumentPointer& owner) {
  if (numbers.empty()) return py::none();
  py::array_t<T> array(static_cast<py::ssize_t>(numbers.size()) - 1, numbers.data() + 1, py::cast(owner));
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::list labels_of(const ParsedTree& tree) {
  py::list labels;
  for (std::size_t word = 1; word < tree.heads.size(); ++word) {
    labels.append(tree.labels.empty() ? py::object(py::none()) : text_or_none(tree.labels[word]));
  }
  return labels;
}

// (log-probability, heads, labels, probabilities of heads, probabilities of labels)
py::list trees_of(const std::vector<ParsedTree>& trees, const DocumentPointer& owner) {
  py::list list;
  for (const ParsedTree& tree : trees) {
    list.append(py::make_tuple(tree.log_probability, view_of(tree.heads, owner), labels_of(tree),
                               view_of(tree.head_probabilities, owner),
                               view_of(tree.label_probabilities, owner)));
  }
  return list;
}

// (head, probability, label or None, probability of the label or None)
py::list alternatives_of(const SentenceView& view, int id) {
  view.word(id);
  py::list list;
  const auto& all = view.content().parse.alternatives;
  if (all.empty()) return list;
  for (const HeadAlternative& one : all[static_cast<std::size_t>(id)]) {
    const bool has_label = !one.label.empty();
    list.append(py::make_tuple(one.head, one.probability,
                               has_label ? py::object(py::str(one.label)) : py::object(py::none()),
                               has_label ? py::object(py::float_(one.label_probability)) : py::none()));
  }
  return list;
}

py::object number_or_none(const std::vector<double>& numbers, int id) {
  if (numbers.empty()) return py::none();
  return py::float_(numbers[static_cast<std::size_t>(id)]);
}

py::object place_of(const SentenceView& view, int id, std::int64_t TextRange::*end) {
  view.word(id);
  const auto& ranges = view.content().ranges;
  if (ranges.empty() || !ranges[static_cast<std::size_t>(id)]) return py::none();
  return py::int_((*ranges[static_cast<std::size_t>(id)]).*end);
}

// Builds objects of Python.
class PythonWriter final : public ValueWriter {
 public:
  using ValueWriter::number;
  void begin_object() override { open(py::dict()); }
  void end_object() override { close(); }
  void begin_array() override { open(py::list()); }
  void end_array() override { close(); }
  void key(std::string_view name) override { key_ = py::str(name.data(), name.size()); }
  void string(std::string_view text) override { add(py::str(text.data(), text.size())); }
  void number(std::int64_t number) override { add(py::int_(number)); }
  void number(double number) override { add(py::float_(number)); }
  // All that is known of it.
  void probability(double probability) override { add(py::float_(probability)); }
  void boolean(bool is_true) override { add(py::bool_(is_true)); }
  void null() override { add(py::none()); }

  // The whole, once all that was opened is closed.
  py::object take() { return std::move(whole_); }

 private:
  void add(const py::object& value) {
    if (open_.empty()) {
      whole_ = value;
    } else if (py::isinstance<py::dict>(open_.back())) {
      open_.back()[key_] = value;
    } else {
      py::reinterpret_borrow<py::list>(open_.back()).append(value);
    }
  }
  void open(py::object container) {
    add(container);
    open_.push_back(std::move(container));
  }
  void close() { open_.pop_back(); }

  std::vector<py::object> open_;
  py::object key_;  // of the next member
  py::object whole_;
};

// What to_dict() gives. The alternatives of words may be those of another parse of the same sentence.
py::object dict_of(const SentenceView& view, const SentenceView* alternatives, double min_alternative) {
  const DocumentSentence& content = view.content();
  const Sentence written = content.with_columns(0, {.doubts = false});
  std::vector<bool> has_known_head;
  std::vector<bool> has_known_label;
  if (content.known) {
    has_known_head.push_back(false);
    has_known_label.push_back(false);
    for (const Token& word : content.known->words()) {
      has_known_head.push_back(word.head() != kNoHead);
      has_known_label.push_back(word.deprel() != "_");
    }
  }
  const auto* listed = alternatives == nullptr ? nullptr : &alternatives->content().parse.alternatives;
  PythonWriter writer;
  writer.begin_object();
  write_parse_members({.sentence = written,
                       .parse = content.parse,
                       .ranges = content.ranges,
                       .has_known_head = has_known_head,
                       .has_known_label = has_known_label,
                       .alternatives = listed == nullptr || listed->empty() ? nullptr : listed,
                       .min_alternative = min_alternative,
                       .min_confidence = view.document->options.min_confidence},
                      writer);
  writer.end_object();
  return writer.take();
}

// Whether it was left open, or is marked.
bool is_doubtful(const SentenceView& view, std::size_t id) {
  const std::optional<double> least = view.document->options.min_confidence;
  const ParsedTree& tree = view.tree();
  if (!least || tree.head_probabilities.empty()) return false;
  const double label = tree.label_probabilities.empty() ? 1.0 : tree.label_probabilities[id];
  return tree.head_probabilities[id] * label < *least;
}

void bind_sentences(py::module_& m) {
  using Column = std::string_view (Row::*)() const;
  auto view = py::class_<SentenceView>(m, "SentenceView", "What the classes of copse.documents read.");
  const auto column = [&view](const char* name, Column get) {
    view.def(name, [get](const SentenceView& self, int id) { return text_or_none((self.word(id).*get)()); });
  };
  view.def("form", [](const SentenceView& self, int id) {
    const std::string_view form = self.word(id).form();
    return py::str(form.data(), form.size());
  });
  column("lemma", &Row::lemma);
  column("upos", &Row::upos);
  column("xpos", &Row::xpos);
  column("feats", &Row::feats);
  column("misc", &Row::misc);
  view.def_property_readonly("document", [](const SentenceView& self) { return self.document; })
      .def_property_readonly("number", [](const SentenceView& self) { return self.number; })
      .def("__len__", [](const SentenceView& self) { return self.columns().size(); })
      .def("head",
           [](const SentenceView& self, int id) {
             self.word(id);
             return self.tree().heads[static_cast<std::size_t>(id)];
           })
      .def("deprel",
           [](const SentenceView& self, int id) -> py::object {
             self.word(id);
             const std::vector<std::string>& labels = self.tree().labels;
             return labels.empty() ? py::object(py::none())
                                   : text_or_none(labels[static_cast<std::size_t>(id)]);
           })
      .def("p",
           [](const SentenceView& self, int id) {
             self.word(id);
             return number_or_none(self.tree().head_probabilities, id);
           })
      .def("p_deprel",
           [](const SentenceView& self, int id) {
             self.word(id);
             return number_or_none(self.tree().label_probabilities, id);
           })
      .def("is_doubtful",
           [](const SentenceView& self, int id) {
             self.word(id);
             return is_doubtful(self, static_cast<std::size_t>(id));
           })
      .def("known_head",
           [](const SentenceView& self, int id) {
             self.word(id);
             return self.content().known ? (*self.content().known)[id].head() : kNoHead;
           })
      .def("start", [](const SentenceView& self, int id) { return place_of(self, id, &TextRange::begin); })
      .def("end", [](const SentenceView& self, int id) { return place_of(self, id, &TextRange::end); })
      .def("heads", [](const SentenceView& self) { return view_of(self.tree().heads, self.document); })
      .def("probabilities",
           [](const SentenceView& self) { return view_of(self.tree().head_probabilities, self.document); })
      .def("label_probabilities",
           [](const SentenceView& self) { return view_of(self.tree().label_probabilities, self.document); })
      .def("labels", [](const SentenceView& self) { return labels_of(self.tree()); })
      .def("trees",
           [](const SentenceView& self) { return trees_of(self.content().parse.trees, self.document); })
      .def("samples",
           [](const SentenceView& self) { return trees_of(self.content().parse.samples, self.document); })
      .def("alternatives", &alternatives_of)
      .def("to_dict", &dict_of)
      .def_property_readonly("text",
                             [](const SentenceView& self) { return comment_or_none(self.columns().text()); })
      .def_property_readonly(
          "sent_id", [](const SentenceView& self) { return comment_or_none(self.columns().sent_id()); })
      .def_property_readonly("comments",
                             [](const SentenceView& self) {
                               const auto comments = self.columns().comments();
                               return std::vector<std::string>(comments.begin(), comments.end());
                             })
      .def_property_readonly("entropy", [](const SentenceView& self) { return self.content().parse.entropy; })
      .def_property_readonly("log_probability",
                             [](const SentenceView& self) { return self.tree().log_probability; })
      .def_property_readonly("pieces", [](const SentenceView& self) { return self.content().parse.pieces; })
      .def_property_readonly("had_to_prune",
                             [](const SentenceView& self) { return self.content().parse.had_to_prune; })
      .def_property_readonly("untagged_words",
                             [](const SentenceView& self) { return self.content().parse.untagged_words; })
      .def_property_readonly("ignored_labels",
                             [](const SentenceView& self) { return self.content().parse.ignored_labels; })
      .def_property_readonly("dropped",
                             [](const SentenceView& self) { return self.content().parse.dropped_heads; })
      .def("conllu",
           [](const SentenceView& self, bool probabilities, bool all_trees) {
             return conllu_text(self.content(), {probabilities, all_trees});
           })
      .def("svg", [](const SentenceView& self) { return svg_text(self.content()); })
      .def("drawing",
           [](const SentenceView& self, bool is_unicode) { return tree_text(self.content(), is_unicode); })
      .def("parse_again",
           [](const SentenceView& self, const ParseOptions& options, const std::vector<KnownArc>& known) {
             const py::gil_scoped_release unlocked;
             return SentenceView{parse_again(*self.document, self.number, options, known), 0};
           });
}

void bind_documents(py::module_& m) {
  py::class_<Document, DocumentPointer>(m, "DocumentData", "A parsed text; see copse.documents.")
      .def("__len__", [](const Document& self) { return self.sentences.size(); })
      .def_property_readonly("text", [](const Document& self) { return self.text; })
      .def_property_readonly("options", [](const Document& self) { return self.options; })
      .def_property_readonly("has_model", [](const Document& self) { return self.workspaces != nullptr; })
      .def_property_readonly("words",
                             [](const Document& self) {
                               std::int64_t words = 0;
                               for (const DocumentSentence& one : self.sentences)
                                 words += one.sentence.size();
                               return words;
                             })
      .def_property_readonly("untagged_words",
                             [](const Document& self) {
                               std::int64_t words = 0;
                               for (const DocumentSentence& one : self.sentences) {
                                 words += one.parse.untagged_words;
                               }
                               return words;
                             })
      .def("sentence",
           [](const DocumentPointer& self, std::size_t number) {
             if (number >= self->sentences.size()) throw py::index_error("there is no such sentence");
             return SentenceView{self, number};
           })
      .def("conllu",
           [](const Document& self, bool probabilities, bool all_trees) {
             const py::gil_scoped_release unlocked;
             return conllu_text(self, {probabilities, all_trees});
           })
      .def(py::pickle([](const Document& self) { return document_state(self); },
                      [](const py::tuple& state) { return document_from_state(state); }));
}

// Others may use the interpreter while a batch that nobody wants any more comes to its end.
struct DeleteUnlocked {
  void operator()(TextBatch* batch) const {
    const py::gil_scoped_release unlocked;
    delete batch;
  }
};

void bind_batches(py::module_& m) {
  py::class_<KnownArc>(m, "KnownArc").def(py::init([](int sentence, int word, int head, std::string label) {
    return KnownArc{sentence, word, head, std::move(label)};
  }));
  // Wakes up now and then to see whether the user has pressed Ctrl-C.
  constexpr int kMilliseconds = 100;
  py::class_<TextBatch, std::unique_ptr<TextBatch, DeleteUnlocked>>(m, "TextBatch",
                                                                    "Texts that are parsed together.")
      .def(py::init([](const std::shared_ptr<Workspaces>& workspaces, const ParseOptions& options, bool lines,
                       int threads) {
        return std::unique_ptr<TextBatch, DeleteUnlocked>(
            new TextBatch(workspaces, TextBatch::Settings{options, lines, threads}));
      }))
      .def("add_text", &TextBatch::add_text)
      .def("add_words", &TextBatch::add_words)
      .def("add_conllu", &TextBatch::add_conllu)
      .def("__len__", &TextBatch::size)
      .def_property_readonly("bytes", &TextBatch::bytes)
      .def("start", &TextBatch::start)
      .def("wait",
           [](TextBatch& self) {
             for (bool is_done = false; !is_done;) {
               {
                 const py::gil_scoped_release unlocked;
                 is_done = self.wait(kMilliseconds);
               }
               if (PyErr_CheckSignals() != 0) throw py::error_already_set();
             }
           })
      .def("document", &TextBatch::document);
}

void bind_options(py::module_& m) {
  py::class_<ParseOptions>(m, "ParseOptions", "How sentences are parsed; copse.pipeline checks the values.")
      .def(py::init<>())
      .def(py::init<const ParseOptions&>())
      .def_readwrite("kbest", &ParseOptions::kbest)
      .def_readwrite("kbest_labels", &ParseOptions::kbest_labels)
      .def_readwrite("probabilities", &ParseOptions::probabilities)
      .def_readwrite("min_alternative", &ParseOptions::min_alternative)
      .def_readwrite("samples", &ParseOptions::samples)
      .def_readwrite("sample_seed", &ParseOptions::sample_seed)
      .def_readwrite("keep_known", &ParseOptions::keep_known)
      .def_readwrite("drop_conflicts", &ParseOptions::drop_conflicts)
      .def_readwrite("labels", &ParseOptions::labels)
      .def_readwrite("min_confidence", &ParseOptions::min_confidence)
      .def_readwrite("prune", &ParseOptions::prune_threshold)
      .def_property(
          "decode", [](const ParseOptions& self) { return self.decoder == Decoder::mbr ? "mbr" : "best"; },
          [](ParseOptions& self, const std::string& name) {
            self.decoder = name == "mbr" ? Decoder::mbr : Decoder::best;
          })
      .def_property(
          "tag",
          [](const ParseOptions& self) {
            return self.tags == TagUse::always ? "always" : self.tags == TagUse::never ? "never" : "missing";
          },
          [](ParseOptions& self, const std::string& name) {
            self.tags = name == "always"  ? TagUse::always
                        : name == "never" ? TagUse::never
                                          : TagUse::when_missing;
          })
      .def_property(
          "doubtful",
          [](const ParseOptions& self) {
            return self.low_confidence == LowConfidence::mark ? "mark" : "open";
          },
          [](ParseOptions& self, const std::string& name) {
            self.low_confidence = name == "mark" ? LowConfidence::mark : LowConfidence::open;
          })
      .def_property(
          "device", [](const ParseOptions& self) { return std::string(name(self.device)); },
          [](ParseOptions& self, const std::string& name) { self.device = *parse_device(name); });
}

}  // namespace

void add_documents(py::module_& m) {
  bind_options(m);
  py::class_<Workspaces, std::shared_ptr<Workspaces>>(m, "LoadedModel", "A model that has been loaded.")
      .def(py::init([](const std::string& path) {
        const py::gil_scoped_release unlocked;
        return std::make_shared<Workspaces>(Model::load(path));
      }))
      .def_property_readonly("has_segmenter",
                             [](const Workspaces& self) { return self.model().has_segmenter(); })
      .def_property_readonly("has_tagger", [](const Workspaces& self) { return self.model().has_tagger(); })
      .def_property_readonly("labels", [](const Workspaces& self) { return self.model().labels(); })
      .def_property_readonly(
          "has_pruner", [](const Workspaces& self) { return self.model().components().parser.has_pruner(); });
  m.def("find_model", &find_model);
  m.attr("model_folder") = COPSE_MODEL_FOLDER;
  m.attr("default_threads") = TaskPool::default_threads();
  bind_documents(m);
  bind_sentences(m);
  bind_batches(m);
}

}  // namespace copse::python
