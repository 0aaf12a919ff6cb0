// Sets of modules made from a seed, for holding a whole link against nvlink: names that modules share in every mixture of
// linkages, all types and initialiser forms (random-variables.ts), functions that call each other with parameters, directly
// and through registers (random-functions.ts), second names for functions, textures and surfaces, shared memory of every
// kind, several kernels; for several targets and versions (random-headers.ts). One set in six has a fault (two definitions, two sizes, spaces, prototypes, nothing that defines a
// name), so that refusals are compared too. Where random-layouts.ts is about where bytes stand, this is about what a name means.
// Left out is what ptxas refuses (.local and numbered banks of constants at module scope, values of .f16), what nvlink
// refuses (unified symbols, opaque parameters of one name and two types in two modules), what ptxas gets wrong (kernels with `.ptr .const`
// parameters, functions in values of variables of bodies) and intended differences (docs/linking.md, "Differences from // nvlink"): narrow holders of constants' addresses, .common beside .weak or beside a definition without a value, commons of two
// alignments, a weak variable without a value before the strong one, short inner rows, static kernels of another one's name,
// weak kernels of which none is replaced, and weak functions but for sm_80 (nvlink takes the one with the fewest registers).

import {
  body,
  call,
  kernelDirectives,
  kernelParameters,
  randomCallee,
  signature,
  type Callee,
  type Visible,
} from "./random-functions.js";
import { opaqueTypes, opaqueValue, randomHeader, randomPlatform, type Platform } from "./random-headers.js";
import { must } from "./random-numbers.js";
import { declarator, initialiser, randomShape, retold, takesValue, type Shape } from "./random-variables.js";
import { randomFrom, type Random } from "./random.js";

export interface RandomSet {
  readonly name: string;
  /** Of whole modules. */
  readonly texts: readonly string[];
  /** What they are compiled and linked for. */
  readonly arch: string;
}

/** `count` sets; the same for a seed everywhere. */
export function randomSets(seed: number, count: number): readonly RandomSet[] {
  return Array.from({ length: count }, (_, i) => randomSet(seed * 100_000 + i));
}

type Linkage = "strong" | "weak" | "common" | "extern" | "static";

/** A module as far as it is written, and what may be named further down. */
interface Scope {
  readonly lines: string[];
  readonly variables: Shape[];
  readonly callees: Callee[];
  /** Static functions, which the last kernel calls: ptxas leaves out those that nothing calls. */
  readonly statics: Callee[];
  readonly kernels: string[];
  readonly textures: string[];
  readonly dynamic: string[];
}

const words: Readonly<Record<Linkage, string>> = {
  strong: ".visible ",
  weak: ".weak ",
  common: ".common ",
  extern: ".extern ",
  static: "",
};

function randomSet(seed: number): RandomSet {
  const random = randomFrom(seed);
  const platform = randomPlatform(random);
  const { below, pick } = random;
  const chance = (outOf: number): boolean => below(outOf) === 0;
  const count = chance(8) ? 5 + below(8) : 1 + below(4);
  const scopes = Array.from({ length: count }, (): Scope => ({
    lines: [],
    variables: [],
    callees: [],
    statics: [],
    kernels: [],
    textures: [],
    dynamic: [],
  }));
  const everywhere = (what: (scope: Scope, m: number) => void): void => scopes.forEach(what);

  for (let i = below(4); i >= 0; i--) {
    const shape = randomShape(`g${i}`, random, pickSpace(random));
    const canBeCommon = takesValue(shape);
    const linkages = shareOut(random, shape.space, count, canBeCommon);
    const strong = linkages.indexOf("strong");
    everywhere((scope, m) => {
      const mustHaveValue = linkages.includes("common") || m < strong;
      const linkage =
        linkages[m] === "weak" && m < strong && !canBeCommon && shape.space !== "shared" ? "extern" : linkages[m];
      if (linkage !== undefined) declare(scope, shape, linkage, random, mustHaveValue);
    });
  }
  if (chance(4)) shareTexture(scopes, platform, random);
  for (let i = below(4); i > 0; i--) shareFunction(scopes, randomCallee(`f${i}`, random), platform, random);
  everywhere((scope, m) => {
    for (let i = below(4); i > 0; i--) {
      const isStatic = chance(3);
      const shape = randomShape(isStatic ? `own${i}` : `own${i}_${m}`, random, pickSpace(random));
      declare(scope, shape, isStatic || chance(2) ? "static" : "strong", random);
    }
    for (const name of ["dynamic", "more"]) if (chance(5)) declareDynamic(scope, name, random);
    if (chance(3)) declareFunction(scope, randomCallee("helper", random), "static", random);
    const kernels = 1 + below(3);
    for (let k = kernels - 1; k >= 0; k--) declareKernel(scope, `k${k}_${m}`, platform, random, k === 0);
    // Behind the kernels, so that it may name them.
    if (chance(3))
      declare(
        scope,
        { ...randomShape(`late_${m}`, random, "global"), type: "u64", vector: "" },
        "strong",
        random,
        true,
      );
  });
  if (chance(6)) must(pick(faults))(scopes, random);
  if (chance(4)) shareKernel(scopes, platform, random, randomFrom(3 * seed + 1));
  if (chance(4)) shareTold(scopes, platform, random);
  const texts = scopes.map(({ lines }) => `${randomHeader(platform, random)}${lines.join("\n")}\n`);
  return { name: `set ${seed}`, texts, arch: platform.arch };
}

const pickSpace = ({ pick }: Random): Shape["space"] =>
  must(pick(["global", "global", "global", "const", "shared", "shared"]));

/** Who says what of a name, such that something defines it. */
function shareOut(
  random: Random,
  space: Shape["space"] | "code",
  count: number,
  canBeCommon = true,
): readonly (Linkage | undefined)[] {
  const kind = space === "global" && canBeCommon ? must(random.pick(["weak", "common"] as const)) : "weak";
  const linkages = Array.from({ length: count }, () =>
    random.pick<Linkage | undefined>([kind, kind, "extern", "static", undefined]),
  );
  const strong = random.below(2) === 0 ? random.below(count) : -1;
  if (strong !== -1) linkages[strong] = "strong";
  const isDefined = linkages.some((each) => each === "strong" || each === kind);
  return linkages.map((each) => (each === "extern" && !isDefined ? undefined : each));
}

/**
 * The same of functions. Of several `.weak` ones, behind which there may be a strong one, nvlink takes that whose machine code has
 * the fewest registers, and of equals that for the newest target (docs/linking.md); for sm_80 those of the sets all have as
 * many, and one target.
 */
function shareCode(random: Random, { arch }: Platform, count: number): readonly (Linkage | undefined)[] {
  const linkages = shareOut(random, "code", count);
  if (arch === "sm_80") return linkages;
  const [first, strong] = [linkages.indexOf("weak"), linkages.indexOf("strong")];
  const isBehind = (m: number): boolean => strong !== -1 && m > strong;
  return linkages.map((each, m) => (each === "weak" && m !== first && !isBehind(m) ? "extern" : each));
}

function declare(scope: Scope, shape: Shape, linkage: Linkage, random: Random, mustHaveValue = false): void {
  const { below } = random;
  const outside = (): string => {
    const isOpen = shape.space !== "shared" && shape.dimensions.length > 0 && below(2) === 0;
    return `.extern ${declarator(shape.space === "shared" ? shape : retold(shape, random), isOpen)};`;
  };
  const isDefinition = linkage === "strong" || linkage === "weak" || linkage === "static";
  if (linkage === "extern") scope.lines.push(outside());
  else {
    const value =
      isDefinition && takesValue(shape) && (mustHaveValue || below(3) > 0)
        ? valueOf(scope, shape, random, mustHaveValue)
        : "";
    const isOpen = value.startsWith("[]");
    const more = isDefinition && linkage !== "weak" && below(12) === 0 ? `, ${shape.name}_more` : "";
    const isTold = linkage === "strong" && shape.dimensions.length > 0 && below(8) === 0;
    const again = `.extern ${declarator(shape, below(2) === 0 && shape.space !== "shared")};`;
    if (isTold && below(2) === 0) scope.lines.push(again);
    scope.lines.push(`${words[linkage]}${declarator(shape, isOpen)}${value.slice(isOpen ? 2 : 0)}${more};`);
    if (isTold && below(2) === 0) scope.lines.push(again);
  }
  scope.variables.push(shape);
}

/** ` = ...`, behind `[]` where the value says how many elements there are. `{}` is none. */
function valueOf(scope: Scope, shape: Shape, random: Random, mustHaveValue: boolean): string {
  const isArray = shape.dimensions.length > 0;
  if (isArray && !mustHaveValue && random.below(16) === 0) return " = {}";
  const isOpen = isArray && random.below(6) === 0;
  return `${isOpen ? "[]" : ""}${initialiser(visibleIn(scope), shape, random, isOpen)}`;
}

/** In values of variables of bodies ptxas may lose the address of a function (docs/differences.md). */
const insideOf = (scope: Scope): Visible => ({ ...scope, functions: [] });

const visibleIn = (scope: Scope): Visible => ({ ...scope, functions: scope.callees.map(({ name }) => name) });

/** A texture, sampler or surface that one module has and others declare, beside some of a module's own. */
function shareTexture(scopes: readonly Scope[], platform: Platform, random: Random): void {
  const { below, pick } = random;
  const types = opaqueTypes(platform);
  const type = must(pick(types));
  const owner = below(scopes.length);
  scopes.forEach((scope, m) => {
    if (below(3) === 0) {
      const own = must(pick(types));
      scope.lines.push(`${must(pick([".visible ", ".weak "]))}.global ${own} own_ref_${m}${opaqueValue(own, random)};`);
      scope.textures.push(`own_ref_${m}`);
    }
    if (m !== owner && below(2) === 0) return;
    const word = m !== owner ? ".extern " : must(pick([".visible ", ".weak "]));
    scope.lines.push(`${word}.global ${type} tex${m === owner ? opaqueValue(type, random) : ""};`);
    scope.textures.push("tex");
  });
}

function declareDynamic(scope: Scope, name: string, { pick }: Random): void {
  const element = must(pick([".align 16 .b8", ".align 4 .b32", ".u64", ".align 8 .b8"]));
  scope.lines.push(`.extern .shared ${element} ${name}[];`);
  scope.dynamic.push(name);
}

// ----------------------------------------------------------------------------------------------------------- functions

/** A function that modules share, and now and then a second name for it. */
function shareFunction(scopes: readonly Scope[], callee: Callee, platform: Platform, random: Random): void {
  const linkages = shareCode(random, platform, scopes.length);
  const strong = linkages.indexOf("strong");
  const second = { ...callee, name: `${callee.name}_too` };
  const hasSecond = strong !== -1 && random.below(3) === 0;
  scopes.forEach((scope, m) => {
    const linkage = linkages[m];
    if (linkage !== undefined) declareFunction(scope, callee, linkage, random);
    if (!hasSecond || (m !== strong && random.below(3) > 0)) return;
    if (m !== strong) scope.lines.push(`.extern ${signature(second)};`);
    else
      scope.lines.push(
        `${must(random.pick([".visible", ".weak"]))} ${signature(second)};\n.alias ${second.name}, ${callee.name};`,
      );
    scope.callees.push(second);
  });
}

function declareFunction(scope: Scope, callee: Callee, linkage: Linkage, random: Random): void {
  if (linkage === "extern") scope.lines.push(`.extern ${signature(callee)};`);
  else {
    const head = `${words[linkage]}${signature(callee)}`;
    if (random.below(5) === 0) scope.lines.push(`${head};`);
    scope.lines.push(`${head} { ${body(insideOf(scope), random)} ret; }`);
    if (linkage === "static") scope.statics.push(callee);
  }
  scope.callees.push(callee);
}

function declareKernel(scope: Scope, name: string, platform: Platform, random: Random, isLast: boolean): void {
  const word = must(random.pick([".visible ", ".visible ", ".visible ", ".weak ", ""]));
  const statics = isLast ? scope.statics.map(call).join(" ") : "";
  const parameters = kernelParameters(name, random, opaqueTypes(platform));
  const directives = kernelDirectives(random, platform.hasClusters);
  scope.lines.push(
    `${word}.entry ${name}(${parameters}) ${directives} { ${body(insideOf(scope), random)} ${statics} ret; }`,
  );
  scope.kernels.push(name);
}

/** A kernel of which several modules have their own, one of them .weak in front of the strong one, each with its own limits. */
function shareKernel(scopes: readonly Scope[], platform: Platform, random: Random, headers: Random): void {
  const parameters = kernelParameters("same", headers, opaqueTypes(platform));
  const strong = random.below(scopes.length);
  const weak = random.below(strong + 1);
  scopes.forEach((scope, m) => {
    const isWeak = m < strong ? m === weak : m > strong && random.below(2) === 0;
    if (m !== strong && !isWeak) return;
    const head = `${isWeak ? ".weak" : ".visible"} .entry same(${parameters}) ${kernelDirectives(headers, platform.hasClusters)}`;
    scope.lines.push(`${head} { ${body(insideOf(scope), random)} ret; }`);
  });
}

/** Functions that call each other, in circles too, and what files tell of what kernels reach. */
function shareTold(scopes: readonly Scope[], platform: Platform, random: Random): void {
  const { below } = random;
  const names = ["told0", "told1", "told2"];
  const linkages = names.map(() => shareCode(random, platform, scopes.length));
  const facts = [
    `bar.sync ${below(16)};`,
    "{ .reg .b64 %a; mov.u32 %z, %ctaid.z; cvt.u64.u32 %a, %z; st.volatile.u32 [%a], %z; }",
    "{ .param .b64 p; st.param.b64 [p], 0; call free, (p); }",
  ];
  const some = (items: readonly string[], outOf: number): string => items.filter(() => below(outOf) === 0).join(" ");
  scopes.forEach(({ lines }, m) => {
    const here = names.filter((_, i) => linkages[i]![m] !== undefined);
    const calls = here.map((name) => `call ${name};`);
    lines.push(".extern .func free(.param .b64 p);");
    const definitions = names.flatMap((name, i): string[] => {
      const linkage = linkages[i]![m];
      if (linkage === undefined) return [];
      const head = `${words[linkage]}.func ${name}()`;
      lines.push(`${head};`);
      return linkage === "extern" ? [] : [`${head} { .reg .u32 %z; ${some(facts, 4)} ${some(calls, 4)} ret; }`];
    });
    lines.push(...definitions);
    lines.push(`.visible .entry told_${m}() { .reg .u32 %z; ${some(facts, 8)} ${calls.join(" ")} ret; }`);
  });
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
