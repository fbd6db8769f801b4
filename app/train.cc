#include <memory>
#include <optional>
#include <string>

#include "commands.h"
#include "console.h"
#include "current_team.h"
#include "interrupted.h"
#include "option_values.h"
#include "request_options.h"
#include "run_report/train_report.h"
#include "status_line.h"
#include "stop_signals.h"
#include "training/check_request.h"
#include "training/train_options.h"

namespace copse {
namespace {

// Signals stop the run while something is learnt; before and after, they end the program at once.
class TerminalReport : public TrainReport {
 public:
  using TrainReport::TrainReport;

  void on_start(const TrainRequest& request) override {
    signals_.emplace();
    TrainReport::on_start(request);
  }
  void on_learnt() override { signals_.reset(); }

 protected:
  int stop_signal() override { return StopSignals::received(); }

 private:
  std::optional<StopSignals> signals_;
};

[[noreturn]] void report_stop(const TrainRequest& request, const Team& team) {
  const int status = status_of_stop(StopSignals::received_by_any());
  if (!team.leads()) throw Interrupted(status, "stopped");
  throw Interrupted(status, can_resume(request)
                                ? "stopped; the same command with --resume goes on from here"
                                : "stopped before the first iteration was done; nothing is saved");
}

void run_train(const TrainRequest& request) {
  Team& team = current_team();
  StatusLine line;
  TerminalReport report(team, line);
  try {
    train_with_report(request, team, report);
  } catch (const TrainingStopped&) {
    report_stop(request, team);
  }
  line.clear();
  write_output(report.summary());
}

}  // namespace

void add_train(CLI::App& program) {
  CLI::App* command = program.add_subcommand("train", "Learn a model from a treebank");
  command->footer(
      "Reads CoNLL-U, CoNLL-X or FORM POS HEAD trees and writes one file, the model. Trees\n"
      "that are not projective are made so with the fewest changes, unless --trees\n"
      "nonprojective says that arcs may cross; --nonprojective has other ways, and auto tries them\n"
      "out. Words without a head (_) are learnt from, too.\n"
      "With --dev, the iteration that is best there is kept, and training stops when more of them\n"
      "bring next to nothing (--patience). Higher orders look only at arcs that a first-order\n"
      "model, trained on the way, finds likely. If the trees have labels, a second model learns\n"
      "to label the arcs of finished trees.\n\n"
      "--potentials network learns a network instead of weights of features: hours instead of\n"
      "minutes, and several points more accurate. It reads words alone, unless --tags says\n"
      "otherwise, and predicts tags, lemmas, heads and labels in one pass. It learns more from\n"
      "plain text: --encoder starts it with what `copse pretrain` has made of such text, --vectors\n"
      "gives it vectors of words.\n\n"
      "A parser that will work on tags of a tagger should learn from such tags: --tags predicted\n"
      "learns a tagger, too, and tags every part of the training data (--folds) by what the\n"
      "other parts teach. --pipeline makes a model that needs nothing but text.\n\n"
      "Beside the model, NAME.log.jsonl tells the story of the run, one JSON object per line,\n"
      "and the folder NAME.checkpoint holds what --resume needs until the end. Ctrl-C stops\n"
      "after the current iteration, a second one at once; either way --resume goes on, and\n"
      "gives the very model that an undisturbed run would have given. SIGTERM and SIGUSR1 do the\n"
      "same, with exit status 75. `mpirun -n N copse train ...` trains with N processes, on many\n"
      "machines, and gives the same model, if the program is built with MPI.\n\n"
      "Examples:\n"
      "  copse train --train train.conllu --dev dev.conllu --model en.copse\n"
      "  copse train --train train.conllu --dev dev.conllu --model en.copse --resume\n"
      "  copse train --train a.conllu b.conllu --dev dev.conllu --model en.copse --l2 auto\n"
      "  copse train --train train.conllu --dev dev.conllu --model en.copse --pipeline\n"
      "  copse train --train train.conllu --dev dev.conllu --model en.copse --pipeline \\\n"
      "              --potentials network --encoder en.encoder\n"
      "  copse train --train cs.conllu --dev dev.conllu --model cs.copse --nonprojective auto\n"
      "  copse train --train train.dp --model fast.copse --factorization first --root single\n"
      "  copse train --train cs.conllu --model cs.copse --factorization first --trees nonprojective");
  auto request = std::make_shared<TrainRequest>();
  add_options(*command, train_options(), *request);
  command->callback([request] {
    as_usage([&] { check_request(*request, current_team()); });
    run_train(*request);
  });
}

}  // namespace copse
