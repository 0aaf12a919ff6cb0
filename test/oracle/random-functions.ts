// Functions and kernels of random-sets.ts: parameters and results of all sizes, shared and other variables of their own,
// direct and indirect calls.

import type { Random } from "./random.js";
import { must, type Shape } from "./random-variables.js";

export interface Callee {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly returns: string | undefined;
}

/** What a body may name. */
export interface Visible {
  readonly variables: readonly Shape[];
  readonly callees: readonly Callee[];
  /** Names of dynamic shared memory. */
  readonly dynamic: readonly string[];
}

export function randomCallee(name: string, { below, pick }: Random): Callee {
  const parameters = Array.from({ length: must(pick([0, 0, 1, 2, 3])) }, () =>
    must(pick([".b32 #", ".f32 #", ".b64 #", ".f64 #", ".align 8 .b8 #[24]", ".align 4 .b8 #[12]"])),
  );
  const returns = below(2) === 0 ? undefined : pick([".b32 #", ".f64 #", ".align 16 .b8 #[32]"]);
  return { name, parameters, returns };
}

export const signature = ({ name, parameters, returns }: Callee): string => {
  const result = returns === undefined ? "" : `(.param ${returns.replace("#", "r")}) `;
  return `.func ${result}${name}(${parameters.map((text, i) => `.param ${text.replace("#", `p${i}`)}`).join(", ")})`;
};

export const kernelParameters = ({ below, pick }: Random): string =>
  Array.from({ length: below(4) }, (_, i) =>
    must(pick([`.param .u32 a${i}`, `.param .u64 a${i}`, `.param .align 8 .b8 a${i}[40]`])),
  ).join(", ");

/** Instructions that name some of what there is. `mayHaveData`: whether the body may declare global data. */
export function body(visible: Visible, random: Random, mayHaveData = true): string {
  const { below, pick } = random;
  const some = <T>(items: readonly T[]): readonly T[] => items.filter(() => below(2) === 0);
  const inner = Array.from({ length: must(pick([0, 0, 0, 0, 1, 1, 2])) }, (_, i) => `inner${i}`);
  const declared = inner.map((name) => `.shared .align ${1 << below(6)} .b8 ${name}[${1 + below(30)}];`);
  const data = mayHaveData && below(5) === 0;
  const target = pick(visible.variables.filter(({ space }) => space === "global"));
  const seen = !data ? "" : `.global .u64 seen[2] = {${below(99)}, ${target === undefined ? 7 : target.name}};`;
  const ofSpace = (isShared: boolean) => visible.variables.filter(({ space }) => (space === "shared") === isShared);
  const shared = [
    ...some(ofSpace(true)).map(({ name }) => name),
    ...inner.filter(() => below(4) > 0),
    ...some(visible.dynamic),
  ];
  return [
    ".reg .b16 %h; .reg .b64 %a;",
    ...declared,
    seen,
    "mov.u16 %h, 1;",
    ...shared.map((name) => `st.volatile.shared.u8 [${name}], %h;`),
    ...some(ofSpace(false)).map(
      ({ name, space }) => `mov.u64 %a, ${name}; ld.${space === "const" ? "const" : "volatile.global"}.u8 %h, [%a];`,
    ),
    data ? "ld.volatile.global.u8 %h, [seen];" : "",
    ...some(visible.callees).map((callee, i) => (below(6) === 0 ? indirect(callee, i) : call(callee))),
  ].join(" ");
}

export const call = (callee: Callee): string => around(callee, callee.name, "");

/** A call through a register, with a prototype or a table of targets. */
function indirect(callee: Callee, i: number): string {
  const { name, parameters, returns } = callee;
  const result = returns === undefined ? "" : `(.param ${returns.replace("#", "_")}) `;
  const list = parameters.map((text) => `.param ${text.replace("#", "_")}`).join(", ");
  return `mov.u64 %a, ${name}; P${i}: .callprototype ${result}_ (${list}); ${around(callee, "%a", `, P${i}`)}`;
}

function around({ parameters, returns }: Callee, target: string, prototype: string): string {
  const locals = parameters.map((text, i) => `.param ${text.replace("#", `q${i}`)};`).join(" ");
  const result = returns === undefined ? "" : `.param ${returns.replace("#", "s")};`;
  const list = parameters.map((_, i) => `q${i}`).join(", ");
  return `{ ${locals} ${result} call ${returns === undefined ? "" : "(s), "}${target}, (${list})${prototype}; }`;
}
