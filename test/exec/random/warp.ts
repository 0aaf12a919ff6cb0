// Operations of a warp among the lanes of a mask, and barriers of a block. The C translation synchronises threads
// (random-kernels.h): every lane leaves its operand and waits until all have.

import { type Builder, chance, newLabel, newRegister, pick, register, registerFor, type Scope } from "./builder.js";
import { compound, label, line, type Body, type Line, type Node } from "./tree.js";

type Maker = (builder: Builder, mask: string) => Line;

const shuffles = ["up", "down", "bfly", "idx"];

/** If all 32 lanes are here, any of them may be read. */
function shuffleWhole(builder: Builder, mask: string): Line {
  const { random } = builder;
  const mode = random.below(4);
  const [d, p, a, b] = [
    register(builder, "r"),
    register(builder, "p"),
    register(builder, "r"),
    registerFor(builder, "count"),
  ];
  const clamp = pick(random, ["0x1f", "0", "0x1c1f", "0x181f", "0x1000", "0x1c03", "0x150a"]);
  const constant = String(random.below(32));
  const [ptxB, cB] = chance(random, 50) ? [`%${b}`, b] : [constant, constant];
  const control = register(builder, "r");
  const [ptxC, cC] = chance(random, 30) ? [`%${control}`, control] : [clamp, clamp];
  const first = chance(random, 50) ? `%${d}|%${p}` : `%${d}`;
  const took = first.includes("|") ? `${p} = taken;` : "";
  return line(
    `shfl.sync.${shuffles[mode]}.b32 ${first}, %${a}, ${ptxB}, ${ptxC}, %${mask};`,
    `{ int taken; u32 got = shuffle(${mode}, ${a}, ${cB}, ${cC}, ${mask}, &taken); ${d} = got; ${took} }`,
  );
}

/** The n-th lane of the mask. */
function shuffleSome(builder: Builder, mask: string): Line {
  const [d, a, b] = [register(builder, "r"), register(builder, "r"), register(builder, "r")];
  return line(
    `{ .reg .b32 %x, %y; popc.b32 %x, %${mask}; rem.u32 %x, %${b}, %x; add.u32 %x, %x, 1; ` +
      `fns.b32 %y, %${mask}, 0, %x; shfl.sync.idx.b32 %${d}, %${a}, %y, 0x1f, %${mask}; }`,
    `{ int taken; ${d} = shuffle(3, ${a}, nth(${mask}, ${b} % (u32)__builtin_popcount(${mask})), 0x1f, ${mask}, &taken); }`,
  );
}

function vote(builder: Builder, mask: string): Line {
  const { random } = builder;
  const [d, p, q] = [register(builder, "r"), register(builder, "p"), register(builder, "p")];
  const mode = pick(random, ["all", "any", "uni", "ballot"]);
  const not = chance(random, 30) ? "!" : "";
  const ballot = `u32 votes = ballot(${not}${p}, ${mask});`;
  if (mode === "ballot")
    return line(`vote.sync.ballot.b32 %${d}, ${not}%${p}, %${mask};`, `{ ${ballot} ${d} = votes; }`);
  const value = { all: `votes == ${mask}`, any: "votes != 0", uni: `votes == 0 || votes == ${mask}` }[mode]!;
  return line(`vote.sync.${mode}.pred %${q}, ${not}%${p}, %${mask};`, `{ ${ballot} ${q} = ${value}; }`);
}

function match(builder: Builder, mask: string): Line {
  const { random } = builder;
  const of = pick(random, ["r", "l"] as const);
  const [d, p, a] = [register(builder, "r"), register(builder, "p"), register(builder, of)];
  const bits = of === "r" ? 32 : 64;
  // Few bits, so that some are equal.
  const few = `{ .reg .b${bits} %v; and.b${bits} %v, %${a}, 3;`;
  if (chance(random, 50))
    return line(`${few} match.any.sync.b${bits} %${d}, %v, %${mask}; }`, `${d} = match_any(${a} & 3, ${mask});`);
  return line(
    `${few} match.all.sync.b${bits} %${d}|%${p}, %v, %${mask}; }`,
    `{ u32 same = match_any(${a} & 3, ${mask}); ${p} = same == ${mask}; ${d} = ${p} ? ${mask} : 0; }`,
  );
}

const reductions: readonly (readonly [name: string, type: string, both: string])[] = [
  ["add", "u32", "x + y"],
  ["add", "s32", "x + y"],
  ["min", "u32", "x < y ? x : y"],
  ["max", "u32", "x > y ? x : y"],
  ["min", "s32", "(s32)x < (s32)y ? x : y"],
  ["max", "s32", "(s32)x > (s32)y ? x : y"],
  ["and", "b32", "x & y"],
  ["or", "b32", "x | y"],
  ["xor", "b32", "x ^ y"],
];

function reduce(builder: Builder, mask: string): Line {
  const [name, type, both] = pick(builder.random, reductions);
  const [d, a] = [register(builder, "r"), register(builder, "r")];
  return line(
    `redux.sync.${name}.${type} %${d}, %${a}, %${mask};`,
    `{ const u64 *v = meet(${a}, ${mask}); int first = 1; u32 x = 0; for (int l = 0; l < 32; l++) if (${mask} >> l & 1) ` +
      `{ u32 y = (u32)v[l]; x = first ? y : ${both}; first = 0; } ${d} = x; }`,
  );
}

/** PTX does not define which lane is elected, but there is one, and all get the same result. */
function elect(builder: Builder, mask: string): Line {
  const d = register(builder, "r");
  return line(
    `{ .reg .b32 %x, %y; .reg .pred %q; elect.sync %x|%q, %${mask}; vote.sync.ballot.b32 %y, %q, %${mask}; ` +
      `shl.b32 %x, 1, %x; setp.eq.u32 %q, %x, %y; selp.b32 %${d}, 1, 0, %q; popc.b32 %y, %y; add.u32 %${d}, %${d}, %y; }`,
    `meet(0, ${mask}); meet(0, ${mask}); ${d} = 2;`,
  );
}

/** Through shared memory: what the n-th lane here stored. */
function exchange(builder: Builder, mask: string): Line {
  const [d, a, b] = [register(builder, "r"), register(builder, "r"), register(builder, "r")];
  return line(
    `{ .reg .b32 %x, %y; .reg .b64 %a; popc.b32 %x, %${mask}; rem.u32 %x, %${b}, %x; add.u32 %x, %x, 1; fns.b32 %y, %${mask}, 0, %x; ` +
      `bar.warp.sync %${mask}; st.shared.u32 [%swap], %${a}; bar.warp.sync %${mask}; mad.wide.u32 %a, %y, 8, %wswap; ` +
      `ld.shared.u32 %${d}, [%a]; bar.warp.sync %${mask}; }`,
    `{ const u64 *v = meet(${a}, ${mask}); ${d} = (u32)v[nth(${mask}, ${b} % (u32)__builtin_popcount(${mask}))]; }`,
  );
}

function here(builder: Builder): Line {
  const d = register(builder, "r");
  return line(
    `{ .reg .b32 %x, %y; activemask.b32 %x; mov.u32 %y, %lanemask_eq; and.b32 %x, %x, %y; popc.b32 %${d}, %x; }`,
    `${d} = 1;`,
  );
}

/**
 * Old values of an atomic operation on one address: PTX does not define which lane gets which, but their set is
 * defined.
 */
function tickets(builder: Builder, mask: string): Line {
  const { random } = builder;
  const [d, a] = [register(builder, "r"), register(builder, "r")];
  const [operation, by, next] = pick(random, [
    ["add.u32", "3", "x + 3"],
    ["add.s32", "-7", "x - 7"],
    ["inc.u32", "5", "x >= 5 ? 0 : x + 1"],
    ["dec.u32", "6", "x == 0 || x > 6 ? 6 : x - 1"],
    ["exch.b32", "9", "9"],
    ["cas.b32", "%y, 77", "x == first ? 77 : x"],
  ] as const);
  const lowest = `{ .reg .b32 %y, %z; .reg .b64 %a; brev.b32 %z, %${mask}; clz.b32 %z, %z;`;
  return line(
    `${lowest} mad.wide.u32 %a, %z, 8, %wswap; shfl.sync.idx.b32 %y, %${a}, %z, 0x1f, %${mask}; bar.warp.sync %${mask}; ` +
      `st.shared.b64 [%swap], 0; st.shared.u32 [%swap], %${a}; bar.warp.sync %${mask}; ` +
      `atom.shared.${operation} %z, [%a], ${by}; redux.sync.add.u32 %z, %z, %${mask}; ` +
      `ld.shared.u32 %y, [%a]; bar.warp.sync %${mask}; xor.b32 %${d}, %z, %y; }`,
    `{ const u64 *v = meet(${a}, ${mask}); u32 first = (u32)v[nth(${mask}, 0)], x = first, sum = 0; ` +
      `for (int l = 0; l < 32; l++) if (${mask} >> l & 1) { sum += x; x = ${next}; } ${d} = sum ^ x; }`,
  );
}

const makers: readonly Maker[] = [shuffleSome, vote, vote, match, reduce, reduce, elect, exchange, tickets, here];

/** An operation of the lanes here, which have a mask. */
export function warpOperation(builder: Builder, { mask, whole }: Scope): Line {
  if (whole && chance(builder.random, 35)) return shuffleWhole(builder, mask!);
  const { random } = builder;
  if (!chance(random, 15)) return pick(random, makers)(builder, mask!);
  // Guarded: an operation of the lanes for which the guard is true.
  const p = register(builder, "p");
  const some = splitMask(builder, mask!, p);
  const { ptx, c } = pick(random, [vote, reduce])(builder, some.name);
  return line(`${some.line.ptx} @%${p} ${ptx}`, `${some.line.c} if (${p}) { ${c} }`);
}

// ------------------------------------------------------------------------------------------------------------- barriers

/** Every thread reads what another thread of the block stored. */
function blockExchange(builder: Builder): Line {
  const [d, a, b] = [register(builder, "l"), register(builder, "l"), register(builder, "r")];
  const n = builder.threads;
  if (chance(builder.random, 30)) {
    const p = register(builder, "p");
    return line(`@%${p} barrier.sync 3; @!%${p} barrier.sync 3;`, "barrier(3, 0, 0);");
  }
  return line(
    `{ .reg .b32 %x; .reg .b64 %a; bar.sync 0; st.shared.b64 [%swap], %${a}; barrier.sync 0; rem.u32 %x, %${b}, ${n}; ` +
      `mad.wide.u32 %a, %x, 8, %swaps; ld.shared.b64 %${d}, [%a]; bar.sync 0; }`,
    `{ barrier(0, 0, 0); me->block->swap[me->tid] = ${a}; barrier(0, 0, 0); ${d} = me->block->swap[${b} % ${n}]; barrier(0, 0, 0); }`,
  );
}

function blockReduction(builder: Builder): Line {
  const { random } = builder;
  const [d, p, q] = [register(builder, "r"), register(builder, "p"), register(builder, "p")];
  const number = random.below(16);
  const mode = pick(random, ["popc", "and", "or"]);
  if (mode === "popc") return line(`bar.red.popc.u32 %${d}, ${number}, %${p};`, `${d} = barrier(${number}, 0, ${p});`);
  const value = mode === "or" ? "!= 0" : `== me->block->barriers[${number}].needed`;
  return line(`barrier.red.${mode}.pred %${q}, ${number}, %${p};`, `${q} = barrier(${number}, 0, ${p}) ${value};`);
}

/** Only the first warps of the block, at a barrier with a count. */
function someWarps(builder: Builder, inside: () => Body): Node {
  const warps = 1 + builder.random.below(builder.threads / 32);
  const [number, end, n] = [1 + builder.random.below(15), newLabel(builder), 32 * warps];
  const [d, a, b] = [register(builder, "r"), register(builder, "r"), register(builder, "r")];
  return compound(
    line(`{ .reg .pred %q; setp.ge.u32 %q, %self, ${n}; @%q bra ${end}; }`, `if (me->tid >= ${n}) goto ${end};`),
    line(
      `{ .reg .b32 %x; .reg .b64 %a; st.shared.u32 [%swap], %${a}; bar.sync ${number}, ${n}; rem.u32 %x, %${b}, ${n}; ` +
        `mad.wide.u32 %a, %x, 8, %swaps; ld.shared.u32 %${d}, [%a]; bar.sync ${number}, ${n}; }`,
      `{ me->block->swap[me->tid] = ${a}; barrier(${number}, ${n}, 0); ${d} = (u32)me->block->swap[${b} % ${n}]; barrier(${number}, ${n}, 0); }`,
    ),
    inside(),
    label(end),
    line("bar.sync 0;", "barrier(0, 0, 0);"),
  );
}

/** The first warp produces, and the others wait for it, without it waiting for them. */
function produce(builder: Builder): Node {
  const [other, end] = [newLabel(builder), newLabel(builder)];
  const number = 1 + builder.random.below(15);
  const [d, a] = [register(builder, "r"), register(builder, "r")];
  const n = builder.threads;
  return compound(
    line(`{ .reg .pred %q; setp.ge.u32 %q, %self, 32; @%q bra ${other}; }`, `if (me->tid >= 32) goto ${other};`),
    line(
      `st.shared.u32 [%swap], %${a}; barrier.arrive ${number}, ${n};`,
      `me->block->swap[me->tid] = ${a}; arrive(${number}, ${n});`,
    ),
    line(`bra ${end};`, `goto ${end};`),
    label(other),
    line(
      `{ .reg .b32 %x; .reg .b64 %a; bar.sync ${number}, ${n}; and.b32 %x, %self, 31; mad.wide.u32 %a, %x, 8, %swaps; ld.shared.u32 %${d}, [%a]; }`,
      `barrier(${number}, ${n}, 0); ${d} = (u32)me->block->swap[me->tid & 31];`,
    ),
    label(end),
    line("bar.sync 0;", "barrier(0, 0, 0);"),
  );
}

/** Both sides of a branch reach a barrier, and some threads reach it again from elsewhere. */
export function crossing(
  builder: Builder,
  p: string,
  [then, otherwise]: readonly [Body, Body],
): readonly (Line | Body)[] {
  const { random, threads } = builder;
  const [other, end] = [newLabel(builder), newLabel(builder)];
  const [number, n] = [1 + random.below(15), threads % 32 === 0 && chance(random, 50) ? threads : 0];
  const at = n === 0 ? String(number) : `${number}, ${n}`;
  const meeting = (): Line => {
    const [d, a, b] = [register(builder, "r"), register(builder, "r"), register(builder, "r")];
    return line(
      `{ .reg .b32 %x; .reg .b64 %a; st.shared.u32 [%swap], %${a}; barrier.sync ${at}; rem.u32 %x, %${b}, ${threads}; ` +
        `mad.wide.u32 %a, %x, 8, %swaps; ld.shared.u32 %${d}, [%a]; barrier.sync ${at}; }`,
      `{ me->block->swap[me->tid] = ${a}; barrier(${number}, ${n}, 0); ${d} = (u32)me->block->swap[${b} % ${threads}]; barrier(${number}, ${n}, 0); }`,
    );
  };
  return [
    line(`@!%${p} bra ${other};`, `if (!${p}) goto ${other};`),
    then,
    meeting(),
    line(`bra ${end};`, `goto ${end};`),
    label(other),
    otherwise,
    meeting(),
    label(end),
    line("bar.sync 0;", "barrier(0, 0, 0);"),
  ];
}

/** An operation with a barrier, where the whole block is together. `inside` generates code for some of its warps. */
export function blockOperation(builder: Builder, inside: () => Body): Node {
  const { random, threads } = builder;
  const choice = random.below(10);
  if (threads % 32 === 0 && threads > 32 && choice < 2) return produce(builder);
  if (threads % 32 === 0 && choice < 4) return someWarps(builder, inside);
  return choice < 7 ? blockExchange(builder) : blockReduction(builder);
}

/** A new register with the mask of the lanes in `mask` for which `p` holds. */
export function splitMask(builder: Builder, mask: string, p: string): { readonly name: string; readonly line: Line } {
  const name = newRegister(builder, "m");
  return { name, line: line(`vote.sync.ballot.b32 %${name}, %${p}, %${mask};`, `${name} = ballot(${p}, ${mask});`) };
}

/** A new register with the mask of the lanes in `mask` that are not in `taken`. */
export function restOf(builder: Builder, mask: string, taken: string): { readonly name: string; readonly line: Line } {
  const name = newRegister(builder, "m");
  return {
    name,
    line: line(`not.b32 %${name}, %${taken}; and.b32 %${name}, %${name}, %${mask};`, `${name} = ~${taken} & ${mask};`),
  };
}

/** Each lane's mask: those of `mask` with the same value of a predicate. */
export function parties(builder: Builder, mask: string): { readonly mask: string; readonly lines: readonly Line[] } {
  const p = register(builder, "p");
  const taken = splitMask(builder, mask, p);
  const rest = restOf(builder, mask, taken.name);
  const own = newRegister(builder, "m");
  return {
    mask: own,
    lines: [
      taken.line,
      rest.line,
      line(`selp.b32 %${own}, %${taken.name}, %${rest.name}, %${p};`, `${own} = ${p} ? ${taken.name} : ${rest.name};`),
    ],
  };
}
