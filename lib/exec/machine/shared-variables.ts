// The shared variables of a kernel: its own, those of the functions that it calls, and the dynamic part.

import type { LoadedKernel, Process } from "../../load/process.js";
import type { VariableSymbol } from "../../object/object.js";

export interface SharedVariable {
  readonly symbol: VariableSymbol;
  /** Name in its source. */
  readonly name: string;
  /** Bytes from the start of the block's shared memory. */
  readonly offset: number;
  readonly size: number;
}

export interface SharedVariables {
  readonly variables: readonly SharedVariable[];
  /** Offset of dynamic shared memory, and its `.extern .shared` array if there is one. */
  readonly dynamicOffset: number;
  readonly dynamic: VariableSymbol | undefined;
}

/** The name that a function's variable had before functions were combined. */
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
  // The kernel's own variables overlap variables of the module that it does not use.
  const isFree = ({ offset, size }: SharedVariable): boolean =>
    !own.some((each) => each.offset < offset + size && offset < each.offset + each.size);
  return {
    variables: [...own, ...variablesIn("shared-module").filter(isFree)],
    dynamicOffset: Math.max(info.dynamicSharedOffset, systemSharedBytes),
    dynamic: shared.find(({ layout }) => layout.size === 0),
  };
}
