/* The library libcopse_batch.so: exact inference for batches of sentences behind functions of C, which any
 * version of Python can call without being compiled against (copse/torch.py does). Tensors come as addresses.
 *
 * Functions that return int return 0, or which kind of error it was; copse_batch_error() then has the line.
 */
#ifndef COPSE_PYTHON_BATCH_LIBRARY_H
#define COPSE_PYTHON_BATCH_LIBRARY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { COPSE_OK = 0, COPSE_FAILED = 1, COPSE_BAD_ARGUMENT = 2, COPSE_NO_MEMORY = 3 };

/* Kinds of parts, and factorizations, are numbered as in copse/inference/factorization.h. */
enum { COPSE_PART_KINDS = 4 };

/* What is asked about a batch, by where the answers go; see copse::BatchAnswers. Null: not asked. */
typedef struct {
  int32_t is_double; /* of all numbers: 0 float, 1 double */
  const void* potentials[COPSE_PART_KINDS];
  void* log_partition;
  void* entropy;
  void* marginals[COPSE_PART_KINDS];
  int32_t* best_heads;
  int32_t samples;
  uint64_t seed;
  int32_t* sampled_heads;
  void* stream; /* a cudaStream_t */
} CopseQuestions;

/* A dense tensor and the packed array of one kind of parts; see dense_copy.h. */
typedef struct {
  int32_t scatter; /* 0: dense to packed, 1: packed to dense */
  int32_t kind;
  int32_t dense_is_double;
  int32_t packed_is_double;
  int64_t sentences;
  int64_t arcs;
  const int64_t* words;
  const int64_t* arc_begins;
  const int64_t* part_begins;
  int64_t strides[5]; /* sentence, grandparent, head, sibling, modifier */
  void* dense;
  void* packed;
  const void* scale;
  void* stream;
} CopseDenseCopy;

/* The last error of this thread. */
const char* copse_batch_error(void);
const char* copse_batch_version(void);

/* The COPSE_PART_KINDS kinds of parts that tensors have, in the order of their numbers, each with its words
 * as a dense array is indexed by them (grandparent, head, sibling, modifier): "arc:hm sibling:hsm ...". */
const char* copse_batch_kinds(void);
/* The factorizations that tensors have, smaller ones first, each with its kinds: "first:arc
 * sibling:arc,sibling ...". */
const char* copse_batch_factorizations(void);
/* Why a device ("cpu", "cuda") cannot be used; empty if it can. */
const char* copse_batch_obstacle(const char* device);

/* A workspace; null if the device cannot be used. 0 threads: one for each core. */
void* copse_batch_open(const char* device, int32_t threads);
void copse_batch_close(void* workspace);

/* Where each sentence, with all arcs, begins in the packed array of each kind, and where the last one ends:
 * begins[COPSE_PART_KINDS][sentences + 1]. */
int copse_batch_begins(int64_t sentences, const int64_t* words, int64_t* begins);

int copse_batch_assign(void* workspace, const char* factorization, int32_t single_root, int32_t nonprojective,
                       int64_t sentences, const int64_t* words);
int copse_batch_compute(void* workspace, const CopseQuestions* questions);
int copse_batch_copy(void* workspace, const CopseDenseCopy* copy);

#ifdef __cplusplus
}
#endif

#endif
