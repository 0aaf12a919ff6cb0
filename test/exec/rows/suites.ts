// Which test has which row of the isa table: rows of arithmetic by section (values.ts), all others by name. A row in
// none of these lists fails coverage.test.ts.

/** moves.test.ts */
export const moveForms: readonly string[] = [
  "mov",
  "mov.address",
  "mov.pack",
  "mov.vector",
  "mov.unpack",
  "cvta",
  "cvta.to",
  "isspacep",
  "mapa",
  "getctarank",
];

/** memory.test.ts */
export const memoryForms: readonly string[] = [
  "ld",
  "ld.mmio",
  "ld.readonly",
  "ld.readonly.first",
  "ld.nc",
  "ldu",
  "st",
  "st.mmio",
  "prefetch",
  "prefetch.evict",
  "prefetch.sector",
  "prefetch.tensormap",
  "prefetchu",
  "applypriority",
  "discard",
  "createpolicy.range",
  "createpolicy.fractional",
  "createpolicy.cvt",
];

/** atomics.test.ts */
export const atomicForms: readonly string[] = [
  "atom",
  "atom.cas",
  "atom.exch.b128",
  "atom.add.f16",
  "atom.vector.f32",
  "atom.vector.f16",
  "red",
  "red.add.f16",
  "red.vector.f32",
  "red.vector.f16",
];

/** warp.test.ts */
export const warpForms: readonly string[] = [
  "shfl",
  "shfl.sync",
  "vote",
  "vote.ballot",
  "vote.sync",
  "vote.sync.ballot",
  "match.any",
  "match.all",
  "activemask",
  "redux",
  "redux.f32",
  "elect",
];

/** control.test.ts */
export const controlForms: readonly string[] = [
  "bra",
  "brx.idx",
  "call",
  "ret",
  "exit",
  "stacksave",
  "stackrestore",
  "alloca",
  "brkpt",
  "nanosleep",
  "pmevent",
  "pmevent.mask",
  "trap",
  "setmaxnreg",
  "griddepcontrol",
  "bar.sync",
  "bar.arrive",
  "bar.red.popc",
  "bar.red",
  "barrier.sync",
  "barrier.arrive",
  "barrier.red.popc",
  "barrier.red",
  "bar.warp.sync",
  "barrier.cluster.arrive",
  "barrier.cluster.wait",
  "membar",
  "membar.proxy",
  "fence",
  "fence.restricted.acquire",
  "fence.restricted.release",
  "fence.mbarrier_init",
  "fence.proxy",
  "fence.proxy.tensormap.release",
  "fence.proxy.tensormap.acquire",
  "fence.proxy.async.acquire",
  "fence.proxy.async.release",
  "fence.proxy.alias",
  "fence.proxy.fabric",
  "fence.proxy.async.read",
];

/**
 * Chapters of the manual whose rows are tested elsewhere, or not executed: asynchronous copies and barriers, matrices,
 * textures, surfaces, tensor memory, multimem, cluster launch control.
 */
export const otherChapters: readonly string[] = [
  "9.7.9.12",
  "9.7.9.13",
  "9.7.9.14",
  "9.7.9.25",
  "9.7.9.26",
  "9.7.10",
  "9.7.11",
  "9.7.13.7",
  "9.7.13.15",
  "9.7.13.16",
  "9.7.13.17",
  "9.7.13.18",
  "9.7.14",
  "9.7.15",
  "9.7.16",
  "9.7.20",
];
