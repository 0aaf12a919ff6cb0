// The variables of a kernel's shared memory: those of its own, of the functions that it calls, and the dynamic part.

import type { LoadedKernel, Process } from "../load/process.js";
import type { VariableSymbol } from "../object/object.js";

export interface SharedVariable {
  readonly symbol: VariableSymbol;
  /** As its source has it. */
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
  const isOurs = ({ placement }: VariableSymbol): boolean => {
    if (placement.kind !== "section") return false;
    const role = sections[placement.section]?.role;
    return role?.kind === "shared-module" || (role?.kind === "shared" && role.symbol === info.symbol);
  };
  const shared = symbols.filter((symbol) => symbol.kind === "variable").filter(({ space }) => space === "shared");
  return {
    variables: shared.flatMap((symbol) => {
      const { placement, layout, alias } = symbol;
      if (!isOurs(symbol) || alias === true || layout.size === 0 || placement.kind !== "section") return [];
      return [{ symbol, name: writtenName(symbol.name), offset: placement.offset, size: layout.size }];
    }),
    dynamicOffset: Math.max(info.dynamicSharedOffset, systemSharedBytes),
    dynamic: shared.find(({ layout }) => layout.size === 0),
  };
}
