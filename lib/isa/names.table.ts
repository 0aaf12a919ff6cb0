// Opcodes whose names have several words, as messages of ptxas 13.0 name them. The manual prints modifiers in one order; ptxas
// accepts those after the name in any order (`add.u32.cc`), but the words of the name only in theirs: bar.popc.red is no
// instruction. Names of one word are not listed.
//
// Rejected: using a row's first literals as the name. `mul.lo` is a name and `add.cc` is not.

const families: Readonly<Record<string, string>> = {
  bar: "arrive cta cta.arrive cta.red red warp",
  barrier: "arrive cta cta.arrive cta.red red cluster.arrive cluster.wait",
  brx: "idx",
  clusterlaunchcontrol: "query_cancel try_cancel.async",
  cp:
    "async async.bulk async.bulk.commit_group async.bulk.prefetch async.bulk.prefetch.tensor async.bulk.tensor " +
    "async.bulk.wait_group async.commit_group async.mbarrier.arrive async.wait_all async.wait_group " +
    "reduce.async.bulk reduce.async.bulk.tensor",
  createpolicy: "cvt fractional range",
  cvt: "pack",
  cvta: "to",
  div: "full",
  dp2a: "hi lo",
  fence: "proxy",
  mad: "hi lo wide",
  mad24: "hi lo",
  madc: "hi lo",
  mbarrier:
    "arrive arrive.expect_tx arrive_drop arrive_drop.expect_tx complete_tx expect_tx init inval pending_count " +
    "test_wait test_wait.parity try_wait try_wait.parity",
  membar: "proxy",
  mul: "hi lo wide",
  mul24: "hi lo",
  multimem: "ld_reduce red st",
  pmevent: "mask",
  red: "async",
  setmaxnreg: "dec inc",
  shf: "l r",
  st: "async bulk",
  suld: "b",
  sured: "b p",
  sust: "b p",
  tcgen05: "alloc commit cp dealloc fence ld ld.red mma mma.ws relinquish_alloc_permit shift st wait::ld wait::st",
  tensormap: "cp_fenceproxy replace",
  tex: "base grad level",
  txq: "level",
  wgmma: "commit_group fence mma_async wait_group",
  wmma: "load.a load.b load.c mma store.d",
};

const names: ReadonlySet<string> = new Set(
  Object.entries(families).flatMap(([base, rest]) => rest.split(" ").map((more) => `${base}.${more}`)),
);

/** Number of words in the name of an opcode: the longest name that ptxas knows. */
export function nameLength(words: readonly string[]): number {
  for (let length = Math.min(words.length, 5); length > 1; length--) {
    if (names.has(words.slice(0, length).join("."))) return length;
  }
  return 1;
}
