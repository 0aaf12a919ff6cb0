// Random kernels with a statement that faults for some of the threads that execute it. There is no translation to C:
// the reference engine defines the result.

import { randomFrom, type Random } from "../../oracle/random.js";
import { chance, pick, registerCounts } from "./builder.js";
import { threadsOf } from "./shape.js";
import { body, type Body, type KernelTree, line, type Line } from "./tree.js";

/** Declarations at module scope that the statements below need. */
const DECLARATIONS = `.extern .func missing (.param .b32 x);
.extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
.global .align 1 .b8 words[4] = { 119, 104, 121, 0 };
.func deeper (.param .b32 n) { .local .align 8 .b8 room[1000]; .reg .b32 %n; .reg .b64 %a; ld.param.b32 %n, [n];
  mov.u64 %a, room; st.local.u32 [%a+16], %n; add.u32 %n, %n, 1;
  { .param .b32 m; st.param.b32 [m], %n; call deeper, (m); } ld.local.u32 %n, [%a+16]; ret; }`;

const loads = ["u8", "s16", "u32", "f32", "b64", "v2.u32", "v4.f32", "v2.b64"] as const;

/** Every kind of access to address %a of that space, guarded by %q. */
function access(random: Random, space: string): string {
  const type = pick(random, loads);
  const wide = type.endsWith("64");
  const one = wide ? "%w" : "%x";
  const list = type.startsWith("v4") ? "{%x, %x, %x, %x}" : type.startsWith("v2") ? `{${one}, ${one}}` : one;
  const distinct = type.startsWith("v4")
    ? "{%x, %y, %z, %u}"
    : type.startsWith("v2")
      ? wide
        ? "{%w, %b}"
        : "{%x, %y}"
      : one;
  const bare = type.startsWith("v") ? `.${type}` : `.${type}`;
  const atomics = space === "" || space === ".global" || space === ".shared";
  const choice = random.below(atomics ? 4 : 2);
  if (choice === 0) return `@%q ld${space}${bare} ${distinct}, [%a];`;
  if (choice === 1) return `@%q st${space}${bare} [%a], ${list};`;
  if (choice === 2) return `@%q atom${space}.add.u32 %x, [%a], 3;`;
  return chance(random, 50) ? `@%q red${space}.xor.b64 [%a], %w;` : `@%q atom${space}.cas.b64 %b, [%a], %w, %w;`;
}

const illegalPlaces: readonly (readonly [space: string, place: string])[] = [
  ["", "mov.u64 %a, 0;"],
  [".global", "mov.u64 %a, 64;"],
  ["", "add.s64 %a, %slice, 100000000;"],
  [".global", "sub.s64 %a, %in, 4096;"],
  // After the last byte of the memory; wide accesses extend beyond it.
  [".global", "add.s64 %a, %counters, 128;"],
  ["", "add.s64 %a, %in, 1032;"],
  ["", "mov.u64 %a, 0x8000000000000000;"],
  [".global", "mov.u64 %a, 0x7fffffff00000000;"],
  [".shared", "add.s64 %a, %sslice, 1000000;"],
  ["", "add.s64 %a, %gslice, 1000000;"],
  [".shared", "mov.u64 %a, 0xfffffffffffffff0;"],
  [".local", "add.s64 %a, %local, 600000;"],
  ["", "add.s64 %a, %glocal, 600000;"],
  [".const", "add.s64 %a, %table, 70000;"],
  ["", "mov.u64 %a, missing;"],
  ["", "mov.u64 %a, deeper;"],
  ["", "mov.u64 %a, 0x400000000;"],
  // Read-only memory for accesses that write; others are reads.
  ["", "mov.u64 %a, %gtable;"],
];

const misalignedPlaces: readonly (readonly [space: string, place: string])[] = [
  ["", "add.s64 %a, %slice, 1;"],
  [".global", "add.s64 %a, %slice, 6;"],
  [".global", "add.s64 %a, %slice, 4;"],
  [".shared", "add.s64 %a, %sslice, 3;"],
  ["", "add.s64 %a, %gslice, 8;"],
  [".local", "add.s64 %a, %local, 2;"],
  [".const", "add.s64 %a, %table, 5;"],
];

const placed = (random: Random, places: readonly (readonly [string, string])[]): string => {
  const fitting = pick(random, places);
  const [space, place] = fitting;
  const what = space === ".const" ? "@%q ld.const.v2.u32 {%x, %y}, [%a];" : access(random, space);
  return `${place} ${what}`;
};

/** Statements that fault where %q is true. */
const faults = {
  illegal: (random) => placed(random, illegalPlaces),
  misaligned: (random) => placed(random, misalignedPlaces),
  trap: () => "@%q trap;",
  brkpt: () => "@%q brkpt;",
  barrier: (random) =>
    pick(random, ["@%q bar.sync 14;", "@%q barrier.sync 14, 64;", "@%q bar.red.popc.u32 %x, 13, %q;"]),
  collective: (random) =>
    pick(random, [
      "@%q bar.warp.sync 0xffffffff;",
      "@%q vote.sync.ballot.b32 %x, %q, 0xffffffff;",
      "@%q shfl.sync.idx.b32 %x, %x, 0, 0x1f, 0x0000ffff;",
      "@%q redux.sync.add.u32 %x, %x, -1;",
    ]),
  stack: () => "{ .param .b32 n; st.param.b32 [n], %x; @%q call deeper, (n); }",
  alloca: (random) => `mov.u64 %b, ${pick(random, [600_000, 520_000, 262_144])}; @%q alloca.u64 %a, %b;`,
  endless: () => "SPIN: @%q bra SPIN;",
  pointer: (random) =>
    "{ PROTO: .callprototype _ (.param .b32 _); .param .b32 n; " +
    `${pick(random, ["mov.u64 %a, 0;", "mov.u64 %a, %in;", "mov.u64 %a, missing;", "mov.u64 %a, deeper; add.s64 %a, %a, 4;"])} ` +
    "st.param.b32 [n], %x; @%q call %a, (n), PROTO; }",
  undefined: () => "{ .param .b32 n; st.param.b32 [n], %x; @%q call missing, (n); }",
  table: () => "TABLE: .branchtargets ONE, TWO; mov.b32 %x, 7; @%q brx.idx %x, TABLE; ONE: TWO:",
  assert: () =>
    "{ .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s; mov.u64 %a, words; cvta.global.u64 %a, %a; " +
    "st.param.b64 [m], %a; st.param.b64 [f], %a; st.param.b32 [l], 7; st.param.b64 [n], %a; st.param.b64 [s], 1; " +
    "@%q call __assertfail, (m, f, l, n, s); }",
  free: () => "{ .param .b64 p; add.s64 %a, %slice, 4; st.param.b64 [p], %a; @%q call free, (p); }",
} as const satisfies Readonly<Record<string, (random: Random) => string>>;
export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as readonly FaultName[];

/** Which threads fault. */
function condition(random: Random, threads: number): string {
  const r = `%r${random.below(registerCounts.r)}`;
  return pick(random, [
    `setp.eq.u32 %q, %thread, ${random.below(threads)};`,
    `setp.ge.u32 %q, %thread, ${random.below(threads)};`,
    `and.b32 %x, %thread, 7; setp.eq.u32 %q, %x, ${random.below(8)};`,
    `and.b32 %x, ${r}, 31; setp.eq.u32 %q, %x, ${random.below(32)};`,
    `mov.pred %q, %p${random.below(registerCounts.p)};`,
    `setp.ge.u32 %q, %block, ${random.below(Math.max(1, Math.floor(threads / 64)))};`,
    "setp.eq.u32 %q, 0, 0;",
  ]);
}

function faultLine(random: Random, name: FaultName, threads: number, number: number): Line {
  const text = faults[name](random).replace(/\b(SPIN|PROTO|TABLE|ONE|TWO)\b/g, (label) => `L${label}${number}`);
  const registers =
    "{ .reg .pred %q; .reg .b32 %x, %y, %z, %u; .reg .b64 %a, %b, %w; mov.b32 %x, %thread; mov.b64 %w, %slice;";
  return line(`${registers} ${condition(random, threads)} mov.b32 %x, %thread; ${text} }`, "");
}

/** The kernel with one or two such statements of one kind, inserted anywhere. */
export function withFaults(kernel: KernelTree, only?: FaultName): KernelTree {
  const threads = threadsOf(kernel);
  const random = randomFrom(kernel.seed ^ 0x2545f491);
  for (let i = 0; i < 8; i++) random.below(2);
  const kind = only ?? pick(random, faultNames);
  const count = 1 + random.below(2);
  let faulty: KernelTree = {
    ...kernel,
    variables: line(`${DECLARATIONS}\n${kernel.variables.ptx}`, kernel.variables.c),
  };
  for (let i = 0; i < count; i++) {
    // Mostly in the kernel itself, which is the last function.
    const last = kernel.functions.length - 1;
    const chosen = chance(random, 65) ? last : random.below(last + 1);
    const fault = faultLine(random, kind, threads, i);
    const functions = faulty.functions.map((each, at) =>
      at === chosen ? { ...each, body: inserted(random, each.body, fault) } : each,
    );
    faulty = { ...faulty, functions };
  }
  return faulty;
}

/** The body with another line, somewhere in it or in a nested body. */
function inserted(random: Random, { nodes }: Body, added: Line): Body {
  const compounds = nodes.flatMap((node, i) =>
    "parts" in node && node.parts.some((part) => "nodes" in part) ? [i] : [],
  );
  if (compounds.length > 0 && chance(random, 60)) {
    const at = pick(random, compounds);
    return body(
      nodes.map((node, i) => {
        if (i !== at || !("parts" in node)) return node;
        const inner = node.parts.flatMap((part, p) => ("nodes" in part ? [p] : []));
        const chosen = pick(random, inner);
        return { parts: node.parts.map((part, p) => (p === chosen ? inserted(random, part as Body, added) : part)) };
      }),
    );
  }
  const at = random.below(nodes.length + 1);
  return body([...nodes.slice(0, at), added, ...nodes.slice(at)]);
}
