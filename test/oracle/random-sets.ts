// Sets of modules made from a seed, for holding a whole link against nvlink: names that modules share in every mixture of
// linkages, all types and initialiser forms, functions that call each other with parameters, shared memory of every kind,
// several kernels. One set in six has a fault (two definitions, two sizes, spaces, prototypes, nothing that defines a name),
// so that refusals are compared too. Where random-layouts.ts is about where bytes stand, this is about what a name means.
// Left out is where we differ on purpose (docs/differences.md, "The linker"): narrow holders of addresses, .common beside .weak
// or beside a definition without a value, commons of two alignments, a weak .shared variable or a weak
// one without a value before the strong one.

import type { LinkCase } from "./link-cases.js";
import { randomFrom, type Random } from "./random.js";

/** `count` sets; the same for a seed everywhere. */
export function randomSets(seed: number, count: number): readonly LinkCase[] {
  return Array.from({ length: count }, (_, i) => randomSet(seed * 100_000 + i));
}

type Linkage = "strong" | "weak" | "common" | "extern" | "static";

/** A variable as every module that has it writes it, but for linkage and value. */
interface Shape {
  readonly name: string;
  readonly space: "global" | "const" | "shared";
  readonly type: string;
  readonly vector: string;
  readonly dimensions: readonly number[];
  readonly align: number;
  readonly managed: boolean;
}

interface Callee {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly returns: string | undefined;
}

/** What may be named by an initialiser or an instruction further down in the module. */
interface Scope {
  readonly lines: string[];
  readonly variables: Shape[];
  readonly callees: Callee[];
  /** Static functions, which the last kernel calls: ptxas leaves out those that nothing calls. */
  readonly statics: Callee[];
}

const bytesOfType: Readonly<Record<string, number>> = {
  b8: 1, u8: 1, s8: 1, b16: 2, u16: 2, s16: 2, b32: 4, u32: 4, s32: 4, f32: 4, b64: 8, u64: 8, s64: 8, f64: 8,
}; // prettier-ignore
/** Addresses go into .u64, and their masked bytes into .u8, so those are drawn more often. */
const types = [...Object.keys(bytesOfType), "u64", "u64", "u64", "u64", "u8"];
const words: Readonly<Record<Exclude<Linkage, "static">, string>> = {
  strong: ".visible ",
  weak: ".weak ",
  common: ".common ",
  extern: ".extern ",
};

const must = <T>(value: T | undefined): T => value!;

function randomSet(seed: number): LinkCase {
  const random = randomFrom(seed);
  const { below } = random;
  const chance = (outOf: number): boolean => below(outOf) === 0;
  const count = 1 + below(4);
  const scopes = Array.from({ length: count }, (): Scope => ({ lines: [], variables: [], callees: [], statics: [] }));
  const everywhere = (what: (scope: Scope, m: number) => void): void => scopes.forEach(what);

  for (let i = below(4); i >= 0; i--) {
    const shape = randomShape(`g${i}`, random, pickSpace(random));
    const linkages = shareOut(random, shape.space, count);
    const strong = linkages.indexOf("strong");
    everywhere((scope, m) => {
      const mustHaveValue = linkages.includes("common") || m < strong;
      if (linkages[m] !== undefined) declare(scope, shape, linkages[m], random, mustHaveValue);
    });
  }
  for (let i = below(3); i > 0; i--) {
    const callee = randomCallee(`f${i}`, random);
    const linkages = shareOut(random, "code", count);
    everywhere((scope, m) => {
      const isReplaced = linkages[m] === "weak" && m < linkages.indexOf("strong");
      if (linkages[m] !== undefined) declareFunction(scope, callee, linkages[m], random, !isReplaced);
    });
  }
  everywhere((scope, m) => {
    for (let i = below(4); i > 0; i--) {
      const own = chance(3) ? `own${i}` : `own${i}_${m}`;
      declare(
        scope,
        randomShape(own, random, pickSpace(random)),
        chance(2) || own === `own${i}` ? "static" : "strong",
        random,
      );
    }
    if (chance(4)) scope.lines.push(".extern .shared .align 16 .b8 dynamic[];");
    if (chance(6)) scope.lines.push(`.${must(random.pick(["visible ", "weak "]))}.global .texref tex;`);
    if (chance(3)) declareFunction(scope, randomCallee("helper", random), "static", random);
    for (let k = below(3); k >= 0; k--) scope.lines.push(kernel(`k${k}_${m}`, scope, random, k === 0));
  });
  if (chance(6)) must(random.pick(faults))(scopes, random);
  return { name: `set ${seed}`, bodies: scopes.map(({ lines }) => lines.join("\n")) };
}

const pickSpace = (random: Random): Shape["space"] =>
  must(random.pick(["global", "global", "global", "const", "shared"]));

/** Who says what of a name, such that something defines it. */
function shareOut(random: Random, space: Shape["space"] | "code", count: number): readonly (Linkage | undefined)[] {
  const kind = space === "global" ? must(random.pick(["weak", "common"] as const)) : "weak";
  const linkages = Array.from({ length: count }, () =>
    random.pick<Linkage | undefined>([kind, kind, "extern", "static", undefined]),
  );
  const strong = random.below(2) === 0 ? random.below(count) : -1;
  if (strong !== -1) linkages[strong] = "strong";
  const isDefined = linkages.some((each) => each === "strong" || each === kind);
  return linkages.map((each, m) => {
    if (each === "extern" && !isDefined) return undefined;
    return space === "shared" && each === "weak" && m < strong ? "extern" : each;
  });
}

function randomShape(name: string, random: Random, space: Shape["space"]): Shape {
  const { below } = random;
  const type = must(random.pick(types));
  const widest = 16 / must(bytesOfType[type]);
  const vector = must(random.pick(["", "", "", widest >= 2 ? ".v2 " : "", widest >= 4 ? ".v4 " : ""]));
  const dimensions = Array.from({ length: must(random.pick([0, 0, 1, 1, 1, 2, 3])) }, () => 1 + below(5));
  return {
    name,
    space,
    type,
    vector,
    dimensions,
    align: must(random.pick([0, 0, 0, 16, 32, 64])),
    managed: space === "global" && below(12) === 0,
  };
}

// ----------------------------------------------------------------------------------------------------------- variables

function declare(scope: Scope, shape: Shape, linkage: Linkage, random: Random, mustHaveValue = false): void {
  const isOpen =
    linkage === "extern" && shape.space !== "shared" && shape.dimensions.length === 1 && random.below(2) === 0;
  const hasValue =
    linkage !== "extern" && linkage !== "common" && shape.space !== "shared" && (mustHaveValue || random.below(3) > 0);
  const value = hasValue ? initialiser(scope, shape, random) : "";
  const align = shape.align === 0 ? "" : `.align ${shape.align} `;
  const word = linkage === "static" ? "" : words[linkage];
  const attribute = shape.managed ? ".attribute(.managed) " : "";
  const dimensions = isOpen ? "[]" : shape.dimensions.map((n) => `[${n}]`).join("");
  scope.lines.push(
    `${word}.${shape.space} ${attribute}${align}${shape.vector}.${shape.type} ${shape.name}${dimensions}${value};`,
  );
  scope.variables.push(shape);
}

/** ` = ...` with fewer elements than there are, now and then; nested for arrays of arrays and of vectors. */
function initialiser(scope: Scope, shape: Shape, random: Random): string {
  const shapeOfValue = [...shape.dimensions, ...(shape.vector === "" ? [] : [Number(shape.vector.slice(2, 3))])];
  const element = elementMaker(scope, shape, random);
  const build = (depth: number): string => {
    if (depth === shapeOfValue.length) return element();
    const length = must(shapeOfValue[depth]);
    // Short rows of inner dimensions mean something else to ptxas (docs/differences.md), so only the outermost is short.
    const given = depth === 0 && shape.vector === "" ? 1 + random.below(length) : length;
    return `{${Array.from({ length: given }, () => build(depth + 1)).join(", ")}}`;
  };
  return ` = ${build(0)}`;
}

function elementMaker({ variables, callees }: Scope, { type, vector }: Shape, random: Random): () => string {
  const { below, pick } = random;
  const bits = must(bytesOfType[type]) * 8;
  if (type === "f32")
    return () =>
      must(pick([`0f${hex(random, 8)}`, `${below(100)}.${below(100)}`, `-${below(9)}.5e${below(9)}`, "0.0"]));
  if (type === "f64")
    return () => must(pick([`0d${hex(random, 16)}`, `${below(100)}.${below(100)}`, "-0.0", "1e-300"]));
  const target = vector !== "" ? undefined : pick(variables.filter(({ space }) => space !== "shared"));
  const callee = pick(callees);
  const number = () => String(must(pick([below(128), below(2 ** Math.min(31, bits - 1)), -below(100), 0])) || 0);
  const plain = () => (type.startsWith("s") || bits > 8 ? number() : String(below(256)));
  const unsigned = () => (type.startsWith("s") ? number() : plain().replace("-", ""));
  if (type === "u64" && target !== undefined)
    return () =>
      must(
        pick([
          unsigned(),
          target.name,
          `${target.name}+${below(9)}`,
          `generic(${target.name})`,
          `generic(${target.name})+${below(9)}`,
          callee === undefined ? "1" : callee.name,
        ]),
      );
  if (type === "u8" && target !== undefined && below(2) === 0) {
    const base = must(pick([target.name, `generic(${target.name})`, callee === undefined ? target.name : callee.name]));
    return () => `${must(pick(["0xFF", "0xFF00", "0xFF0000", "0xFF000000", "0xFF00000000"]))}(${base})`;
  }
  return unsigned;
}

const hex = ({ below }: Random, digits: number): string =>
  Array.from({ length: digits }, () => below(16).toString(16)).join("");

// ----------------------------------------------------------------------------------------------------------- functions

function randomCallee(name: string, random: Random): Callee {
  const parameters = Array.from({ length: random.below(4) }, () =>
    must(random.pick([".b32 #", ".f32 #", ".b64 #", ".f64 #", ".align 8 .b8 #[24]", ".align 4 .b8 #[12]"])),
  );
  return { name, parameters, returns: random.pick([undefined, ".b32 #", ".f64 #", ".align 16 .b8 #[32]"]) };
}

const signature = ({ name, parameters, returns }: Callee): string => {
  const result = returns === undefined ? "" : `(.param ${returns.replace("#", "r")}) `;
  return `.func ${result}${name}(${parameters.map((text, i) => `.param ${text.replace("#", `p${i}`)}`).join(", ")})`;
};

function declareFunction(scope: Scope, callee: Callee, linkage: Linkage, random: Random, mayShare = true): void {
  if (linkage === "extern") scope.lines.push(`.extern ${signature(callee)};`);
  else {
    const word = linkage === "static" ? "" : words[linkage];
    scope.lines.push(`${word}${signature(callee)} { ${body(scope, random, mayShare)} ret; }`);
    if (linkage === "static") scope.statics.push(callee);
  }
  scope.callees.push(callee);
}

function kernel(name: string, scope: Scope, random: Random, isLast: boolean): string {
  const parameters = Array.from({ length: random.below(4) }, (_, i) =>
    must(random.pick([`.param .u32 a${i}`, `.param .u64 a${i}`, `.param .align 8 .b8 a${i}[40]`])),
  );
  return `.visible .entry ${name}(${parameters.join(", ")}) { ${body(scope, random)} ${isLast ? scope.statics.map(call).join(" ") : ""} ret; }`;
}

/** Instructions that name some of what the module has: shared and other variables, functions, dynamic shared memory. */
function body({ lines, variables, callees }: Scope, random: Random, mayShare = true): string {
  const { below } = random;
  const some = <T>(items: readonly T[]): readonly T[] => items.filter(() => below(2) === 0);
  const inner = mayShare && below(3) === 0 ? `.shared .align ${1 << below(6)} .b8 inner[${1 + below(30)}];` : "";
  const constant = below(5) === 0 ? `.global .u32 seen[2] = {${below(99)}, 7};` : "";
  const dynamic = lines.some((line) => line.includes("dynamic[]")) && below(2) === 0 ? ["dynamic"] : [];
  const shared = [
    ...some(variables.filter(({ space }) => space === "shared")).map(({ name }) => name),
    ...(inner === "" ? [] : ["inner"]),
    ...dynamic,
  ];
  const touched = shared.map((name) => `st.volatile.shared.u8 [${name}], %h;`);
  const addresses = some(variables.filter(({ space }) => space !== "shared")).map(({ name, space }) =>
    `mov.u64 %a, ${name}; ld.volatile.${space === "const" ? "const" : "global"}.u8 %h, [%a];`.replace(
      "ld.volatile.const",
      "ld.const",
    ),
  );
  const kept = constant === "" ? "" : "ld.volatile.global.u8 %h, [seen];";
  const calls = some(callees).map(call);
  return `.reg .b16 %h; .reg .b64 %a; ${inner} ${constant} mov.u16 %h, 1; ${[...touched, ...addresses, kept, ...calls].join(" ")}`;
}

function call({ name, parameters, returns }: Callee): string {
  const locals = parameters.map((text, i) => `.param ${text.replace("#", `q${i}`)};`).join(" ");
  const result = returns === undefined ? "" : `.param ${returns.replace("#", "s")};`;
  const list = parameters.map((_, i) => `q${i}`).join(", ");
  return `{ ${locals} ${result} call ${returns === undefined ? "" : "(s), "}${name}, (${list}); }`;
}

// --------------------------------------------------------------------------------------------------------------- faults

type Fault = (scopes: readonly Scope[], random: Random) => void;

/** Adds two lines, one to each of two modules (or both to one set of one module, which makes it right: also a case). */
const twoSided =
  (first: string, second: string): Fault =>
  (scopes, random) => {
    const [a, b] = [random.below(scopes.length), random.below(scopes.length)];
    if (a === b) return;
    scopes[a]!.lines.push(first);
    scopes[b]!.lines.push(second);
  };

const useOf = (name: string): string => `.visible .entry use_${name}() { .reg .b64 %a; mov.u64 %a, ${name}; ret; }`;

const faults: readonly Fault[] = [
  twoSided(".visible .global .u32 bad = 1;", ".visible .global .u32 bad = 1;"),
  twoSided(".visible .global .u32 bad;", ".weak .global .u64 bad;"),
  twoSided(".visible .global .u32 bad;", `.extern .global .u64 bad;\n${useOf("bad")}`),
  twoSided(".visible .global .u32 bad[3];", ".common .global .u32 bad[4];"),
  twoSided(".visible .const .u32 bad = 1;", `.extern .global .u32 bad;\n${useOf("bad")}`),
  twoSided(".visible .shared .u32 bad;", ".visible .global .u32 bad;"),
  twoSided(".visible .global .attribute(.managed) .u32 bad;", `.extern .global .u32 bad;\n${useOf("bad")}`),
  twoSided(".visible .func bad() { ret; }", ".visible .func bad() { ret; }"),
  twoSided(".visible .func bad() { ret; }", ".visible .entry bad() { ret; }"),
  twoSided(".visible .entry bad() { ret; }", ".visible .entry bad() { ret; }"),
  twoSided(
    ".visible .func bad(.param .b64 p) { ret; }",
    ".extern .func bad(.param .b32 p);\n.visible .entry use_bad() { { .param .b32 q; call bad, (q); } ret; }",
  ),
  twoSided(".visible .global .texref bad;", ".visible .global .u64 bad;"),
  (scopes) => scopes[0]!.lines.push(`.extern .global .u32 bad;\n${useOf("bad")}`),
  (scopes) => scopes[0]!.lines.push(".extern .global .u32 bad;"),
  (scopes) => scopes[0]!.lines.push(".extern .func bad();\n.visible .entry use_bad() { call bad; ret; }"),
  (scopes) => scopes[0]!.lines.push(".extern .global .u32 bad;\n.visible .global .u64 holder = bad;"),
  twoSided(".visible .const .b8 bad[40000];", ".visible .const .b8 worse[40000];"),
  (scopes) =>
    scopes[0]!.lines.push(
      ".shared .b8 bad[49160];\n.visible .entry use_bad() { .reg .b16 %h; mov.u16 %h, 1; st.volatile.shared.u8 [bad], %h; ret; }",
    ),
];
