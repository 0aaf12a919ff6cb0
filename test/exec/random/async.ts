// Memory operations that are not translated to C: asynchronous copies and the waits for them, barriers in memory,
// atomics on 128 bits and on vectors. Copies are between places of one thread, and nothing reads these before the wait.

import { silent, TILE_BYTES } from "./beyond.js";
import { type Builder, chance, distinct, newLabel, pick, register } from "./builder.js";
import { address, scoped, SLICE_BYTES, spaces } from "./memory.js";
import { body, compound, type Line, type Node } from "./tree.js";
import { instruction } from "./values.js";

const PIECE = 16;

/** At module scope: tiles of warps (beyond.ts), a barrier, and the destination of bulk copies for the whole block. */
export const beyondVariables = (threads: number): readonly string[] => [
  `.shared .align 128 .b8 tiles[${TILE_BYTES * Math.ceil(threads / 32)}];`,
  ".shared .align 8 .b64 gate;",
  ".shared .align 16 .b8 delivered[256];",
];

// -------------------------------------------------------------------------------------------------------------- copies

/** Copies fill parts of the thread's slice of shared memory, and then some of it is read. */
export function copies(builder: Builder): Node {
  return chance(builder.random, 60) ? smallCopies(builder) : bulkCopy(builder);
}

function smallCopies(builder: Builder): Node {
  const { random } = builder;
  const [first, count] = [random.below(4), 1 + random.below(4)];
  const pieces = Array.from({ length: count }, (_, i) => PIECE * ((first + i) % (SLICE_BYTES / PIECE)));
  const groups = chance(random, 70);
  const lines = pieces.map((piece) => {
    const size = pick(random, [4, 8, 16, 16]);
    const cached = size === 16 && chance(random, 40) ? "cg" : "ca";
    const used = register(builder, "r");
    const limit = pick(random, ["", "", `, ${random.below(size + 1)}`, ", %x", ", %q"]);
    const given = limit === ", %x" ? `and.b32 %x, %${used}, ${size - 1};` : "";
    const ignore = limit === ", %q" ? `setp.lt.s32 %q, %${used}, 0;` : "";
    const from = chance(random, 50)
      ? `%slice+${size * random.below(SLICE_BYTES / size)}`
      : `%in+${size * random.below(1024 / size)}`;
    const [to, space] = chance(random, 70) ? ["%sslice", ".shared"] : ["%sslice", ".shared::cta"];
    return silent(
      `{ .reg .b32 %x; .reg .pred %q; ${given} ${ignore} cp.async.${cached}${space}.global [${to}+${piece}], [${from}], ${size}${limit}; ` +
        `${groups ? "cp.async.commit_group; " : ""}}`,
    );
  });
  const between = body(Array.from({ length: random.below(3) }, () => instruction(builder)));
  // The last few groups may still be in flight.
  const left = groups ? random.below(count) : 0;
  const wait = groups ? `cp.async.wait_group ${left};` : "cp.async.wait_all;";
  const [a, b] = distinct(builder, "l", 2);
  return compound(
    ...lines,
    between,
    silent(`${wait} ld.shared.v2.b64 {%${a}, %${b}}, [%sslice+${pieces[0]!}];`),
    ...(left === 0 ? [] : [silent(`cp.async.wait_all; ld.shared.b64 %${a}, [%sslice+${pieces.at(-1)!}];`)]),
  );
}

const reductions = [
  "add.u32",
  "add.s32",
  "add.u64",
  "min.u32",
  "max.s32",
  "min.s64",
  "inc.u32",
  "dec.u32",
  "and.b32",
  "or.b64",
  "xor.b64",
  "add.noftz.f16",
  "min.bf16",
  "max.f16",
  "add.f32",
];

/** Copies from a thread's shared slice to its global one, or adds to it. */
function bulkCopy({ random }: Builder): Line {
  const size = PIECE * (1 + random.below(SLICE_BYTES / PIECE));
  const at = (): number => PIECE * random.below((SLICE_BYTES - size) / PIECE + 1);
  const operation = pick(random, ["", "", ...reductions]);
  const opcode =
    operation === ""
      ? "cp.async.bulk.global.shared::cta.bulk_group"
      : `cp.reduce.async.bulk.global.shared::cta.bulk_group.${operation}`;
  const read = chance(random, 30) ? "cp.async.bulk.wait_group.read 0; " : "";
  return silent(
    `fence.proxy.async; ${opcode} [%slice+${at()}], [%sslice+${at()}], ${size}; cp.async.bulk.commit_group; ${read}cp.async.bulk.wait_group 0;`,
  );
}

// ------------------------------------------------------------------------------------------------------------ barriers

/** The block meets at a barrier in memory, once or more: arriving threads store, and all read after the phase. */
export function meeting(builder: Builder): Node {
  const { random, threads } = builder;
  const bulk = chance(random, 50);
  const some = threads > 32 && chance(random, 40);
  const arriving = some ? 1 + random.below(threads - 1) : threads;
  const drops = chance(random, 15);
  const phases = drops ? 1 : 1 + random.below(3);
  const size = PIECE * (1 + random.below(16));
  const lines = Array.from({ length: phases }, (_, phase): Line => {
    const [d, e, a, b] = [
      register(builder, "l"),
      register(builder, "l"),
      register(builder, "l"),
      register(builder, "r"),
    ];
    const [again, past] = [newLabel(builder), newLabel(builder)];
    const sem = pick(random, ["", "", ".release.cta", ".relaxed.cta"]);
    const parity = some || chance(random, 50);
    const waits = pick(random, ["test_wait", "try_wait"]);
    const wait = parity
      ? `mbarrier.${waits}.parity.shared.b64 %q, [gate], ${phase & 1};`
      : `mbarrier.${waits}.shared.b64 %q, [gate], %s;`;
    const arrive = drops ? "arrive_drop" : "arrive";
    const state = parity && chance(random, 50) ? "_" : "%s";
    const plain = `mbarrier.${arrive}${sem}.shared.b64 ${state}, [gate];`;
    const delivery = bulk
      ? `setp.ne.u32 %q, %self, 0; @%q bra ${past}P; ` +
        `mbarrier.expect_tx.relaxed.cta.shared.b64 [gate], ${size}; ` +
        `cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [delivered], [%b], ${size}, [gate]; ${past}P: `
      : "";
    return silent(
      `{ .reg .b64 %s, %a, %b; .reg .b32 %x; .reg .pred %q, %t; setp.ge.u32 %t, %self, ${arriving}; add.s64 %b, %in, ${PIECE * random.below((1024 - size) / PIECE + 1)}; ` +
        `@%t bra ${past}; st.shared.b64 [%swap], %${a}; ${delivery}${plain} ${past}: ` +
        `${again}: ${wait} @!%q bra ${again}; rem.u32 %x, %${b}, ${arriving}; mad.wide.u32 %a, %x, 8, %swaps; ld.shared.b64 %${d}, [%a]; ` +
        `${bulk ? `and.b32 %x, %self, ${size - 1 < 16 ? 8 : 24 & (size - 1)}; cvt.u64.u32 %a, %x; mov.u64 %s, delivered; add.s64 %a, %a, %s; ld.shared.b64 %${e}, [%a]; ` : ""}bar.sync 0; }`,
    );
  });
  const first = newLabel(builder);
  const only = (what: string, name: string): Line =>
    silent(`{ .reg .pred %q; setp.ne.u32 %q, %self, 0; @%q bra ${name}; ${what} ${name}: bar.sync 0; }`);
  return compound(
    silent("bar.sync 0;"),
    only(`mbarrier.init.shared.b64 [gate], ${arriving};`, first),
    ...lines,
    only("mbarrier.inval.shared.b64 [gate];", newLabel(builder)),
  );
}

// ------------------------------------------------------------------------------------------------------------- atomics

const vectors = [
  ["add.v2.f32", "r", 2],
  ["add.v4.f32", "r", 4],
  ["add.noftz.v2.f16", "h", 2],
  ["add.noftz.v4.bf16", "h", 4],
  ["min.noftz.v8.f16", "h", 8],
  ["max.noftz.v2.bf16x2", "r", 2],
  ["add.noftz.v4.f16x2", "r", 4],
] as const;

/** On the thread's own slice: exchanges of 128 bits, and atomics on vectors of floats. */
export function wideAtomic(builder: Builder): Line {
  const { random } = builder;
  const order = pick(random, ["", "", ".relaxed.gpu", ".acq_rel.cta"]);
  if (chance(random, 50)) {
    const [operation, of, count] = pick(random, vectors);
    const bytes = count * (of === "r" ? 4 : 2);
    const { before, at } = address(builder, SLICE_BYTES, bytes, "%slice");
    const list = (): string =>
      `{${distinct(builder, of, count)
        .map((name) => `%${name}`)
        .join(", ")}}`;
    return chance(random, 60)
      ? silent(scoped(`${before} atom${order}.global.${operation} ${list()}, ${at}, ${list()};`))
      : silent(scoped(`${before} red${order.replace(".acq_rel", ".relaxed")}.global.${operation} ${at}, ${list()};`));
  }
  const space = pick(random, spaces.slice(0, 2));
  const name = pick(random, [space.instruction[0]!, ""]);
  const { before, at } = address(builder, SLICE_BYTES, 16, name === "" ? space.generic : space.ptx);
  const [a, b] = distinct(builder, "l", 2);
  const [x, y] = distinct(builder, "l", 2);
  const wide = `.reg .b128 %w, %v, %o; mov.b128 %w, {%${x}, %${y}};`;
  // Every other time the current value is the one compared with.
  const compared = chance(random, 50) ? `ld${name}.v2.b64 {%${a}, %${b}}, ${at};` : "";
  const operation = chance(random, 50)
    ? `atom${order}${name}.exch.b128 %o, ${at}, %w;`
    : `${compared} mov.b128 %v, {%${a}, %${b}}; atom${order}${name}.cas.b128 %o, ${at}, %v, %w;`;
  return silent(scoped(`${wide} ${before} ${operation} mov.b128 {%${a}, %${b}}, %o;`));
}
