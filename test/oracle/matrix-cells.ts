// The cells of the resolution matrix: every linkage against every other, in twos and threes, for everything that has a name
// that modules share. What must come of a cell follows from how strongly each side claims the name (PTX ISA 9.0 section
// 11.6; docs/linking.md, "Who defines a name"), and from nothing that our linker says.

import { grouped, letters, modulesOf, pairs, triples, type MatrixCase, type Outcome } from "./matrix-case.js";

/** How strongly a side claims the name: 3 strong, 2 weak, 1 tentative, 0 declared; undefined: it is its module's own. */
type Claim = 3 | 2 | 1 | 0 | undefined;

/** What a cell is made of. */
interface Cell<Kind extends string> {
  readonly name: string;
  readonly about: string;
  readonly kinds: readonly Kind[];
  readonly target?: string;
  readonly claim: (kind: Kind) => Claim;
  /** A module's lines from line 4: the name's declaration first, its use in the line that `usedAt` says. */
  readonly text: (kind: Kind, module: number) => string;
  readonly definedAt?: (kind: Kind) => number;
  readonly usedAt?: number;
  /** What the image has, where module `first` with `kind` is chosen. */
  readonly chosen: (kind: Kind, first: number, holders: number) => Outcome;
  /** In place of what follows from the claims. */
  readonly outcome?: (kinds: readonly Kind[]) => Outcome | undefined;
  /** Codes of what is said besides an error. */
  readonly also?: (kinds: readonly Kind[]) => readonly string[];
  readonly differs?: string | undefined;
}

function cell<Kind extends string>(given: Cell<Kind>): MatrixCase {
  const { name, about, kinds, claim, text, definedAt = () => 4, usedAt = 5, differs } = given;
  const shared = kinds.flatMap((kind, i) => {
    const rank = claim(kind);
    return rank === undefined ? [] : [{ kind, i, rank }];
  });
  const best = Math.max(-1, ...shared.map(({ rank }) => rank));
  const holders = shared.filter(({ rank }) => rank === best);
  const outcome = (order: readonly number[]): Outcome => {
    const special = given.outcome?.(kinds);
    if (special !== undefined) return special;
    const also = given.also?.(kinds) ?? [];
    const wrong = (error: string, places: readonly string[]): Outcome => ({
      error,
      ...(also.length === 0 ? {} : { also }),
      places,
    });
    if (best === 3 && holders.length > 1)
      return wrong(
        "duplicate-symbol",
        holders.map(({ kind, i }) => `${letters[i]}:${definedAt(kind)}`),
      );
    if (best === 0)
      return wrong(
        "undefined-symbol",
        holders.map(({ i }) => `${letters[i]}:${usedAt}`),
      );
    if (best === -1) return { chosen: "-" };
    const first = order.find((i) => holders.some((holder) => holder.i === i))!;
    return given.chosen(kinds[first]!, first, holders.length);
  };
  return {
    name,
    about,
    modules: modulesOf(kinds.map(text), given.target),
    expect: grouped(kinds.length, outcome),
    ...(differs === undefined ? {} : { differs }),
  };
}

const words = {
  strong: ".visible ",
  bare: ".visible ",
  deduced: ".visible ",
  weak: ".weak ",
  "weak-bare": ".weak ",
  common: ".common ",
  extern: ".extern ",
  open: ".extern ",
  static: "",
} as const;

type Linkage = keyof typeof words;

const claims: Readonly<Record<Linkage, Claim>> = {
  strong: 3,
  bare: 3,
  deduced: 3,
  weak: 2,
  "weak-bare": 2,
  common: 1,
  extern: 0,
  open: 0,
  static: undefined,
};

// ----------------------------------------------------------------------------------------------------------- variables

export type Space = "global" | "const" | "shared";

/** "deduced": an array that takes its size from its value. "open": one that leaves it to the definition. */
const kindsIn: Readonly<Record<Space, readonly Linkage[]>> = {
  global: ["strong", "bare", "deduced", "weak", "weak-bare", "common", "extern", "open", "static"],
  const: ["strong", "bare", "deduced", "weak", "weak-bare", "extern", "open", "static"],
  shared: ["bare", "weak-bare", "extern", "open", "static"],
};

const hasValue = (kind: Linkage): boolean => ["strong", "deduced", "weak", "static"].includes(kind);
const bytesFor = (module: number): string => `0${module + 1}0000000${module + 5}000000`;
const hasNoSize = (kind: Linkage): boolean => kind === "open" || kind === "deduced";

/** `attribute` of the variable, for the modules that it is given for. */
const variableText =
  (space: Space, attribute: (module: number) => string = () => "") =>
  (kind: Linkage, module: number): string => {
    const value = hasValue(kind) && space !== "shared" ? ` = {${module + 1}, ${module + 5}}` : "";
    const touch = space === "shared" ? "mov.u32 %r, 1; st.volatile.shared.u32 [x], %r;" : `ld.${space}.u32 %r, [x];`;
    return (
      `${words[kind]}.${space} ${attribute(module)}.u32 x[${hasNoSize(kind) ? "" : 2}]${value};\n` +
      `.visible .entry use_${letters[module]}() { .reg .b32 %r; ${touch} ret; }`
    );
  };

/** Where all are .common none of them is chosen more than another. */
const variableChosen =
  (space: Space) =>
  (kind: Linkage, first: number, holders: number): Outcome => ({
    chosen: kind === "common" && holders > 1 ? "any" : letters[first]!,
    name: "x",
    size: 8,
    align: 4,
    ...(hasValue(kind) && space !== "shared" ? { bytes: bytesFor(first) } : {}),
  });

const variableCase = (space: Space, kinds: readonly Linkage[]): MatrixCase =>
  cell({
    name: `${space}-${kinds.join("-")}`,
    about: `.${space}: ${kinds.join(", ")}`,
    kinds,
    claim: (kind) => claims[kind],
    text: variableText(space),
    chosen: variableChosen(space),
    outcome: (all) => (space === "shared" && isDynamic(all) ? { chosen: "any", name: "x" } : undefined),
    differs: variableDifference(space, kinds),
  });

/** Dynamic shared memory, which a launch gives: nobody says how large it is. */
const isDynamic = (kinds: readonly Linkage[]): boolean =>
  kinds.includes("open") && kinds.every((kind) => kind === "open" || kind === "static");

function variableDifference(space: Space, kinds: readonly Linkage[]): string | undefined {
  const has = (...any: readonly Linkage[]): boolean => kinds.some((kind) => any.includes(kind));
  if (has("common") && has("weak", "weak-bare")) return "nvlink crashes, or keeps dead bytes of the .common one";
  if (has("common") && has("bare"))
    return "nvlink says Multiple definition in one order and keeps dead bytes in the other";
  if (space === "shared" && has("open") && has("bare", "weak-bare")) return "nvlink gives the kernels no memory for it";
  if (space === "shared" && has("open") && has("extern"))
    return "nvlink takes a declaration with a size for dynamic memory where an open one stands before it";
  if (space === "global" && has("weak-bare") && has("strong", "bare", "deduced"))
    return "nvlink keeps dead bytes of a .weak one that came first";
  return undefined;
}

// ------------------------------------------------------------------------------------------------- managed and unified

const attributes = {
  managed: { word: ".attribute(.managed) ", target: "sm_80", code: "symbol-managed" },
  unified: { word: ".attribute(.unified(1, 2)) ", target: "sm_90", code: "symbol-unified" },
} as const;

const attributeKinds: readonly Linkage[] = ["strong", "weak", "common", "extern", "static"];

/** Both have the attribute, or only the first. */
function attributeCase(attribute: keyof typeof attributes, kinds: readonly Linkage[], isBoth: boolean): MatrixCase {
  const { word, target, code } = attributes[attribute];
  const shared = kinds.filter((kind) => kind !== "static");
  // What is wrong besides: that both define it, or that neither does.
  const isWrong = ["strong", "extern"].some((wrong) => shared.every((kind) => kind === wrong));
  return cell({
    name: `${attribute}-${isBoth ? "both" : "first"}-${kinds.join("-")}`,
    about: `${isBoth ? "both" : "the first"} .${attribute}: ${kinds.join(", ")}`,
    kinds,
    target,
    claim: (kind) => claims[kind],
    text: variableText("global", (module) => (isBoth || module === 0 ? word : "")),
    chosen: variableChosen("global"),
    outcome: () => (isBoth || shared.length < 2 || isWrong ? undefined : { error: code, places: ["a:4", "b:4"] }),
    // How two definitions differ is part of what is said of them.
    also: () => (isBoth || shared.length < 2 || shared.includes("strong") ? [] : [code]),
    differs:
      attribute === "unified" ? "nvlink wants an index file for unified symbols" : variableDifference("global", kinds),
  });
}

// ------------------------------------------------------------------------------------------------ functions and kernels

const codeKinds: readonly Linkage[] = ["strong", "weak", "extern", "static"];

const functionCase = (kinds: readonly Linkage[]): MatrixCase =>
  cell({
    name: `function-${kinds.join("-")}`,
    about: `.func: ${kinds.join(", ")}`,
    kinds,
    claim: (kind) => claims[kind],
    text: (kind, i) => {
      const head = `${words[kind]}.func (.param .b32 r) f(.param .b32 p)`;
      const body = `{ .reg .b32 %r; mov.u32 %r, ${i + 1}; st.param.b32 [r], %r; ret; }`;
      return (
        `${kind === "extern" ? `${head};` : `${head} ${body}`}\n` +
        `.visible .entry use_${letters[i]}() { .param .b32 q; .param .b32 s; call (s), f, (q); ret; }`
      );
    },
    chosen: (_, first) => ({ chosen: letters[first]!, name: "f" }),
  });

/** Kernels are named by data: no code calls them. */
const kernelCase = (kinds: readonly Linkage[]): MatrixCase =>
  cell({
    name: `kernel-${kinds.join("-")}`,
    about: `.entry: ${kinds.join(", ")}`,
    kinds,
    claim: (kind) => claims[kind],
    text: (kind, i) =>
      `${words[kind]}.entry k()${kind === "extern" ? ";" : " { ret; }"}\n.visible .global .u64 handle_${letters[i]} = k;`,
    chosen: (_, first) => ({ chosen: letters[first]!, name: "k", ...ambiguous(kinds) }),
    outcome: (all) => (all.every((kind) => kind === "static") ? { chosen: "-", ...ambiguous(all) } : undefined),
    also: (all) => Object.values(ambiguous(all)),
  });

/** A kernel of a module's own beside another one: a launch knows the name alone. */
function ambiguous(kinds: readonly Linkage[]): { readonly warning?: string } {
  const statics = kinds.filter((kind) => kind === "static").length;
  const isDefined = kinds.some((kind) => kind === "strong" || kind === "weak");
  return statics + (isDefined ? 1 : 0) > 1 ? { warning: "ambiguous-kernel" } : {};
}

type AliasKind = "strong" | "weak" | "extern" | "static" | "alias" | "alias-weak" | "alias-static";

const aliasLinkages: Readonly<Record<AliasKind, Linkage>> = {
  strong: "strong",
  weak: "weak",
  extern: "extern",
  static: "static",
  alias: "strong",
  "alias-weak": "weak",
  "alias-static": "static",
};

const isAlias = (kind: AliasKind): boolean => kind.startsWith("alias");

/** A second name of a function with its linkage, but for .weak ones: ptxas lets no .weak function have a second name. */
const aliasCase = (kinds: readonly AliasKind[]): MatrixCase =>
  cell({
    name: `function-${kinds.join("-")}`,
    about: `second names of functions: ${kinds.join(", ")}`,
    kinds,
    claim: (kind) => claims[aliasLinkages[kind]],
    text: (kind, i) => {
      const word = words[aliasLinkages[kind]];
      const kernel = (callee: string): string => `.visible .entry use_${letters[i]}() { call ${callee}; ret; }`;
      const g = `g_${letters[i]}`;
      return isAlias(kind)
        ? `${kind === "alias-static" ? "" : words.strong}.func ${g}() { ret; }\n${kernel(g)}\n${word}.func f();\n.alias f, ${g};`
        : `${word}.func f()${kind === "extern" ? ";" : " { ret; }"}\n${kernel("f")}`;
    },
    definedAt: (kind) => (isAlias(kind) ? 6 : 4),
    chosen: (_, first) => ({ chosen: letters[first]!, name: "f" }),
    ...(kinds.includes("alias-weak") &&
    kinds.some((kind) => ["strong", "alias"].includes(kind) || kinds[0] === kinds[1])
      ? { differs: "ptxas gives a second name the linkage of its function, and nvlink says Multiple definition" }
      : {}),
  });

// ----------------------------------------------------------------------------------- textures, samplers and surfaces

const referenceTypes = ["texref", "samplerref", "surfref"] as const;

/** A host binds them, so that many definitions are one, and none is missing. */
const referenceCase = (type: (typeof referenceTypes)[number], kinds: readonly Linkage[]): MatrixCase =>
  cell({
    name: `${type}-${kinds.join("-")}`,
    about: `.${type}: ${kinds.join(", ")}`,
    kinds,
    ...(type === "samplerref" ? { target: "sm_80, texmode_independent" } : {}),
    claim: (kind) => claims[kind],
    text: (kind) => `${words[kind]}.global .${type} t;`,
    chosen: () => ({ chosen: "any", name: "t" }),
    outcome: (all) => (all.every((kind) => kind === "static") ? { chosen: "-" } : { chosen: "any", name: "t" }),
  });

export const linkageCases: readonly MatrixCase[] = [
  ...(["global", "const", "shared"] as const).flatMap((space) =>
    pairs(kindsIn[space]).map((kinds) => variableCase(space, kinds)),
  ),
  ...triples<Linkage>(["strong", "weak", "common", "extern", "static"]).map((kinds) => variableCase("global", kinds)),
  ...triples<Linkage>(["strong", "weak", "extern", "static"]).map((kinds) => variableCase("const", kinds)),
  ...triples<Linkage>(["bare", "weak-bare", "extern", "static"]).map((kinds) => variableCase("shared", kinds)),
  ...(["managed", "unified"] as const).flatMap((attribute) => [
    ...pairs(attributeKinds).map((kinds) => attributeCase(attribute, kinds, true)),
    ...attributeKinds.flatMap((first) =>
      attributeKinds.map((second) => attributeCase(attribute, [first, second], false)),
    ),
  ]),
  ...[...pairs(codeKinds), ...triples(codeKinds)].flatMap((kinds) => [functionCase(kinds), kernelCase(kinds)]),
  ...pairs<AliasKind>(["strong", "weak", "extern", "static", "alias", "alias-weak", "alias-static"])
    .filter((kinds) => kinds.some(isAlias))
    .map(aliasCase),
  ...referenceTypes.flatMap((type) => pairs(codeKinds).map((kinds) => referenceCase(type, kinds))),
];
