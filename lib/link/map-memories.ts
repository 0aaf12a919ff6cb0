// The memories of a map: constants, global data, thread-local data, shared memory and parameters of each kernel, each with
// its variables in the order of their offsets and with the bytes in between. All of it is read off the finished layout.

import { LARGE_PARAMETERS, MAX_CONSTANT_BYTES, targetFacts } from "../../formats/cuda/index.js";
import { mostParameterBytes } from "../check/limits.js";
import type { Layout } from "../isa/code.js";
import type { CodeSymbol, SectionRole } from "../object/object.js";
import { roleShape } from "../object/section-shape.js";
import { describe, parameterText } from "./describe.js";
import { chosenKernels } from "./image.js";
import { isDynamicShared, type Contribution } from "./inputs.js";
import { staticSharedLimit } from "./limits.js";
import { isDataRole, type DataRole } from "./layout.js";
import { mapPlace, mapSymbol, type Linked, type MapDefinition, type MapEntry, type MapMemory } from "./map.js";

/** In the order of the image. */
const dataSpaces = [
  ["constant", "const"],
  ["global-init", "global-init"],
  ["global", "global"],
  ["local", "local"],
] as const;

export function memories(linked: Linked): readonly MapMemory[] {
  return [...dataMemories(linked), ...sharedMemories(linked), ...parameterMemories(linked)];
}

/** The entries in order, with what lies between them. */
function withPadding(entries: readonly MapEntry[], size: number): readonly MapEntry[] {
  const filled: MapEntry[] = [];
  let end = 0;
  const fill = (to: number): void => {
    if (to > end) filled.push({ kind: "padding", offset: end, size: to - end });
  };
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    fill(entry.offset);
    filled.push(entry);
    end = Math.max(end, entry.offset + entry.size);
  }
  fill(size);
  return filled;
}

function definition({ inputs }: Linked, contribution: Contribution, offset: number, layout: Layout): MapDefinition {
  const { align, size } = layout;
  return { ...mapSymbol(inputs, contribution), offset, size, align, declaration: describe(contribution.symbol) };
}

// ------------------------------------------------------------------------------------------------------------------ data

function dataMemories(linked: Linked): readonly MapMemory[] {
  const { data } = linked;
  const entries = dataEntries(linked);
  return dataSpaces.flatMap(([role, space]): MapMemory[] => {
    const { size, align, pieces } = data.joined[role];
    if (size === 0 && pieces.length === 0) return [];
    return [
      {
        space,
        section: sectionName({ kind: role }),
        size,
        align,
        ...(role === "constant" ? { limit: MAX_CONSTANT_BYTES } : {}),
        entries: withPadding(entries[role], size),
      },
    ];
  });
}

function dataEntries(linked: Linked): Readonly<Record<DataRole, readonly MapEntry[]>> {
  const { inputs, resolution, data } = linked;
  const { merged, mergedOf } = resolution;
  const entries: Record<DataRole, MapEntry[]> = { "global-init": [], global: [], constant: [], local: [] };
  inputs.forEach(({ symbols, sections }, object) =>
    symbols.forEach((symbol, index) => {
      if (symbol.kind !== "variable" || symbol.placement.kind !== "section") return;
      const { section, offset } = symbol.placement;
      const { role } = sections[section]!;
      const base = data.offsetOf[object]![section];
      if (!isDataRole(role) || base === undefined) return;
      const own = definition(linked, { object, index, symbol }, base + offset, symbol.layout);
      const { chosen } = merged[mergedOf[object]![index]!]!;
      const isChosen = chosen.object === object && chosen.index === index;
      entries[role.kind].push(
        isChosen ? { kind: "variable", ...own } : { kind: "dead", ...own, lostTo: mapPlace(inputs, chosen) },
      );
    }),
  );
  for (const [symbol, offset] of data.commons) {
    const { chosen } = merged[symbol]!;
    if (chosen.symbol.kind === "variable")
      entries.global.push({ kind: "variable", ...definition(linked, chosen, offset, chosen.symbol.layout) });
  }
  return entries;
}

const sectionName = (role: SectionRole): string => roleShape(role, { type: "executable", symbols: [] }).name;

// ---------------------------------------------------------------------------------------------------------------- shared

function sharedMemories(linked: Linked): readonly MapMemory[] {
  const { resolution, shared, uses, image } = linked;
  const { merged } = resolution;
  const entriesOf = (symbols: readonly number[], dynamicOffset: number): readonly MapEntry[] =>
    symbols.flatMap((symbol): MapEntry[] => {
      const { chosen, replaced } = merged[symbol]!;
      if (chosen.symbol.kind !== "variable") return [];
      const at = (offset: number, of = chosen) =>
        definition(linked, of, offset, (of.symbol as { layout: Layout }).layout);
      if (isDynamicShared(chosen.symbol)) return [{ kind: "dynamic", ...at(dynamicOffset) }];
      const offset = shared.offsets.get(symbol);
      if (offset === undefined) return [];
      const deadAt = shared.dead.get(symbol);
      const dead: readonly MapEntry[] =
        deadAt === undefined
          ? []
          : [{ kind: "dead", ...at(deadAt, replaced), lostTo: mapPlace(linked.inputs, chosen) }];
      return [{ kind: "variable", ...at(offset) }, ...dead];
    });
  const limit = staticSharedLimit(image.target);
  const common: readonly MapMemory[] =
    shared.common.length === 0
      ? []
      : [
          {
            space: "shared",
            section: sectionName({ kind: "shared-module" }),
            size: shared.commonSize,
            align: shared.commonAlign,
            limit,
            entries: withPadding(entriesOf(shared.common, 0), shared.commonSize),
          },
        ];
  const own = [...shared.kernels].flatMap(([kernel, { size, align, dynamicOffset }]): MapMemory[] => {
    const reached = uses.variablesOf(kernel);
    if (size === 0 && reached.length === 0) return [];
    const { name } = merged[kernel]!;
    const entries = withPadding(entriesOf(reached, dynamicOffset), size);
    return [{ space: "shared", section: `.nv.shared.${name}`, kernel: name, size, align, limit, entries }];
  });
  return [...common, ...own];
}

// ------------------------------------------------------------------------------------------------------------ parameters

function parameterMemories(linked: Linked): readonly MapMemory[] {
  const { inputs, resolution, image } = linked;
  const { parameterBase, largeParameterBase } = targetFacts(image.target.sm);
  return chosenKernels(linked).flatMap(({ kernel, symbol }): MapMemory[] => {
    const { chosen } = resolution.merged[symbol]!;
    const { name, origin, prototype } = chosen.symbol as CodeSymbol;
    if (kernel.parameterBytes === 0) return [];
    const place = mapPlace(inputs, chosen);
    const limit = mostParameterBytes(inputs[chosen.object]!.modules[origin.module] ?? image);
    const entries = prototype.parameters.map((parameter, i): MapEntry => {
      const { align, size } = parameter.layout;
      const offset = kernel.parameterOffsets[i]!;
      const declaration = `.param ${parameterText(parameter)}`;
      return {
        kind: "parameter",
        name: parameter.name === "" ? `${i}` : parameter.name,
        binding: "static",
        ...place,
        offset,
        size,
        align,
        declaration,
      };
    });
    return [
      {
        space: "param",
        section: `.nv.constant0.${name}`,
        kernel: name,
        size: kernel.parameterBytes,
        align: prototype.parameters.reduce((most, { layout }) => Math.max(most, layout.align), 1),
        limit,
        base: kernel.parameterBytes > LARGE_PARAMETERS ? largeParameterBase : parameterBase,
        entries: withPadding(entries, kernel.parameterBytes),
      },
    ];
  });
}
