// The variables of a kernel's shared memory: those of its own, of the functions that it calls, and the dynamic part.

import type { LoadedKernel, Process } from "../../load/process.js";
import type { VariableSymbol } from "../../object/object.js";

export interface SharedVariable {
  readonly symbol: VariableSymbol;
  /** In its source. */
  readonly name: string;
  /** Bytes from the start of the block's shared memory. */
  readonly offset: number;
  readonly size: number;
}

export interface SharedVariables {
  readonly variables: readonly SharedVariable[];
  /** Where dynamic shared memory begins; the name of an `.extern .shared` array, where there is one. */
  readonly dynamicOffset: number;
  readonly dynamic: VariableSymbol | undefined;
}

/** The name that a variable of a function had before functions were put together. */
export const writtenName = (name: string): string => /^\$__(.*)__\d+$/.exec(name)?.[1] ?? name;

export function sharedVariables(
  { image: { symbols, sections } }: Process,
  { info, systemSharedBytes }: LoadedKernel,
): SharedVariables {
  const shared = symbols.filter((symbol) => symbol.kind === "variable").filter(({ space }) => space === "shared");
  const variablesIn = (kind: "shared" | "shared-module"): readonly SharedVariable[] =>
    shared.flatMap((symbol) => {
      const { placement, layout, alias } = symbol;
      if (placement.kind !== "section" || alias === true || layout.size === 0) return [];
      const role = sections[placement.section]?.role;
      if (role?.kind !== kind || (role.kind === "shared" && role.symbol !== info.symbol)) return [];
      return [{ symbol, name: writtenName(symbol.name), offset: placement.offset, size: layout.size }];
    });
  const own = variablesIn("shared");
  // The kernel's own variables overlap those of the module that it does not use.
  const isFree = ({ offset, size }: SharedVariable): boolean =>
    !own.some((each) => each.offset < offset + size && offset < each.offset + each.size);
  return {
    variables: [...own, ...variablesIn("shared-module").filter(isFree)],
    dynamicOffset: Math.max(info.dynamicSharedOffset, systemSharedBytes),
    dynamic: shared.find(({ layout }) => layout.size === 0),
  };
}
