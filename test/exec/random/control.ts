// Statements with control flow: divergent branches, loops with bounds of their own in each lane, jump tables, graphs of
// blocks that jump to each other until a counter ends, and calls. A scope's mask follows its lanes, so that branches
// and loops may have warp operations.

import {
  type Builder,
  type Callee,
  chance,
  type Class,
  newLabel,
  newRegister,
  pick,
  ptxTypes,
  register,
  type Scope,
} from "./builder.js";
import { copies, meeting, wideAtomic } from "./async.js";
import { anyInstruction, matrix } from "./beyond.js";
import { access, atomic, count, floatAtomic, loadParameter } from "./memory.js";
import { fetchTexel } from "./textures.js";
import { body, type Body, compound, label, line, type Line, type Node } from "./tree.js";
import { instruction, refresh } from "./values.js";
import { departure, leave, regroup } from "./leave.js";
import { heap, print } from "./system.js";
import { blockOperation, crossing, parties, restOf, splitMask, warpOperation } from "./warp.js";

const DEEPEST = 3;

type Maker = (builder: Builder, scope: Scope) => Node;

/** The statements, their frequency, and where they are allowed. */
const statements: readonly (readonly [
  weight: number,
  make: Maker,
  fits: (scope: Scope, builder: Builder) => boolean,
])[] = [
  [60, instruction, () => true],
  [16, access, () => true],
  [4, atomic, () => true],
  [3, floatAtomic, () => true],
  [3, count, () => true],
  [3, refresh, () => true],
  [2, loadParameter, ({ callable }) => callable === Infinity],
  [5, print, ({ depth }, { threads, blocks }) => depth < 2 && threads * blocks < 2000],
  [1, heap, ({ depth }) => depth < 2],
  [14, warpOperation, ({ mask }) => mask !== undefined],
  [
    5,
    (builder, scope) => blockOperation(builder, () => some(builder, apart(builder, scope), 2)),
    ({ together }) => together,
  ],
  [2, crossed, ({ together, depth }) => together && depth < DEEPEST],
  [3, partiesOf, ({ mask, depth }) => mask !== undefined && depth < DEEPEST],
  [3, leave, ({ mayExit, mask }) => mayExit && mask === undefined],
  [
    2,
    (builder, scope) => departure(builder, (mask) => some(builder, deeper(scope, { ...parted, mask }), 3)),
    ({ mayExit, mask, together, callable }) => mayExit && mask === "full" && together && callable === Infinity,
  ],
  [6, branch, ({ depth }) => depth < DEEPEST],
  [2, uniformBranch, ({ depth }) => depth < DEEPEST],
  [4, loop, ({ depth }) => depth < DEEPEST],
  [2, uniformLoop, ({ depth }) => depth < DEEPEST],
  [2, jumpTable, ({ depth }) => depth < DEEPEST],
  [2, mesh, ({ depth }) => depth < DEEPEST - 1],
  [4, call, (scope, builder) => calleesIn(builder, scope).length > 0],
  [30, anyInstruction, (_, { beyond }) => beyond !== undefined],
  [70, matrix, ({ whole, callable }, { beyond }) => beyond !== undefined && whole && callable === Infinity],
  [4, copies, (_, { beyond }) => beyond !== undefined],
  [3, fetchTexel, (_, { beyond }) => beyond !== undefined],
  [3, wideAtomic, (_, { beyond }) => beyond !== undefined],
  [6, meeting, ({ together, mayExit }, { beyond }) => beyond !== undefined && together && !mayExit],
];

const deeper = (scope: Scope, change: Partial<Scope> = {}): Scope => ({ ...scope, depth: scope.depth + 1, ...change });
/** Where lanes need not be together. */
const alone = (scope: Scope): Scope => deeper(scope, { mask: undefined, whole: false, together: false });
/** With some of the lanes in a mask. */
const parted = { whole: false, together: false, mayExit: false } as const;
/** A scope for part of the block: either without a mask, so that threads may exit, or with a mask and without exits. */
const apart = ({ random }: Builder, scope: Scope): Scope =>
  scope.mayExit && chance(random, 50) ? alone(scope) : deeper(scope, { together: false, mayExit: false });

export function statement(builder: Builder, scope: Scope): Node {
  const fitting = statements.filter(([, , fits]) => fits(scope, builder));
  let left = builder.random.below(fitting.reduce((sum, [weight]) => sum + weight, 0));
  const [, make] = fitting.find(([weight]) => (left -= weight) < 0)!;
  const { exits } = builder.counters;
  const node = make(builder, scope);
  if (builder.counters.exits === exits || !scope.together) return node;
  return compound(body([node]), regroup);
}

/** Approximately that many statements, fewer at greater depth. */
export function some(builder: Builder, scope: Scope, about: number): Body {
  const count = 1 + builder.random.below(Math.max(1, Math.round((2 * about) / (1 + scope.depth))));
  return body(Array.from({ length: count }, () => statement(builder, scope)));
}

/**
 * The lanes for which `p` holds and the others, each with their mask; without masks if there is none, or threads exit.
 */
function bothSides(
  builder: Builder,
  scope: Scope,
  p: string,
): { readonly masks: readonly Line[]; readonly then: Scope; readonly otherwise: Scope } {
  if (scope.mask === undefined || (scope.mayExit && chance(builder.random, 50)))
    return { masks: [], then: alone(scope), otherwise: alone(scope) };
  const taken = splitMask(builder, scope.mask, p);
  const rest = restOf(builder, scope.mask, taken.name);
  const inside = (mask: string): Scope => deeper(scope, { ...parted, mask });
  return { masks: [taken.line, rest.line], then: inside(taken.name), otherwise: inside(rest.name) };
}

function branch(builder: Builder, scope: Scope): Node {
  const p = register(builder, "p");
  const [other, end] = [newLabel(builder), newLabel(builder)];
  const { masks, ...sides } = bothSides(builder, scope, p);
  const then = some(builder, sides.then, 5);
  const otherwise = chance(builder.random, 50) ? some(builder, sides.otherwise, 5) : body([]);
  return compound(
    ...masks,
    line(`@!%${p} bra ${other};`, `if (!${p}) goto ${other};`),
    then,
    line(`bra ${end};`, `goto ${end};`),
    label(other),
    otherwise,
    label(end),
  );
}

/** Both sides of a branch wait at one barrier of the block. */
function crossed(builder: Builder, scope: Scope): Node {
  const p = register(builder, "p");
  const { masks, ...sides } = bothSides(builder, scope, p);
  const sidesOf = [sides.then, sides.otherwise].map((side) => some(builder, side, 3)) as [Body, Body];
  return compound(...masks, ...crossing(builder, p, sidesOf));
}

/** The lanes stay together, but have masks that divide them: each exchanges with those in its own mask. */
function partiesOf(builder: Builder, scope: Scope): Node {
  const { lines, mask } = parties(builder, scope.mask!);
  const operations = Array.from({ length: 1 + builder.random.below(4) }, () =>
    chance(builder.random, 60)
      ? warpOperation(builder, { ...scope, whole: false, mask })
      : statement(builder, deeper(scope, { ...parted, mask })),
  );
  return compound(...lines, body(operations));
}

/** Depends on the block's index in the grid, so that lanes stay together. */
function uniformBranch(builder: Builder, scope: Scope): Node {
  const end = newLabel(builder);
  const [at, place] = pick(builder.random, [
    ["x", "index % GX"],
    ["x", "index % GX"],
    ["y", "index / GX % GY"],
    ["z", "index / (GX * GY)"],
  ] as const);
  const parity = builder.random.below(2);
  return compound(
    line(
      `{ .reg .b32 %x; .reg .pred %q; mov.u32 %x, %ctaid.${at}; and.b32 %x, %x, 1; setp.ne.u32 %q, %x, ${parity}; @%q bra.uni ${end}; }`,
      `if ((me->block->${place} & 1) != ${parity}) goto ${end};`,
    ),
    some(builder, deeper(scope), 5),
    label(end),
  );
}

function loop(builder: Builder, scope: Scope): Node {
  const [k, r] = [newRegister(builder, "k"), register(builder, "r")];
  const [head, end] = [newLabel(builder), newLabel(builder)];
  const breaks = chance(builder.random, scope.mayExit ? 60 : 30);
  const outer = breaks ? undefined : scope.mask;
  const mask = outer === undefined ? undefined : newRegister(builder, "m");
  const inside = mask === undefined ? alone(scope) : deeper(scope, { ...parted, mask });
  const stays = line(
    `{ .reg .pred %q; setp.ne.u32 %q, %${k}, 0; ${mask === undefined ? "" : `vote.sync.ballot.b32 %${mask}, %q, %${mask};`} @!%q bra ${end}; }`,
    `${mask === undefined ? "" : `${mask} = ballot(${k} != 0, ${mask});`} if (!${k}) goto ${end};`,
  );
  const p = register(builder, "p");
  return compound(
    line(`and.b32 %${k}, %${r}, 7;`, `${k} = ${r} & 7;`),
    ...(mask === undefined ? [] : [line(`mov.b32 %${mask}, %${outer};`, `${mask} = ${outer};`)]),
    label(head),
    stays,
    line(`sub.u32 %${k}, %${k}, 1;`, `${k}--;`),
    some(builder, inside, 5),
    ...(breaks ? [line(`@%${p} bra ${end};`, `if (${p}) goto ${end};`)] : []),
    some(builder, inside, 2),
    line(`bra ${head};`, `goto ${head};`),
    label(end),
  );
}

/** A loop with the same count in every lane, tested at the end. */
function uniformLoop(builder: Builder, scope: Scope): Node {
  const k = newRegister(builder, "k");
  const head = newLabel(builder);
  const times = 1 + builder.random.below(4);
  return compound(
    line(`mov.b32 %${k}, ${times};`, `${k} = ${times};`),
    label(head),
    some(builder, deeper(scope), 5),
    line(
      `{ .reg .pred %q; sub.u32 %${k}, %${k}, 1; setp.ne.u32 %q, %${k}, 0; @%q bra ${head}; }`,
      `if (--${k} != 0) goto ${head};`,
    ),
  );
}

function jumpTable(builder: Builder, scope: Scope): Node {
  const [r, end, table] = [register(builder, "r"), newLabel(builder), newLabel(builder)];
  const cases = Array.from({ length: 2 + builder.random.below(4) }, () => newLabel(builder));
  const n = cases.length;
  return compound(
    line(
      `${table}: .branchtargets ${cases.join(", ")}; rem.u32 %jump, %${r}, ${n}; brx.idx %jump, ${table};`,
      `switch (${r} % ${n}) { ${cases.map((name, i) => `case ${i}: goto ${name};`).join(" ")} }`,
    ),
    ...cases.flatMap((name) => [
      label(name),
      some(builder, alone(scope), 3),
      // Some lanes fall through.
      ...(chance(builder.random, 70) ? [line(`bra ${end};`, `goto ${end};`)] : []),
    ]),
    label(end),
  );
}

/** Blocks that jump to any other: irreducible control flow. */
function mesh(builder: Builder, scope: Scope): Node {
  const { random } = builder;
  const [fuel, r, end] = [newRegister(builder, "k"), register(builder, "r"), newLabel(builder)];
  const blocks = Array.from({ length: 2 + random.below(4) }, () => newLabel(builder));
  const anywhere = [...blocks, ...blocks, end];
  return compound(
    line(`and.b32 %${fuel}, %${r}, 15;`, `${fuel} = ${r} & 15;`),
    ...blocks.flatMap((name) => {
      const [p, target] = [register(builder, "p"), pick(random, anywhere)];
      const next = pick(random, anywhere);
      return [
        label(name),
        line(
          `{ .reg .pred %q; setp.eq.u32 %q, %${fuel}, 0; @%q bra ${end}; sub.u32 %${fuel}, %${fuel}, 1; }`,
          `if (${fuel} == 0) goto ${end}; ${fuel}--;`,
        ),
        some(builder, alone(scope), 3),
        line(`@%${p} bra ${target};`, `if (${p}) goto ${target};`),
        ...(chance(random, 50) ? [line(`bra ${next};`, `goto ${next};`)] : []),
      ];
    }),
    label(end),
  );
}

// ---------------------------------------------------------------------------------------------------------------- calls

const calleesIn = ({ callees }: Builder, { callable, mask, mayExit }: Scope): readonly Callee[] =>
  callees
    .slice(0, callable)
    .filter(({ collective, leaves }) => (!collective || mask !== undefined) && (!leaves || mayExit));

const signature = ({ parameters, result, collective }: Callee): string =>
  `${parameters.join("")}:${result}:${collective}`;

function call(builder: Builder, scope: Scope): Node {
  const { random } = builder;
  const callees = calleesIn(builder, scope);
  const callee = pick(random, callees);
  if (scope.mayExit) builder.counters.exits++;
  const args = callee.parameters.map((of) => register(builder, of));
  const d = register(builder, callee.result);
  const alike = callees.filter(
    (each) => each !== callee && !callee.collective && signature(each) === signature(callee),
  );
  if (alike.length === 0 || chance(random, 40)) return callOf(builder, [callee], args, d, scope.mask);
  return callOf(builder, [callee, pick(random, alike)], args, d, scope.mask);
}

/** A call of one function, or of one of two, chosen by a register's lowest bit. */
export function callOf(
  builder: Builder,
  choice: readonly Callee[],
  args: readonly string[],
  d: string,
  mask: string | undefined,
): Node {
  const [callee, other] = choice as [Callee, Callee?];
  const passed = [
    ...["slice", "sslice"].map((name) => ({ name, type: "b64" })),
    ...args.map((name, i) => ({ name, type: ptxTypes[callee.parameters[i]!] })),
    ...(callee.collective ? [{ name: mask!, type: "b32" }] : []),
  ];
  const result = ptxTypes[callee.result];
  const declared = passed.map(({ type }, i) => `.param .${type} a${i};`).join(" ");
  const stored = passed.map(({ name, type }, i) => `st.param.${type} [a${i}], %${name};`).join(" ");
  const list = passed.map((_, i) => `a${i}`).join(", ");
  const cList = passed
    .slice(2)
    .map(({ name }) => name)
    .join(", ");
  const target = other === undefined ? callee.name : "%f";
  const r = register(builder, "r");
  const prototype = newLabel(builder);
  const select =
    other === undefined
      ? ""
      : `.reg .b64 %f, %g; .reg .b32 %x; .reg .pred %q; mov.u64 %f, ${callee.name}; mov.u64 %g, ${other.name}; ` +
        `and.b32 %x, %${r}, 1; setp.ne.u32 %q, %x, 0; selp.b64 %f, %f, %g, %q; ` +
        `${prototype}: .callprototype (.param .${result} _) _ (${passed.map(({ type }) => `.param .${type} _`).join(", ")}); `;
  const proto = other === undefined ? "" : `, ${prototype}`;
  return line(
    `{ ${select}${declared} .param .${result} back; ${stored} call (back), ${target}, (${list})${proto}; ld.param.${result} %${d}, [back]; }`,
    other === undefined
      ? `${d} = ${callee.name}(${cList});`
      : `${d} = (${r} & 1 ? ${callee.name} : ${other.name})(${cList});`,
  );
}

export const classes: readonly Exclude<Class, "p">[] = ["h", "r", "l"];
