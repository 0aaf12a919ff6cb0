// What of the inputs is not in the image, or is dead there, and why: for maps.

import { kindText } from "./describe.js";
import { isDynamicShared, isFromDriver, sourceLine, type Contribution } from "./inputs.js";
import { mapName, mapPlace, type Linked, type MapDiscarded } from "./map.js";
import type { RemovedSymbol } from "./removed.js";
import { bytesOf, claimOf, type Merged } from "./resolve.js";

/** In link order; what --gc-sections removed comes first. */
export function findDiscarded(
  linked: Linked,
  inImage: Int32Array,
  removed: readonly RemovedSymbol[],
): readonly MapDiscarded[] {
  const { data, shared } = linked;
  const keepsBytes: KeepsBytes = (each, { replaced }, i) => {
    if (each === replaced && shared.dead.has(i)) return true;
    const { placement } = each.symbol;
    return placement.kind === "section" && data.offsetOf[each.object]![placement.section] !== undefined;
  };
  return [...discardedByOthers(linked, keepsBytes, removed), ...unused(linked, inImage)];
}

/** Whether the bytes of a definition that lost are in the output; `merged` is what the name stands for, the `index`th. */
export type KeepsBytes = (lost: Contribution, merged: Merged, index: number) => boolean;

/** What --gc-sections removed, and definitions that lost. */
export const discardedByOthers = (
  resolved: Pick<Linked, "inputs" | "resolution">,
  keepsBytes: KeepsBytes,
  removed: readonly RemovedSymbol[],
): readonly MapDiscarded[] => [...removed.map(ofRemoved), ...lost(resolved, keepsBytes)];

function ofRemoved({ name, what, bytes, place, lostTo }: RemovedSymbol): MapDiscarded {
  return {
    ...mapName(name),
    what,
    size: bytes,
    ...sourceLine(place),
    reason: lostTo === undefined ? "unreached" : "lost",
    ...(lostTo === undefined ? {} : { lostTo: sourceLine(lostTo) }),
    keepsBytes: false,
  };
}

/** Definitions in whose place another was taken. */
function lost(
  { inputs, resolution }: Pick<Linked, "inputs" | "resolution">,
  keepsBytes: KeepsBytes,
): readonly MapDiscarded[] {
  return resolution.merged.flatMap((merged, i) =>
    merged.all.flatMap((each): MapDiscarded[] => {
      const { chosen } = merged;
      const claim = claimOf(each.symbol);
      if (each === chosen || claim === "declared") return [];
      // Tentative definitions of one name are one.
      if (claim === "common" && claimOf(chosen.symbol) === "common") return [];
      const { placement } = each.symbol;
      const section = placement.kind === "section" ? inputs[each.object]!.sections[placement.section] : undefined;
      const isCode = section?.role.kind === "text";
      return [
        {
          ...mapName(each.symbol.name),
          what: kindText(each.symbol),
          size: isCode ? section.size : bytesOf(each.symbol),
          ...mapPlace(inputs, each),
          reason: "lost",
          lostTo: mapPlace(inputs, chosen),
          keepsBytes: keepsBytes(each, merged, i),
        },
      ];
    }),
  );
}

/** Declarations that nothing uses, and shared variables that no code names. */
function unused({ inputs, resolution, uses }: Linked, inImage: Int32Array): readonly MapDiscarded[] {
  const named = new Set(uses.named);
  return resolution.merged.flatMap(({ name, chosen }, i): MapDiscarded[] => {
    const { symbol } = chosen;
    const isStaticShared = symbol.kind === "variable" && symbol.space === "shared" && !isDynamicShared(symbol);
    const isDeclared = claimOf(symbol) === "declared" && symbol.kind !== "reference";
    const reason =
      isStaticShared && !isDeclared
        ? named.has(i)
          ? undefined
          : "unnamed"
        : isDeclared && !isFromDriver(symbol) && inImage[i] === -1
          ? "unused-declaration"
          : undefined;
    if (reason === undefined) return [];
    const size = bytesOf(symbol);
    return [{ ...mapName(name), what: kindText(symbol), size, ...mapPlace(inputs, chosen), reason, keepsBytes: false }];
  });
}
