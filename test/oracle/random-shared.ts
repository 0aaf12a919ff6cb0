// Programs about ties: shared variables of two sizes, of modules and of functions' bodies, beside all that the order of a module's
// functions depends on: addresses of functions in code and in data, calls through registers, static and weak functions, and
// definitions that come in another order than declarations. Whatever has an address taken is looked at, and every static function is
// called, because ptxas leaves the others out. A seed makes the same programs everywhere.

import type { LinkCase } from "./link-cases.js";
import { randomFrom, type Random } from "./random.js";

/** `count` programs of two to five modules. */
export const randomShared = (seed: number, count: number): readonly LinkCase[] =>
  Array.from({ length: count }, (_, i) => {
    const random = randomFrom(seed * 100_000 + i);
    const plans = planModules(random);
    return { name: `ties ${seed * 100_000 + i}`, bodies: plans.map((plan) => bodyOf(plan, random)) };
  });

type Linkage = ".visible " | ".weak " | "";

interface ModulePlan {
  readonly number: number;
  readonly functions: ReadonlyMap<string, Linkage>;
  /** Functions of other modules that it declares. */
  readonly foreign: readonly string[];
  /** Declarations of shared variables, by name. */
  readonly shared: ReadonlyMap<string, string>;
  /** Declarations of variables with a function's address, by name. */
  readonly tables: ReadonlyMap<string, string>;
}

const linkages: readonly Linkage[] = [".visible ", ".weak ", ""];

function planModules(random: Random): readonly ModulePlan[] {
  const { below, pick } = random;
  const numbers = Array.from({ length: 2 + below(4) }, (_, m) => m);
  /** Functions that one module defines, and others, too, as .weak ones. */
  const owners = new Map(Array.from({ length: below(3) }, (_, i) => [`strong${i}`, pick(numbers)!]));
  const functionsOf = numbers.map((m) => {
    const functions = new Map<string, Linkage>();
    for (let f = 2 + below(6); f > 0; f--) {
      const linkage = pick(linkages)!;
      // Static ones are of several modules. Weak ones of several are not: nvlink takes the one with the fewest registers.
      const name = linkage === "" ? `static${f}` : `f${m}_${f}`;
      functions.set(name, linkage);
    }
    for (const [name, owner] of owners)
      if (owner === m || below(3) === 0) functions.set(name, owner === m ? ".visible " : ".weak ");
    return functions;
  });
  const visible = functionsOf.flatMap((functions) =>
    [...functions].flatMap(([name, linkage]) => (linkage === ".visible " ? [name] : [])),
  );
  const wide = Array.from({ length: below(4) }, (_, i) => ({
    name: `wide${i}`,
    linkage: pick([".visible ", ".weak "])!,
    words: 1 + below(2),
    owner: pick(numbers)!,
  }));
  const hasDynamic = below(2) === 0;
  return functionsOf.map((functions, number): ModulePlan => {
    const foreign = visible.filter((name) => !functions.has(name) && below(2) === 0);
    const shared = new Map<string, string>();
    for (const { name, linkage, words, owner } of wide) {
      const isOwn = owner === number || (linkage === ".weak " && below(2) === 0);
      if (isOwn || below(2) === 0) shared.set(name, `${isOwn ? linkage : ".extern "}.shared .b32 ${name}[${words}];`);
    }
    for (let i = below(3); i > 0; i--) shared.set(`own${i}`, `.shared .b32 own${i}[${1 + below(2)}];`);
    if (hasDynamic && below(2) === 0)
      for (const name of below(2) === 0 ? ["dynamic"] : ["dynamic", "more"])
        shared.set(name, `.extern .shared .align ${pick([4, 8, 16])} .b8 ${name}[];`);
    const tables = new Map<string, string>();
    for (let i = below(3); i > 0; i--) {
      const name = below(2) === 0 ? `table${i}` : `table${i}_${number}`;
      const linkage = name.endsWith(`_${number}`) ? ".visible " : "";
      tables.set(name, `${linkage}.global .u64 ${name} = ${pick([...functions.keys(), ...foreign])};`);
    }
    return { number, functions, foreign, shared, tables };
  });
}

function bodyOf(plan: ModulePlan, random: Random): string {
  const { number, functions, foreign, shared, tables } = plan;
  const items = [
    ...Array.from(functions, ([name, linkage]) => `${linkage}.func ${name}() ${randomBody(plan, random)}`),
    ...Array.from(
      { length: random.below(3) },
      (_, i) => `.visible .entry k${i}_${number}() ${randomBody(plan, random)}`,
    ),
    `.visible .entry all_${number}() ${wholeBody(plan)}`,
  ];
  return [
    `.visible .global .u64 seen${number};`,
    ...foreign.map((name) => `.extern .func ${name}();`),
    ...shared.values(),
    ...Array.from(functions, ([name, linkage]) => `${linkage}.func ${name}();`),
    ...tables.values(),
    ...shuffled(items, random),
  ].join("\n");
}

const block = (lines: readonly string[]): string => `{ .reg .u64 %q; ${lines.join(" ")} ret; }`;

const seen = ({ number }: ModulePlan, name: string): string =>
  `mov.u64 %q, ${name}; st.volatile.global.u64 [seen${number}], %q;`;

function randomBody(plan: ModulePlan, { below, pick }: Random): string {
  const callees = [...plan.functions.keys(), ...plan.foreign];
  const inner = Array.from({ length: below(3) }, (_, i) => `inner${i}`);
  const actions: readonly ((i: number) => string)[] = [
    () => `call ${pick(callees)};`,
    () => `call ${pick(callees)};`,
    () => seen(plan, pick(callees)!),
    () => seen(plan, pick([...plan.tables.keys(), ...callees])!),
    (i) => `ld.volatile.global.u64 %q, [seen${plan.number}]; P${i}: .callprototype _ (); call %q, (), P${i};`,
    () => seen(plan, pick([...inner, ...plan.shared.keys(), ...callees])!),
    () => seen(plan, pick([...inner, ...plan.shared.keys(), ...callees])!),
  ];
  return block([
    ...inner.map((name) => `.shared .b32 ${name}[${1 + below(2)}];`),
    ...Array.from({ length: below(4) }, (_, i) => pick(actions)!(i)),
  ]);
}

/** Calls every static function, and looks at every variable with an address. */
const wholeBody = (plan: ModulePlan): string =>
  block([
    ...Array.from(plan.functions, ([name, linkage]) => (linkage === "" ? `call ${name};` : "")),
    ...Array.from(plan.tables.keys(), (name) => seen(plan, name)),
  ]);

function shuffled<T>(items: readonly T[], { below }: Random): readonly T[] {
  const left = [...items];
  return items.map(() => left.splice(below(left.length), 1)[0]!);
}
