// Functions and kernels of random-sets.ts: parameters and results of all sizes and spaces, directives, shared and other
// variables of their own in blocks and blocks in blocks, calls by name, through registers with prototypes and with tables.

import { must } from "./random-numbers.js";
import type { Random } from "./random.js";
import { declarator, initialiser, randomShape, takesValue, type Named, type Shape } from "./random-variables.js";

export interface Callee {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly returns: string | undefined;
  /** Of its parameters; registers are passed for it by ptxas. */
  readonly space: ".param" | ".reg";
  /** ` .noreturn`, or nothing. */
  readonly noreturn: string;
}

/** What a body may name. */
export interface Visible extends Named {
  readonly callees: readonly Callee[];
  /** Names of dynamic shared memory. */
  readonly dynamic: readonly string[];
}

const scalars = [".b32 #", ".f32 #", ".b64 #", ".f64 #", ".s32 #", ".u64 #"];
/** What cannot be passed in a register. */
const inMemory = [
  ...[".b16 #", ".f16 #", ".u16 #[3]"],
  ...[".b8 #", ".b128 #", ".align 8 .b8 #[24]", ".align 4 .b8 #[12]", ".b8 #[3]", ".f32 #[4]"],
  ...[".align 16 .f32 #[4]", ".align 2 .b8 #[7]", ".align 16 .b64 #[2]", ".align 1 .b8 #[40]"],
];

export function randomCallee(name: string, { below, pick }: Random): Callee {
  const space = below(6) === 0 ? ".reg" : ".param";
  const kinds = space === ".reg" ? scalars : [...scalars, ...inMemory];
  const parameters = Array.from({ length: must(pick([0, 0, 1, 2, 3, 5])) }, () => must(pick(kinds)));
  const returns = below(2) === 0 ? undefined : pick([...kinds, ".f64 #"]);
  return { name, parameters, returns, space, noreturn: returns === undefined && below(8) === 0 ? " .noreturn" : "" };
}

export const signature = ({ name, parameters, returns, space, noreturn }: Callee): string => {
  const result = returns === undefined ? "" : `(${space} ${returns.replace("#", "r")}) `;
  return `.func ${result}${name}(${parameters.map((text, i) => `${space} ${text.replace("#", `p${i}`)}`).join(", ")})${noreturn}`;
};

const kernelTypes = [
  ...["u32", "u64", "b8", "s8", "u16", "f16", "f32", "f64", "b128", "s64"].map((type) => `.${type} #`),
  ...[".align 8 .b8 #[40]", ".b8 #[5]", ".align 64 .b8 #[65]", ".u16 #[3]", ".align 16 .f32 #[8]", ".align 2 .f64 #"],
  ...[".u64 .ptr #", ".u64 .ptr .global #", ".u64 .ptr .global .align 32 #"],
  ...[".u64 .ptr .shared .align 4 #", ".b64 .ptr .local .align 128 #", ".u32 .ptr .align 8 #"],
];

/** `opaque`: types of references that kernels may have as parameters. */
export const kernelParameters = (of: string, { below, pick }: Random, opaque: readonly string[]): string => {
  const types = [...kernelTypes, ...kernelTypes, ...opaque.map((type) => `${type} #`), ".align 4 .b8 #[4200]"];
  return Array.from({ length: below(5) }, (_, i) => `.param ${must(pick(types)).replace("#", `a${i}_${of}`)}`).join(
    ", ",
  );
};

const blocks = [".maxntid 96", ".maxntid 8, 8, 2", ".maxntid 128 .minnctapersm 2", ".reqntid 32", ".reqntid 16, 2, 4"];
const others = [".maxnreg 64", '.pragma "nounroll";', ".minnctapersm 1 .maxntid 64"];
const clusters = [".reqnctapercluster 2", ".reqnctapercluster 2, 2, 1", ".explicitcluster", ".maxclusterrank 4"];

/** Directives of a kernel; those of clusters for targets that have them. */
export const kernelDirectives = ({ pick, below }: Random, hasClusters: boolean): string => {
  if (below(3) > 0) return "";
  return must(pick([...blocks, ...others, ...(hasClusters ? clusters : [])]));
};

const address = ({ name, space }: Shape): string =>
  `mov.u64 %a, ${name}; ld.${space === "const" ? "const" : "volatile.global"}.u8 %h, [%a];`;

/** Instructions that name some of what there is. */
export function body(visible: Visible, random: Random): string {
  const { below, pick } = random;
  const some = <T>(items: readonly T[]): readonly T[] => items.filter(() => below(2) === 0);
  const ofSpace = (isShared: boolean) => visible.variables.filter(({ space }) => (space === "shared") === isShared);
  const inner = Array.from({ length: must(pick([0, 0, 0, 0, 1, 1, 2])) }, (_, i) => innerShared(`inner${i}`, random));
  const shared = [
    ...some(ofSpace(true)).map(({ name }) => name),
    ...inner.flatMap(({ name, isInBlock }) => (!isInBlock && below(4) > 0 ? [name] : [])),
    ...some(visible.dynamic),
  ];
  return [
    ".reg .b16 %h; .reg .b64 %a;",
    ...inner.map(({ text }) => text),
    ...Array.from({ length: below(5) === 0 ? 1 + below(3) : 0 }, (_, i) => innerData(`seen${i}`, visible, random)),
    "mov.u16 %h, 1;",
    ...shared.map((name) => `st.volatile.shared.u8 [${name}], %h;`),
    ...some(ofSpace(false)).map(address),
    ...some(visible.callees).map((callee, i) => (below(4) === 0 ? indirect(callee, visible, i, random) : call(callee))),
  ].join(" ");
}

/** A shared variable of the body's own, now and then in a block of its own, where it is used or not. */
function innerShared(name: string, random: Random): { name: string; isInBlock: boolean; text: string } {
  const { below } = random;
  const isInBlock = below(6) === 0;
  const plain = `.shared .align ${1 << below(6)} .b8 ${name}[${1 + below(30)}];`;
  const text = below(3) === 0 ? `${declarator(randomShape(name, random, "shared"), false)};` : plain;
  const use = below(2) === 0 ? "" : ` mov.u16 %h, 1; st.volatile.shared.u8 [${name}], %h;`;
  return { name, isInBlock, text: isInBlock ? `{ ${text}${use} }` : text };
}

/** A variable of the body's own in .global or .const memory. */
function innerData(name: string, visible: Visible, random: Random): string {
  const { below } = random;
  const shape = { ...randomShape(name, random, below(3) === 0 ? "const" : "global"), managed: false };
  const value = takesValue(shape) && below(4) > 0 ? initialiser(visible, shape, random) : "";
  const text = `${declarator(shape, false)}${value}; ${below(4) === 0 ? "" : address(shape)}`;
  return below(6) === 0 ? `{ ${text} }` : text;
}

export const call = (callee: Callee): string => around(callee, callee.name, "");

/** A call through a register, with a prototype or a table of targets. */
function indirect(callee: Callee, { callees }: Visible, i: number, { below }: Random): string {
  const { name, parameters, returns, space, noreturn } = callee;
  const result = returns === undefined ? "" : `(${space} ${returns.replace("#", "_")}) `;
  const list = parameters.map((text) => `${space} ${text.replace("#", "_")}`).join(", ");
  const isAlike = (other: Callee): boolean => signature({ ...other, name }) === signature(callee);
  const table = callees.filter(isAlike).map((each) => each.name);
  const isTable = below(3) === 0;
  const said = isTable ? `.calltargets ${table.join(", ")}` : `.callprototype ${result}_ (${list})${noreturn}`;
  // An external function that only lists name is not called, as ptxas has it (docs/linking.md).
  const others = isTable ? table.filter((other) => other !== name).map((other) => `mov.u64 %a, ${other}; `) : [];
  return `${others.join("")}mov.u64 %a, ${name}; P${i}: ${said}; ${around(callee, "%a", `, P${i}`)}`;
}

function around({ parameters, returns, space }: Callee, target: string, prototype: string): string {
  const locals = parameters.map((text, i) => `${space} ${text.replace("#", `q${i}`)};`).join(" ");
  const result = returns === undefined ? "" : `${space} ${returns.replace("#", "s")};`;
  const list = parameters.map((_, i) => `q${i}`).join(", ");
  return `{ ${locals} ${result} call ${returns === undefined ? "" : "(s), "}${target}, (${list})${prototype}; }`;
}
