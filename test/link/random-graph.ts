// Random sets of modules for --gc-sections. The generator knows all references, and finds dead code by iteration to a
// fixed point. Each item is one line of its module, so that removing one does not move the others.

import fc from "fast-check";
import { moduleText } from "./build.js";

const kinds = ["global", "table", "const", "shared", "texref", "common", "func", "kernel", "alias"] as const;
/** Most items are of these kinds. */
const common = ["global", "func"] as const;
type Kind = (typeof kinds)[number];

interface Item {
  readonly kind: Kind;
  readonly module: number;
  readonly isStatic: boolean;
  /** Another module with a weak definition of the same name; then the item itself is weak, too. */
  readonly copy: number | undefined;
  readonly size: number;
  readonly align: number;
  /** Indices of items, modulo their number. */
  readonly refs: readonly number[];
  /**
   * For functions and kernels: whether they call through a register, and whether they take addresses instead of
   * calling.
   */
  readonly isIndirect: boolean;
  readonly takesAddresses: boolean;
}

export interface RandomSet {
  readonly modules: readonly string[];
  /** The modules without dead code; undefined if nothing is left. */
  readonly left: readonly (string | undefined)[];
  /** Live names, and direct references between names. */
  readonly live: ReadonlySet<string>;
  readonly edges: ReadonlyMap<string, ReadonlySet<string>>;
  readonly names: readonly string[];
}

const MODULES = 4;
const index = fc.nat({ max: 60 });

const itemOf = (some: readonly Kind[]): fc.Arbitrary<Item> =>
  fc.record({
    kind: fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(...some) },
      { weight: 1, arbitrary: fc.constantFrom(...common) },
    ),
    module: fc.nat({ max: MODULES - 1 }),
    isStatic: fc.boolean(),
    copy: fc.option(fc.nat({ max: MODULES - 1 }), { nil: undefined, freq: 3 }),
    // Few sizes, so that many variables tie in the order of their section.
    size: fc.integer({ min: 1, max: 3 }),
    align: fc.constantFrom(4, 16),
    refs: fc.array(index, { maxLength: 3 }),
    isIndirect: fc.boolean(),
    takesAddresses: fc.boolean(),
  });

const setsOf = (some: readonly Kind[]): fc.Arbitrary<RandomSet> =>
  fc.array(itemOf(some), { minLength: 2, maxLength: 40 }).map(makeSet);

export const randomSets = setsOf(kinds);

const isCode = ({ kind }: Item): boolean => kind === "func" || kind === "kernel" || kind === "alias";
const nameOf = (i: number): string => `s${i}`;

function makeSet(items: readonly Item[]): RandomSet {
  const refsOf = items.map((each, i) => referencesOf(items, each, i));
  const linkage = items.map(({ kind, copy, isStatic, module }) => {
    if (kind === "kernel") return "visible";
    if (kind === "common") return "common";
    if (copy !== undefined && copy !== module && kind !== "texref" && kind !== "alias") return "weak";
    return isStatic && kind !== "alias" ? "static" : "visible";
  });
  const placesOf = items.map(({ module, copy }, i) =>
    linkage[i] === "weak" || (linkage[i] === "common" && copy !== undefined)
      ? [...new Set([module, copy!])].sort((a, b) => a - b)
      : [module],
  );
  const isSeen = (from: number, to: number): boolean =>
    linkage[to] !== "static" || placesOf[from]!.every((module) => module === items[to]!.module);
  const seen = refsOf.map((refs, i) => {
    const all = refs.filter((to) => isSeen(i, to));
    return items[i]!.kind === "table" ? all.slice(0, items[i]!.size) : all;
  });

  // Finds dead items: marks until nothing changes.
  const live = new Set(
    items.flatMap(({ kind }, i) => (kind === "kernel" || (linkage[i] === "visible" && !isCode(items[i]!)) ? [i] : [])),
  );
  for (let before = -1; before !== live.size;) {
    before = live.size;
    items.forEach((_, i) => live.has(i) && seen[i]!.forEach((to) => live.add(to)));
  }

  const texts = Array.from({ length: MODULES }, (_, module) => {
    const own = items.flatMap((_, i) => (placesOf[i]!.includes(module) ? [i] : []));
    const winsIn = (i: number): boolean => placesOf[i]![0] === module;
    const stays = (i: number): boolean => live.has(i) && winsIn(i);
    const needed = new Set(own.filter(stays).flatMap((i) => seen[i]!));
    const foreign = [...new Set(own.flatMap((i) => seen[i]!))].filter((i) => !own.includes(i)).sort((a, b) => a - b);
    const full: string[] = [];
    const left: string[] = [];
    const line = (text: string, rest: string): void => void [full.push(text), left.push(rest)];
    for (const i of foreign) {
      const text = declaration(items[i]!, i);
      line(text, needed.has(i) ? text : "");
    }
    for (const i of own) {
      const each = items[i]!;
      if (!isCode(each) || !isThere(items, i)) continue;
      const text = `${linkageText(linkage[i]!)}${prototype(each, i)};`;
      line(text, stays(i) ? text : needed.has(i) ? declaration(each, i) : "");
    }
    // Code must follow the declarations of what it names, and an alias its target.
    const rank = (i: number): number => (items[i]!.kind === "alias" ? 2 : isCode(items[i]!) ? 1 : 0);
    for (const i of own.toSorted((a, b) => rank(a) - rank(b))) {
      const each = items[i]!;
      const text = definition(items, each, i, seen[i]!, linkage[i]!);
      line(text, stays(i) ? text : !isCode(each) && needed.has(i) ? declaration(each, i) : "");
    }
    const remains = left.some((each) => each !== "");
    return { full: moduleText(full.join("\n")), left: remains ? moduleText(left.join("\n")) : undefined };
  });
  return {
    modules: texts.map(({ full }) => full),
    left: texts.map(({ left }) => left),
    live: new Set([...live].map(nameOf)),
    edges: new Map(seen.map((to, i) => [nameOf(i), new Set(to.map(nameOf))])),
    names: items.map((_, i) => nameOf(i)),
  };
}

/**
 * What an item may refer to: a table to global memory and functions, an alias to a function of its module, code to
 * everything.
 */
function referencesOf(items: readonly Item[], { kind, module, refs }: Item, i: number): readonly number[] {
  const to = [...new Set(refs.map((ref) => ref % items.length))];
  switch (kind) {
    case "table":
      // An initialiser must follow the declarations of what it names.
      return to.filter((ref) => {
        const other = items[ref]!;
        return other.kind === "func" || (ref < i && ["global", "table", "common"].includes(other.kind));
      });
    case "alias": {
      const target = items.findIndex(
        (each) => each.kind === "func" && each.module === module && (each.copy ?? module) === module,
      );
      return target === -1 ? [] : [target];
    }
    case "func":
    case "kernel":
      return to.filter((ref) => ref !== i && items[ref]!.kind !== "kernel" && isThere(items, ref));
    default:
      return [];
  }
}

/** An alias without a possible target is omitted. */
const isThere = (items: readonly Item[], i: number): boolean =>
  items[i]!.kind !== "alias" || referencesOf(items, items[i]!, i).length > 0;

const linkageText = (linkage: string): string => (linkage === "static" ? "" : `.${linkage} `);
const prototype = ({ kind }: Item, i: number): string => `.${kind === "kernel" ? "entry" : "func"} ${nameOf(i)}()`;

function variable({ kind, size, align }: Item, i: number): string {
  switch (kind) {
    case "texref":
      return `.global .texref ${nameOf(i)}`;
    case "table":
      return `.global .align ${Math.max(align, 8)} .u64 ${nameOf(i)}[${size}]`;
    case "const":
    case "shared":
      return `.${kind} .align ${align} .u32 ${nameOf(i)}[${size}]`;
    default:
      return `.global .align ${align} .u32 ${nameOf(i)}[${size}]`;
  }
}

const declaration = (each: Item, i: number): string =>
  `.extern ${isCode(each) ? prototype(each, i) : variable(each, i)};`;

function definition(items: readonly Item[], each: Item, i: number, refs: readonly number[], linkage: string): string {
  switch (each.kind) {
    case "alias":
      return refs.length === 0 ? "" : `.alias ${nameOf(i)}, ${nameOf(refs[0]!)};`;
    case "func":
    case "kernel":
      return `${linkageText(linkage)}${prototype(each, i)} { ${codeText(items, each, refs)} ret; }`;
    case "table": {
      const values = refs.map((to, n) => (isCode(items[to]!) || n === 0 ? nameOf(to) : `generic(${nameOf(to)})`));
      return `${linkageText(linkage)}${variable(each, i)} = {${values.length === 0 ? i + 1 : values.join(", ")}};`;
    }
    case "const":
      return `${linkageText(linkage)}${variable(each, i)} = {${i + 1}};`;
    default:
      return `${linkageText(linkage)}${variable(each, i)};`;
  }
}

function codeText(items: readonly Item[], { isIndirect, takesAddresses, size }: Item, refs: readonly number[]): string {
  const uses = refs.map((to) => {
    const { kind } = items[to]!;
    if (kind === "texref") return `tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [${nameOf(to)}, {%r}];`;
    if (!isCode(items[to]!)) return `mov.u64 %d, ${nameOf(to)};`;
    return `${takesAddresses ? `mov.u64 %d, ${nameOf(to)};` : ""}${takesAddresses && size % 2 === 0 ? "" : `call ${nameOf(to)};`}`;
  });
  const indirect = isIndirect ? "P: .callprototype _ (); call %d, P;" : "";
  return `.reg .b64 %d; .reg .b32 %r; .reg .f32 %f<4>; ${uses.join(" ")}${indirect}`;
}
