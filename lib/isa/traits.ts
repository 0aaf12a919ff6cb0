// Traits of instructions: properties that rows of several opcodes share and other stages use, as a column of the table. A new
// instruction gets its checks, execution plans and findings from the traits in its row; no stage compares names of opcodes.

/** Every trait: "the instruction ...". */
export const traitMeanings = {
  load: "reads memory into its first operand",
  store: "writes a register to memory",
  atomic: "reads and writes memory in one step",
  asynchronous: "ends before the memory that it writes has changed",
  branch: "goes to a label",
  "branch-table": "goes to a label of a .branchtargets list",
  call: "calls a function",
  return: "ends a function",
  exit: "ends the thread",
  synchronizes: "waits for other threads, or reports to those that wait",
  barrier: "names a barrier of the block by its operand a",
  aligned: "is executed by all lanes of a warp together, without a modifier that says so",
  shift: "shifts by its operand b",
  divide: "divides integers by its operand b",
  move: "moves a value, which may be the address of a symbol",
  "takes-address": "moves the address of a symbol and nothing else",
  "converts-address": "converts between the addresses of a state space and generic ones",
  "to-generic": "makes a generic address",
  "cluster-address": "takes an address of shared memory within the cluster",
  "asks-space": "asks in which state space an address is",
  "wide-address": "takes global and generic addresses from registers of 64 bits only (ptxas 13.0)",
  "shared-only": "accesses shared memory, by a generic address too",
  "global-only": "accesses global memory, by a generic address too",
  "queries-sampler": "queries samplers where the module keeps them apart from textures",
  "notes-matrices": "is noted as a use of matrices in an object's attributes",
} as const satisfies Readonly<Record<string, string>>;

export type Trait = keyof typeof traitMeanings;
