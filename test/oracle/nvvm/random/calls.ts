// Random steps: calls of the module's own functions, by name and by address, and of themselves.

import { constantOf, pick } from "./types.js";
import { add, hidden, type Helper, type Writer } from "./writer.js";

export const signatureOf = ({ result, parameters }: Helper): string => `${result} (${parameters.join(", ")})`;

/** A function that calls itself is told how often. */
function argumentsOf(w: Writer, { parameters, recursive }: Helper): string {
  return parameters
    .map((type, i) => `${type} ${recursive && i === 0 ? hidden(w, `and i32 ${pick(w, "i32")}, 3`) : pick(w, type)}`)
    .join(", ");
}

export function callStep(w: Writer): void {
  if (w.helpers.length === 0) return;
  const helper = w.random.pick(w.helpers);
  add(w, helper.result, `call ${helper.result} @${helper.name}(${argumentsOf(w, helper)})`);
}

/** One of two functions of one type, by a choice or from a table. */
export function indirectCallStep(w: Writer): void {
  const pairs = w.helpers.flatMap((a, i) =>
    w.helpers
      .slice(i + 1)
      .flatMap((b) => (signatureOf(a) === signatureOf(b) && a.recursive === b.recursive ? [[a, b] as const] : [])),
  );
  if (pairs.length === 0) return;
  const [a, b] = w.random.pick(pairs);
  const pointer = `${signatureOf(a)}*`;
  let target: string;
  if (w.random.below(2) === 0)
    target = hidden(w, `select i1 ${pick(w, "i1")}, ${pointer} @${a.name}, ${pointer} @${b.name}`);
  else {
    const name = `@functions${w.parts.globals.length}`;
    w.parts.globals.push(
      `${name} = internal addrspace(1) constant [2 x ${pointer}] [${pointer} @${a.name}, ${pointer} @${b.name}]`,
    );
    const index = hidden(w, `zext i1 ${pick(w, "i1")} to i32`);
    const array = `[2 x ${pointer}]`;
    const cell = hidden(w, `getelementptr ${array}, ${array} addrspace(1)* ${name}, i32 0, i32 ${index}`);
    target = hidden(w, `load ${pointer}, ${pointer} addrspace(1)* ${cell}`);
  }
  add(w, a.result, `call ${a.result} ${target}(${argumentsOf(w, a)})`);
}

/** The lines by which a function calls itself, once less often, before its own steps; it returns at none. */
export function recursion(w: Writer, helper: Helper): void {
  const rest = helper.parameters.slice(1).map((type) => `, ${type} ${pick(w, type)}`);
  w.lines.push("  %none = icmp eq i32 %p0, 0");
  w.lines.push("  br i1 %none, label %last, label %again", "last:");
  w.lines.push(`  ret ${helper.result} ${constantOf(w.random, helper.result)}`, "again:");
  w.block = "again";
  const less = hidden(w, "sub i32 %p0, 1");
  add(w, helper.result, `call ${helper.result} @${helper.name}(i32 ${less}${rest.join("")})`);
}
