// Makes the local names of a function unique: the source may use a name in several blocks (nvcc calls every argument `param0`),
// while printed code has one block.

import type { Code } from "../../isa/code.js";
import { uniqueNames } from "./unique-names.js";

/** The code after renaming: no two registers, variables, labels or tables share a name, nor use one of `taken`. */
export function withUniqueNames(code: Code, taken: ReadonlySet<string>): Code {
  const unique = uniqueNames(taken);
  const renamed = <T extends { readonly name: string }>(items: readonly T[]): readonly T[] =>
    items.map((item) => {
      const name = unique(item.name);
      return name === item.name ? item : { ...item, name };
    });
  const registers = renamed(code.registers);
  const variables = code.variables.map((variable) =>
    variable.register === undefined
      ? { ...variable, name: unique(variable.name) }
      : { ...variable, name: registers[variable.register]!.name },
  );
  return {
    ...code,
    registers,
    variables,
    labels: renamed(code.labels),
    branchTargets: renamed(code.branchTargets),
    callTargets: renamed(code.callTargets),
    prototypes: renamed(code.prototypes),
  };
}

/** The code after renaming some of its labels and variables. */
export function withNames(code: Code, names: ReadonlyMap<string, string> | undefined): Code {
  if (names === undefined || names.size === 0) return code;
  const renamed = <T extends { readonly name: string }>(items: readonly T[]): readonly T[] =>
    items.map((item) => ({ ...item, name: names.get(item.name) ?? item.name }));
  return { ...code, variables: renamed(code.variables), labels: renamed(code.labels) };
}

/** The code in which the module's registers have the names of their symbols. */
export function withModuleRegisters(code: Code, nameOf: (slot: number) => string): Code {
  if (code.moduleRegisters === undefined) return code;
  const names = new Map(code.moduleRegisters.map(({ register, symbol }) => [register, nameOf(symbol)]));
  return {
    ...code,
    registers: code.registers.map((register, i) => ({ ...register, name: names.get(i) ?? register.name })),
  };
}
