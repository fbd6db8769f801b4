// What a folder of checkpoints accepts: files of the same run and of this format.
#include "optimisers/checkpoint.h"

#include <gtest/gtest.h>

#include "copse/error.h"
#include "io/temporary_folder.h"

namespace copse {
namespace {

// A learner that counts.
class CountingLearner : public Learner {
 public:
  bool iterate() override { return ++weight_[0] < 10.0F; }
  LearnerProgress progress() const override { return {0.0, 0.0}; }
  std::span<const float> weights() override { return weight_; }
  void save(SectionFileWriter& file) const override { file.add_numbers("count", weight_); }
  void restore(std::span<const SectionFile> files) override {
    weight_.assign(1, files.back().numbers<float>("count")[0]);
  }

 private:
  std::vector<float> weight_ = {0.0F};
};

class Checkpoints : public TemporaryFolderTest {
 protected:
  // What restoring says, or the last iteration.
  std::string restore(std::uint64_t run) {
    CountingLearner learner;
    BestWeights best;
    try {
      return std::to_string(CheckpointFolder(folder(), run).restore(learner, best).iteration);
    } catch (const DataError& error) {
      return error.what();
    }
  }
  std::string folder() const { return path("checkpoints"); }
};

TEST_F(Checkpoints, GoOnInTheSameRun) {
  CountingLearner learner;
  learner.iterate();
  CheckpointFolder(folder(), 7).save({3, false, {}}, learner);
  EXPECT_EQ(restore(7), "3");
  EXPECT_NE(restore(8).find("is of a training run with other data or options"), std::string::npos);
}

TEST_F(Checkpoints, OfOtherFormatsAreRefused) {
  CountingLearner learner;
  CheckpointFolder(folder(), 7).save({1, false, {}}, learner);
  for (const std::uint32_t format : {0U, kCheckpointFormat + 1}) {
    SectionFileWriter file(folder() + "/iteration-1");
    ByteWriter run;
    run.u64(7);
    file.add("run", run.take());
    ByteWriter number;
    number.u32(format);
    if (format != 0) file.add("format", number.take());
    file.close();
    const std::string message = restore(7);
    EXPECT_NE(message.find("iteration-1: was written by another version of Copse (format " +
                           std::to_string(format) + " of checkpoints, this one has "),
              std::string::npos)
        << message;
  }
}

}  // namespace
}  // namespace copse
