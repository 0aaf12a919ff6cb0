// The memories of a map: constants, global data, thread-local data, shared memory and parameters of each kernel, each with its
// variables in the order of their offsets and the bytes between them. Computed from the finished layout.

import { MAX_CONSTANT_BYTES } from "../../../formats/cuda/index.js";
import { mostParameterBytes } from "../../check/limits.js";
import type { Layout } from "../../isa/code.js";
import type { CodeSymbol, SectionRole } from "../../object/object.js";
import { parameterBank } from "../../object/parameters.js";
import { roleShape } from "../../object/section-shape.js";
import { describe, parameterText } from "../model/describe.js";
import { listOf, valuesOf } from "../../base/series.js";
import { isDynamicShared, isSame, sourceLineOf, type Contribution } from "../model/contributions.js";
import { type DataRole, isDataRole, type Linked } from "../model/linked.js";
import { joinFields, mapSymbol, type MapDefinition, type MapEntry, type MapMemoryRows } from "./map-rows.js";
import { staticSharedLimit } from "../layout/limits.js";

/** In the image's order. */
const dataSpaces = [
  ["constant", "const"],
  ["global-init", "global-init"],
  ["global", "global"],
  ["local", "local"],
] as const;

export function memories(linked: Linked): Iterable<MapMemoryRows> {
  const data = dataMemories(linked);
  return listOf(function* () {
    yield* data;
    yield* sharedMemories(linked);
    yield* parameterMemories(linked);
  });
}

/** The entries in the order of their offsets, with padding between them. */
function* padded(entries: Iterable<MapEntry>, size: number): Generator<MapEntry> {
  let end = 0;
  for (const entry of entries) {
    if (entry.offset > end) yield { kind: "padding", offset: end, size: entry.offset - end };
    yield entry;
    end = Math.max(end, entry.offset + entry.size);
  }
  if (size > end) yield { kind: "padding", offset: end, size: size - end };
}

const withPadding = (entries: readonly MapEntry[], size: number): readonly MapEntry[] => [
  ...padded(
    entries.toSorted((a, b) => a.offset - b.offset),
    size,
  ),
];

function definition({ inputs }: Linked, contribution: Contribution, offset: number, layout: Layout): MapDefinition {
  const { align, size } = layout;
  const declaration = describe(contribution.symbol);
  return joinFields(mapSymbol(inputs, contribution), { offset, size, align, declaration });
}

// ------------------------------------------------------------------------------------------------------------------ data

/** The data memories of the image; the variables in each are found once. */
function dataMemories(linked: Linked): readonly MapMemoryRows[] {
  const { data } = linked;
  const places = dataPlaces(linked);
  return dataSpaces.flatMap(([role, space]): MapMemoryRows[] => {
    const { size, align, inputs } = data.outputSections[role];
    if (size === 0 && inputs.length === 0) return [];
    return [
      {
        space,
        section: sectionName({ kind: role }),
        size,
        align,
        ...(role === "constant" ? { limit: MAX_CONSTANT_BYTES } : {}),
        entries: listOf(() => padded(dataEntries(linked, places[role]), size)),
      },
    ];
  });
}

/** Triples of input, symbol in it, and offset, in the order of offsets. */
type DataPlaces = Int32Array;

function dataPlaces({ inputs, resolution, data }: Linked): Readonly<Record<DataRole, DataPlaces>> {
  const found: Record<DataRole, number[]> = { "global-init": [], global: [], constant: [], local: [] };
  for (let object = 0; object < inputs.length; object++) {
    const { symbols, sections } = inputs.at(object)!;
    const offsetOf = data.offsetOf.at(object)!;
    for (let index = 0; index < symbols.length; index++) {
      const { kind, placement } = symbols.at(index)!;
      if (kind !== "variable" || placement.kind !== "section") continue;
      const { role } = sections.at(placement.section)!;
      const base = offsetOf.at(placement.section);
      if (isDataRole(role) && base !== undefined) found[role.kind].push(object, index, base + placement.offset);
    }
  }
  for (const [symbol, offset] of data.commons) {
    const { object, index } = resolution.merged.at(symbol)!.chosen;
    found.global.push(object, index, offset);
  }
  const sorted = ([role]: (typeof dataSpaces)[number]) => [role, byOffset(found[role])] as const;
  return Object.fromEntries(dataSpaces.map(sorted)) as Record<DataRole, DataPlaces>;
}

/** Sorts by offset; variables of size 0 at the same offset stay in the order of the inputs. */
function byOffset(places: readonly number[]): DataPlaces {
  const order = Uint32Array.from({ length: places.length / 3 }, (_, i) => 3 * i);
  order.sort((a, b) => places[a + 2]! - places[b + 2]! || a - b);
  const sorted = new Int32Array(places.length);
  order.forEach((from, i) => {
    for (let part = 0; part < 3; part++) sorted[3 * i + part] = places[from + part]!;
  });
  return sorted;
}

function* dataEntries(linked: Linked, places: DataPlaces): Generator<MapEntry> {
  const { inputs, resolution } = linked;
  const { merged, mergedOf } = resolution;
  for (let i = 0; i < places.length; i += 3) {
    const [object, index, offset] = [places[i]!, places[i + 1]!, places[i + 2]!];
    const symbol = inputs.at(object)!.symbols.at(index)!;
    if (symbol.kind !== "variable") continue;
    const contribution = { object, index, symbol };
    const own = definition(linked, contribution, offset, symbol.layout);
    const { chosen } = merged.at(mergedOf.at(object)![index]!)!;
    yield isSame(chosen, contribution)
      ? { kind: "variable", ...own }
      : joinFields({ kind: "dead" as const }, own, { lostTo: sourceLineOf(inputs, chosen) });
  }
}

const sectionName = (role: SectionRole): string => roleShape(role, { type: "executable", symbols: [] }).name;

// ---------------------------------------------------------------------------------------------------------------- shared

function sharedMemories(linked: Linked): readonly MapMemoryRows[] {
  const { resolution, shared, uses, image } = linked;
  const { merged } = resolution;
  const entriesOf = (symbols: readonly number[], dynamicOffset: number): readonly MapEntry[] =>
    symbols.flatMap((symbol): MapEntry[] => {
      const { chosen, replaced } = merged.at(symbol)!;
      if (chosen.symbol.kind !== "variable") return [];
      const layoutOf = (of: Contribution): Layout => (of.symbol as { layout: Layout }).layout;
      const at = (offset: number, of = chosen) => definition(linked, of, offset, layoutOf(of));
      if (isDynamicShared(chosen.symbol)) {
        const align = shared.dynamicAlign;
        return [{ kind: "dynamic", ...definition(linked, chosen, dynamicOffset, { ...layoutOf(chosen), align }) }];
      }
      const offset = shared.offsets.get(symbol);
      if (offset === undefined) return [];
      const deadAt = shared.dead.get(symbol);
      const dead: readonly MapEntry[] =
        deadAt === undefined
          ? []
          : [{ kind: "dead", ...at(deadAt, replaced), lostTo: sourceLineOf(linked.inputs, chosen) }];
      return [{ kind: "variable", ...at(offset) }, ...dead];
    });
  const { systemBytes } = shared;
  const limit = staticSharedLimit(image.target) + systemBytes;
  const system: readonly MapEntry[] = systemBytes === 0 ? [] : [{ kind: "system", offset: 0, size: systemBytes }];
  const common: readonly MapMemoryRows[] =
    shared.common.length === 0
      ? []
      : [
          {
            space: "shared",
            section: sectionName({ kind: "shared-module" }),
            size: shared.commonSize,
            align: shared.commonAlign,
            limit,
            entries: withPadding([...system, ...entriesOf(shared.common, 0)], shared.commonSize),
          },
        ];
  const own = [...shared.kernels].flatMap(([kernel, { size, align, dynamicOffset }]): MapMemoryRows[] => {
    const reached = uses.variablesOf(kernel);
    if (size === 0 && reached.length === 0) return [];
    const { name } = merged.at(kernel)!;
    const entries = withPadding([...(size === 0 ? [] : system), ...entriesOf(reached, dynamicOffset)], size);
    return [{ space: "shared", section: `.nv.shared.${name}`, kernel: name, size, align, limit, entries }];
  });
  return [...common, ...own];
}

// ------------------------------------------------------------------------------------------------------------ parameters

/** The parameters of the chosen kernels, in the order of the inputs. */
function* parameterMemories({ inputs, resolution, image }: Linked): Generator<MapMemoryRows> {
  for (let object = 0; object < inputs.length; object++) {
    const input = inputs.at(object)!;
    for (const kernel of valuesOf(input.kernels)) {
      const { chosen } = resolution.merged.at(resolution.mergedOf.at(object)![kernel.symbol]!)!;
      if (!isSame(chosen, { object, index: kernel.symbol }) || kernel.parameterBytes === 0) continue;
      const { name, origin, prototype } = chosen.symbol as CodeSymbol;
      const { base, bytes, offsets } = parameterBank(prototype, image.target.sm);
      const place = sourceLineOf(inputs, chosen);
      const limit = mostParameterBytes(input.modules[origin.module] ?? image);
      const entries = prototype.parameters.map((parameter, i): MapEntry => {
        const { align, size } = parameter.layout;
        const offset = offsets[i]!;
        const declaration = `.param ${parameterText(parameter)}`;
        const name = parameter.name === "" ? `${i}` : parameter.name;
        const own = { kind: "parameter", name, binding: "static" } as const;
        return joinFields(own, place, { offset, size, align, declaration });
      });
      yield {
        space: "param",
        section: `.nv.constant0.${name}`,
        kernel: name,
        size: bytes,
        align: prototype.parameters.reduce((most, { layout }) => Math.max(most, layout.align), 1),
        limit,
        base,
        entries: withPadding(entries, bytes),
      };
    }
  }
}
