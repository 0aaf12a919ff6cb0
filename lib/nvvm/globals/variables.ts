// All variables of a module as PTX declarations, referents first; in a cycle one of them is declared ahead.

import { placeOf } from "../../ptx/source.js";
import type { CompileContext } from "../compile-context.js";
import type { GlobalVariable } from "../ir/global.js";
import type { Module } from "../ir/module.js";
import type { MadeText } from "../ptx-writer.js";
import type { OnFault } from "./initial.js";
import { isLocal, linkages } from "./linkage.table.js";
import { variableText, type PrintOptions } from "./variable.js";

export function variableLines(context: CompileContext): readonly MadeText[] {
  const { module, layout, annotations, sink, order, needVersion } = context;
  const nameOf: PrintOptions["nameOf"] = (global) =>
    global.kind === "variable" ? variableName(global, context) : context.nameOf(global);
  const text = (variable: GlobalVariable, isDeclared: boolean, linkage: string): MadeText => {
    const onFault: OnFault = (constant, shared) => {
      const at = constant.kind === "expression" ? constant : undefined;
      const place = placeOf(module.source, at !== undefined && at.end > at.start ? at : variable);
      const message =
        constant === variable.initializer && constant.kind === "aggregate"
          ? `the initial value of '@${variable.name}' is larger than 67108864 bytes`
          : shared === undefined
            ? `the initial value of '@${variable.name}' is neither a number nor one symbol plus a number`
            : `the initial value of '@${variable.name}' holds the address of '@${shared.name}', which is in shared memory`;
      const remedy = shared === undefined ? {} : { remedy: "store the address in a kernel" };
      sink.report("nvvm-initializer", message, place, remedy);
    };
    const options = { layout, nameOf, onFault, needVersion };
    const said = variableText(variable, annotations.roleOf(variable), isDeclared, options);
    return { text: linkage === "" ? said : `${linkage} ${said}`, at: variable.start };
  };
  // In the type of the definition, where the value decides between words and bytes.
  const ahead = [...order.ahead].map((variable) => {
    const { text: definition, at } = text(variable, false, ".extern");
    return { text: `${definition.replace(/ = .*/, "").replace(/;$/, "")};`, at };
  });
  const own = order.variables.map((variable) => {
    const { linkage, initializer } = variable;
    const isDeclared = initializer === undefined || linkage === "available_externally";
    const { declared, defined } = linkages[linkage];
    const directive = isDeclared
      ? (declared ?? "")
      : order.ahead.has(variable) && defined === ""
        ? ".visible"
        : defined;
    return text(variable, isDeclared, directive);
  });
  return [...ahead, ...own];
}

/**
 * The PTX name of a variable. A local variable is visible if it must be declared ahead, because ptxas accepts only visible
 * ones, or if other modules see it through an alias; its name is then unique among modules.
 */
export function variableName(variable: GlobalVariable, { order, nameOf, module }: CompileContext): string {
  const name = nameOf(variable);
  return order.ahead.has(variable) && isLocal(variable.linkage) ? visibleName(name, module) : name;
}

/** A name that is unique among modules. */
const visibleName = (name: string, { source }: Module): string =>
  `__ptxkit_${hashOf(source.name, source.bytes)}_${name}`;

/** FNV-1a of a module's name and content, in hexadecimal. */
function hashOf(name: string, bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  const add = (byte: number): void => void (hash = Math.imul(hash ^ byte, 0x01000193));
  for (const byte of Buffer.from(name)) add(byte);
  for (const byte of bytes) add(byte);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
