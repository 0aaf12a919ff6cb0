// For maps: what is discarded from the inputs, or dead in the image, and why.

import type { RemovedSymbol } from "../gc/collect-options.js";
import { kindText } from "../model/describe.js";
import {
  isDynamicShared,
  isFromDriver,
  isSame,
  sourceLine,
  sourceLineOf,
  type Contribution,
} from "../model/contributions.js";
import { listOf, valuesOf } from "../../base/series.js";
import type { Linked, LinkedNames, Merged } from "../model/linked.js";
import { joinFields, mapName, type MapDiscarded, type MapReason } from "./map-rows.js";
import { bytesOf, rankOf } from "../model/binding-rank.js";

/** In link order; symbols that --gc-sections removed come first. */
export function findDiscarded(
  linked: Linked,
  isInImage: (symbol: number) => boolean,
  removed: Iterable<RemovedSymbol>,
): Iterable<MapDiscarded> {
  const { data, shared } = linked;
  const keepsBytes: KeepsBytes = (each, { replaced }, i) => {
    if (each.object === replaced?.object && each.index === replaced.index && shared.dead.has(i)) return true;
    const { placement } = each.symbol;
    return placement.kind === "section" && data.offsetOf.at(each.object)!.at(placement.section) !== undefined;
  };
  return listOf(function* () {
    yield* discardedByOthers(linked, keepsBytes, removed);
    yield* unused(linked, isInImage);
  });
}

/** Whether the bytes of a definition that lost are in the output; `merged`: the merged symbol with this `index`. */
export type KeepsBytes = (lost: Contribution, merged: Pick<Merged, "replaced">, index: number) => boolean;

/** Symbols that --gc-sections removed, and definitions that lost. */
export function* discardedByOthers(
  names: LinkedNames,
  keepsBytes: KeepsBytes,
  removed: Iterable<RemovedSymbol>,
): Generator<MapDiscarded, void, undefined> {
  for (const each of removed) yield ofRemoved(each);
  yield* lost(names, keepsBytes);
}

const ofRemoved = ({ name, what, bytes: size, place, lostTo }: RemovedSymbol): MapDiscarded =>
  joinFields(
    mapName(name),
    { what, size },
    sourceLine(place),
    lostTo === undefined
      ? { reason: "unreached" as const, keepsBytes: false }
      : { reason: "lost" as const, lostTo: sourceLine(lostTo), keepsBytes: false },
  );

/** Definitions that lost to another one. */
function* lost({ inputs, resolution }: LinkedNames, keepsBytes: KeepsBytes): Generator<MapDiscarded> {
  for (let i = 0; i < resolution.merged.length; i++) {
    if (resolution.countOf(i) === 1) continue;
    const name = resolution.merged.at(i)!;
    const { chosen } = name;
    for (const each of valuesOf(resolution.allOf(i))) {
      const claim = rankOf(each.symbol);
      if (isSame(each, chosen) || claim === "declared") continue;
      // Tentative definitions of one name are one variable.
      if (claim === "common" && rankOf(chosen.symbol) === "common") continue;
      const { placement } = each.symbol;
      const section = placement.kind === "section" ? inputs.at(each.object)!.sections.at(placement.section) : undefined;
      const size = section?.role.kind === "text" ? codeBytes(section.role, section.size, each) : bytesOf(each.symbol);
      yield joinFields(mapName(each.symbol.name), { what: kindText(each.symbol), size }, sourceLineOf(inputs, each), {
        reason: "lost" as const,
        lostTo: sourceLineOf(inputs, chosen),
        keepsBytes: keepsBytes(each, name, i),
      });
    }
  }
}

/** An alias has no code of its own. */
const codeBytes = ({ symbol }: { readonly symbol: number }, size: number, { index }: Contribution): number =>
  symbol === index ? size : 0;

/** Declarations that nothing uses, and shared variables that no code names. */
function* unused(
  { inputs, resolution: { merged }, uses }: Linked,
  isInImage: (symbol: number) => boolean,
): Generator<MapDiscarded> {
  for (let i = 0; i < merged.length; i++) {
    const { name, chosen } = merged.at(i)!;
    const { symbol } = chosen;
    const isStaticShared = symbol.kind === "variable" && symbol.space === "shared" && !isDynamicShared(symbol);
    const isDeclared = rankOf(symbol) === "declared" && symbol.kind !== "reference";
    const reason: MapReason | undefined =
      isStaticShared && !isDeclared
        ? uses.named.has(i)
          ? undefined
          : "unnamed"
        : isDeclared && !isFromDriver(symbol) && !isInImage(i)
          ? "unused-declaration"
          : undefined;
    if (reason === undefined) continue;
    const what = { what: kindText(symbol), size: bytesOf(symbol) };
    yield joinFields(mapName(name), what, sourceLineOf(inputs, chosen), { reason, keepsBytes: false });
  }
}
