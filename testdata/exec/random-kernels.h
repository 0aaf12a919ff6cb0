// What the C translation of a random kernel (test/exec/random/) is compiled with: threads as coroutines that each run until
// they wait, the meeting of lanes and barriers, and instructions by their rows in meanings.c. Nothing of lib/ is used, and there
// is no warp here: a thread runs alone until it needs others.
//
//   gcc -O1 -w -ffp-contract=off -frounding-math -mfma -fno-strict-aliasing -I testdata/exec kernel.c -o kernel -lm
//   ./kernel < data > results        data: input, counters, blob, slices; results: out of each launch, slices, counters
#define ROWS_ELSEWHERE
static void row(const char *text, const char *kinds, unsigned long (*fn)(void));
#include "meanings.c"
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { THREADS = BX * BY * BZ, BLOCKS = GX * GY * GZ, SLICE = 64, COUNTERS = 128, INPUT = 1032, BLOB = 32, REGISTERS = 34 };
enum { STACK = 1 << 18, BARRIERS = 16 };

// --------------------------------------------------------------------------------------------------- instructions by row
enum { ROWS = sizeof rows / sizeof *rows - 1 };
static u (*row_meaning[ROWS + 1])(void);
static int row_wanted;
static ucontext_t row_asker, row_searcher;

/** Called by meanings.c for each row. The one that is wanted stays in the middle of this call, so that what its nested
 *  function refers to is there as long as the program runs. */
static void row(const char *text, const char *kinds, u (*fn)(void)) {
  if (strcmp(text, rows[row_wanted])) return;
  row_meaning[row_wanted] = fn;
  swapcontext(&row_searcher, &row_asker);
}
static void search(void) {
  all_rows();
  fprintf(stderr, "no row '%s'\n", rows[row_wanted]);
  exit(1);
}
static void find_rows(void) {
  for (row_wanted = 0; row_wanted < ROWS; row_wanted++) {
    getcontext(&row_searcher);
    row_searcher.uc_stack.ss_size = STACK;
    row_searcher.uc_stack.ss_sp = mmap(0, STACK, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    makecontext(&row_searcher, search, 0);
    swapcontext(&row_asker, &row_searcher);
  }
}
static u meaning(int index, u x, u y, u z, u w) {
  a = x; b = y; c = z; e = w;
  return row_meaning[index]();
}
static u64 canonical64(u64 x) { return (x & ~(1ull << 63)) > 0x7ff0000000000000 ? 0x7ff8000000000000 : x; }

// --------------------------------------------------------------------------------------------------------------- threads
typedef struct { int arrived, generation, truths, answer, needed; } barrier_t;
typedef struct {
  u32 index;
  u8 slices[THREADS][SLICE] __attribute__((aligned(16)));
  u64 swap[THREADS];
  u64 counters[COUNTERS / 8];
  barrier_t barriers[BARRIERS];
} block_t;
typedef struct {
  ucontext_t context;
  block_t *block;
  u32 tid, thread, full;
  u8 *slice, *sslice, *dump;
  int done, waits;
  /** At a meeting of lanes: the mask, what this lane brought, and what all brought. */
  u32 mask;
  u64 brought, answer[32];
} thread_t;

static thread_t threads[THREADS], *me;
static ucontext_t scheduler;
static int progress;
static u8 in[INPUT], counters[COUNTERS], blob[BLOB];
static u8 *slices, *out, *out_now;

static void yield_(void) { swapcontext(&me->context, &scheduler); }

/** What each lane of the mask brought, once all of them have come. */
static const u64 *meet(u64 brought, u32 mask) {
  thread_t *warp = threads + (me->tid & ~31u);
  me->brought = brought; me->mask = mask; me->waits = 1;
  if (!(mask >> (me->tid & 31) & 1)) { fprintf(stderr, "a lane that its mask does not name\n"); exit(1); }
  int all = 1;
  for (int l = 0; l < 32; l++) if (mask >> l & 1) all &= (me->tid & ~31u) + l < THREADS && warp[l].waits && warp[l].mask == mask;
  if (all)
    for (int l = 0; l < 32; l++) if (mask >> l & 1) {
      for (int o = 0; o < 32; o++) if (mask >> o & 1) warp[l].answer[o] = warp[o].brought;
      warp[l].waits = 0;
    }
  while (me->waits) yield_();
  progress = 1;
  return me->answer;
}
static u32 ballot(int vote, u32 mask) {
  const u64 *votes = meet(vote != 0, mask);
  u32 d = 0;
  for (int l = 0; l < 32; l++) if (mask >> l & 1) d |= (u32)votes[l] << l;
  return d;
}
static u32 match_any(u64 value, u32 mask) {
  const u64 *v = meet(value, mask);
  u32 d = 0;
  for (int l = 0; l < 32; l++) if (mask >> l & 1 && v[l] == value) d |= 1u << l;
  return d;
}
static int nth(u32 mask, u32 n) {
  for (int l = 0; l < 32; l++) if (mask >> l & 1 && n-- == 0) return l;
  return -1;
}
/** 9.7.9.6, by its pseudo code. */
static u32 shuffle(int mode, u32 value, u32 by, u32 control, u32 mask, int *taken) {
  const u64 *v = meet(value, mask);
  u32 lane = me->tid & 31, bval = by & 31, cval = control & 31, segmask = control >> 8 & 31;
  int max = (lane & segmask) | (cval & ~segmask), min = lane & segmask, j = 0, pval = 0;
  switch (mode) {
    case 0: j = (int)lane - (int)bval; pval = j >= max; break;
    case 1: j = lane + bval; pval = j <= max; break;
    case 2: j = lane ^ bval; pval = j <= max; break;
    case 3: j = min | (bval & ~segmask); pval = j <= max; break;
  }
  if (!pval) j = lane;
  *taken = pval;
  return (u32)v[j];
}
/** Without a count all threads that have not exited come; with one, those of the first threads. */
static int barrier_needs(int count) {
  int needed = 0;
  for (int t = 0; t < (count ? count : THREADS); t++) needed += !threads[t].done;
  return needed;
}
static void settle_(barrier_t *at, int count) {
  int needed = barrier_needs(count);
  if (at->arrived < needed) return;
  at->needed = needed;
  at->answer = at->truths;
  at->arrived = at->truths = 0;
  at->generation++;
}
static void arrive_(barrier_t *at, int count, int truth) {
  at->truths += truth != 0;
  at->arrived++;
  settle_(at, count);
}
static void arrive(int number, int count) { arrive_(&me->block->barriers[number], count, 0); progress = 1; }
static int barrier(int number, int count, int truth) {
  barrier_t *at = &me->block->barriers[number];
  int generation = at->generation;
  arrive_(at, count, truth);
  while (at->generation == generation) {
    yield_();
    // Somebody may have exited.
    if (at->generation == generation) settle_(at, count);
  }
  progress = 1;
  return at->answer;
}
/** The thread exits. */
static void leave(void) {
  me->block->swap[me->tid] = 0;
  me->done = 1; progress = 1;
  yield_();
}
/** Lanes of this warp that have not exited. */
static u32 alive(void) {
  u32 lanes = 0;
  for (int l = 0; l < 32; l++) if ((me->tid & ~31u) + l < THREADS) lanes |= (u32)!threads[(me->tid & ~31u) + l].done << l;
  return lanes;
}

static void k(void);
static void thread_main(void) { k(); me->done = 1; progress = 1; yield_(); }

static void run_block(block_t *block) {
  int left = THREADS;
  for (int t = 0; t < THREADS; t++) {
    thread_t *it = threads + t;
    void *stack = it->context.uc_stack.ss_sp ? it->context.uc_stack.ss_sp : malloc(STACK);
    memset(it, 0, sizeof *it);
    it->block = block; it->tid = t; it->thread = block->index * THREADS + t;
    int lanes = THREADS - (t & ~31) < 32 ? THREADS - (t & ~31) : 32;
    it->full = lanes == 32 ? ~0u : (1u << lanes) - 1;
    it->slice = slices + SLICE * it->thread; it->sslice = block->slices[t]; it->dump = out_now + 8 * REGISTERS * it->thread;
    getcontext(&it->context);
    it->context.uc_stack.ss_sp = stack; it->context.uc_stack.ss_size = STACK;
    makecontext(&it->context, thread_main, 0);
  }
  // From the last thread to the first: any order gives the same, and this one is not that of warps.
  while (left > 0) {
    progress = 0;
    for (int t = THREADS - 1; t >= 0; t--) {
      if (threads[t].done) continue;
      me = threads + t;
      swapcontext(&scheduler, &me->context);
      if (me->done) left--;
    }
    if (!progress) { fprintf(stderr, "nobody goes on\n"); exit(1); }
  }
}

int main(void) {
  int outBytes = BLOCKS * (THREADS * 8 * REGISTERS + COUNTERS);
  slices = aligned_alloc(64, BLOCKS * THREADS * SLICE); out = calloc(LAUNCHES * outBytes + 16, 1);
  if (fread(in, 1, INPUT, stdin) != INPUT || fread(counters, 1, COUNTERS, stdin) != COUNTERS || fread(blob, 1, BLOB, stdin) != BLOB
      || fread(slices, SLICE, BLOCKS * THREADS, stdin) != BLOCKS * THREADS) return 1;
  find_rows();
  static block_t block;
  for (int launch = 0; launch < LAUNCHES; launch++) {
    out_now = out + launch * outBytes;
    for (int i = 0; i < BLOCKS; i++) {
      memset(&block, 0, sizeof block);
      block.index = i;
      for (int n = 0; n < COUNTERS / 8; n++) block.counters[n] = n;
      run_block(&block);
      memcpy(out_now + BLOCKS * THREADS * 8 * REGISTERS + i * COUNTERS, block.counters, COUNTERS);
    }
    for (int i = 0; i < INPUT; i++) in[i]++;
    for (int i = 0; i < BLOB; i++) blob[i]++;
  }
  fwrite(out, 1, LAUNCHES * outBytes, stdout); fwrite(slices, SLICE, BLOCKS * THREADS, stdout); fwrite(counters, 1, COUNTERS, stdout);
  return 0;
}
