// The map of a link: the layout, the size of each input's part, and the discarded definitions with reasons. Made from the passes'
// results on demand (LinkOptions.onLinked), row by row, because a program of thousands of modules has more rows than fit in
// memory. Renderers: report/map-text.ts for text; JSON is the rows unchanged. Its version changes when the meaning of a field
// changes; fields may be added. docs/linking.md, "The map". Offsets, sizes and alignments are bytes.

import { listOf } from "../../base/series.js";
import { isProvided } from "../../isa/driver-functions.table.js";
import type { ObjectSymbol } from "../../object/object.js";
import type { RemovedSymbol } from "../gc/collect-options.js";
import { describe } from "../model/describe.js";
import { isFromDriver } from "../model/contributions.js";
import type { Linked } from "../model/linked.js";
import { findDiscarded } from "./map-discarded.js";
import { functionRows } from "./map-functions.js";
import { memories } from "./map-memories.js";
import { moduleTotals } from "./map-modules.js";
import {
  joinFields,
  MAP_VERSION,
  mapName,
  mapSymbol,
  type MapAlias,
  type MapDiscarded,
  type MapFunction,
  type MapMemory,
  type MapMemoryRows,
  type MapModule,
  type MapUnplaced,
} from "./map-rows.js";
import { rankOf } from "../model/binding-rank.js";

/** A map whose rows are made while they are read, again in each iteration. */
export interface LinkMapRows {
  readonly format: "ptxkit-map";
  readonly version: typeof MAP_VERSION;
  readonly image: string;
  readonly target: string;
  /** major * 10 + minor */
  readonly ptxVersion: number;
  readonly memories: Iterable<MapMemoryRows>;
  readonly functions: Iterable<MapFunction>;
  readonly aliases: Iterable<MapAlias>;
  readonly unplaced: Iterable<MapUnplaced>;
  readonly discarded: Iterable<MapDiscarded>;
  readonly modules: Iterable<MapModule>;
}

/** The contents of an image with their inputs, and what was discarded. */
export interface LinkMap extends LinkMapRows {
  readonly memories: readonly MapMemory[];
  readonly functions: readonly MapFunction[];
  readonly aliases: readonly MapAlias[];
  readonly unplaced: readonly MapUnplaced[];
  readonly discarded: readonly MapDiscarded[];
  readonly modules: readonly MapModule[];
}

/** `removed`: symbols that --gc-sections removed (LinkOptions.onRemoved). */
export function mapRows(linked: Linked, removed: Iterable<RemovedSymbol> = []): LinkMapRows {
  const { image } = linked;
  const all = memories(linked);
  const functions = functionRows(linked);
  const isInImage = linked.inImage();
  return {
    format: "ptxkit-map",
    version: MAP_VERSION,
    image: image.name,
    target: image.target.name,
    ptxVersion: image.version,
    memories: all,
    functions,
    aliases: linked.aliases.map(({ name, base, offset }) => ({ ...mapName(name), base, offset })),
    unplaced: unplaced(linked, isInImage),
    discarded: findDiscarded(linked, isInImage, removed),
    modules: listOf(() => moduleTotals(linked, all, functions)),
  };
}

/** The map with all of its rows. */
export function makeMap(linked: Linked, removed: Iterable<RemovedSymbol> = []): LinkMap {
  const { memories: all, functions, aliases, unplaced: open, discarded, modules, ...head } = mapRows(linked, removed);
  return {
    ...head,
    memories: Array.from(all, (memory) => ({ ...memory, entries: [...memory.entries] })),
    functions: [...functions],
    aliases: [...aliases],
    unplaced: [...open],
    discarded: [...discarded],
    modules: [...modules],
  };
}

/** Declarations of undefined symbols to which something in the image refers. */
function unplaced({ inputs, resolution }: Linked, isInImage: (symbol: number) => boolean): Iterable<MapUnplaced> {
  const { merged } = resolution;
  const open: number[] = [];
  for (let i = 0; i < merged.length; i++) {
    if (!isInImage(i)) continue;
    const { symbol } = merged.at(i)!.chosen;
    const isShared = symbol.kind === "variable" && symbol.space === "shared";
    if (rankOf(symbol) === "declared" && !isShared) open.push(i);
  }
  return listOf(function* () {
    for (const i of open) {
      const { chosen } = merged.at(i)!;
      const { symbol } = chosen;
      yield joinFields(mapSymbol(inputs, chosen), { declaration: describe(symbol), from: providerOf(symbol) });
    }
  });
}

function providerOf(symbol: ObjectSymbol): MapUnplaced["from"] {
  if (symbol.kind === "reference") return "binding";
  if (isFromDriver(symbol)) return "launch";
  return symbol.kind === "function" && isProvided(symbol.name) ? "driver" : "nobody";
}
