// What the program does when mpirun or srun has started several copies of it that do not find each other: the
// environment is theirs, but nobody is there. Programs with and without MPI must refuse alike.
#include "app/toy_program.h"

namespace copse::testing {
namespace {

class LaunchCommand : public ToyProgramTest {
 protected:
  Outcome run_copy(const std::string& environment, const std::string& arguments) const {
    return run_shell(environment + " \"$COPSE_BINARY\" " + arguments);
  }
};

const std::string kTrain = "train --train train --model model --factorization first --iterations 2";
const std::string kMpirun = "OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=";
const std::string kSrun = "SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=";

TEST_F(LaunchCommand, CopiesThatWouldOverwriteEachOtherAreRefused) {
  for (const auto& [environment, launcher] : {std::pair(kMpirun, "mpirun"), std::pair(kSrun, "srun")}) {
    const Outcome first = run_copy(environment + "0", kTrain);
    expect_one_line_error(first, 2, std::string(launcher) + " has started 4 copies of this program, ");
    EXPECT_NE(first.errors.find("4 copies of the same training would overwrite each other"),
              std::string::npos)
        << first.errors;
    const Outcome second = run_copy(environment + "1", kTrain);
    EXPECT_EQ(second.status, 2);
    EXPECT_EQ(second.errors, "") << "one copy speaks";
    EXPECT_FALSE(exists("model"));
  }
}

TEST_F(LaunchCommand, WhatIsForOneProcessIsRefused) {
  expect_one_line_error(run_copy(kMpirun + "0", "check train"), 2,
                        "mpirun has started 4 copies of `copse check`, which is work for one process");
  EXPECT_EQ(run_copy(kMpirun + "0", "--version").status, 0);
}

TEST_F(LaunchCommand, CopiesMayHaveWorkOfTheirOwn) {
  EXPECT_EQ(run_copy("COPSE_ALONE=1 " + kMpirun + "2", "check train").status, 0);
  EXPECT_EQ(run_copy("COPSE_ALONE=1 " + kSrun + "2", kTrain).status, 0);
}

// A script of sbatch, which runs once, has some variables of Slurm.
TEST_F(LaunchCommand, ScriptsOfJobsRunOnce) {
  EXPECT_EQ(run_copy("SLURM_JOB_ID=5 SLURM_NTASKS=4 SLURM_PROCID=0", "check train").status, 0);
}

TEST_F(LaunchCommand, WrongUsageIsSaidByOneCopy) {
  EXPECT_EQ(run_copy(kMpirun + "3", "train --nonsense").errors, "");
  expect_one_line_error(run_copy(kMpirun + "0", "train --nonsense"), 2, "");
}

}  // namespace
}  // namespace copse::testing
