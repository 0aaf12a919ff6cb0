// Pass: every variable in a section of its own, for an order of variables instead of modules (symbol-order.ts); as compilers'
// -fdata-sections, only later. Nothing is lost by it, because code names variables and never what stands beside them: what no
// variable has is padding, or in an object of `-r` the bytes of definitions that lost. A section with addresses outside its
// variables, or with variables that do not stand as their alignments say, stays whole.

import type { Placement, RelocObject, Section, VariableSymbol } from "../../object/object.js";
import type { Contribution, Inputs } from "../inputs.js";
import { isDataRole } from "./layout.js";
import { firstFrom } from "../live/live.js";
import type { Resolution } from "../names/resolve.js";

interface Resolved {
  readonly inputs: Inputs;
  readonly resolution: Resolution;
}

/** The same with more sections; symbols keep their numbers, sections do not. */
export function separateVariables({ inputs, resolution }: Resolved): Resolved {
  const separated = inputs.map(separateObject);
  const moved = (each: Contribution): Contribution => ({
    ...each,
    symbol: separated[each.object]!.symbols[each.index]!,
  });
  const merged = resolution.merged.map((each) => {
    const all = each.all.map(moved);
    const { replaced } = each;
    const chosen = all[each.all.indexOf(each.chosen)]!;
    return { ...each, all, chosen, ...(replaced === undefined ? {} : { replaced: moved(replaced) }) };
  });
  return { inputs: separated, resolution: { ...resolution, merged } };
}

/** Part of a section: its first byte there, and what it is by itself. */
interface Part {
  readonly start: number;
  readonly section: Section;
}

function separateObject(object: RelocObject): RelocObject {
  const variables = object.sections.map((): Placed[] => []);
  for (const symbol of object.symbols)
    if (symbol.kind === "variable" && symbol.placement.kind === "section")
      variables[symbol.placement.section]!.push({ offset: symbol.placement.offset, layout: symbol.layout });
  const parts = object.sections.map((section, i): readonly Part[] => partsOf(section, variables[i]!));
  let count = 0;
  const firsts = parts.map(({ length }) => (count += length) - length);
  const starts = parts.map((own) => own.map(({ start }) => start));
  const placed = (placement: Placement): Placement => {
    if (placement.kind !== "section") return placement;
    const own = parts[placement.section]!;
    const part = own.length === 1 ? 0 : firstFrom(starts[placement.section]!, (start) => start > placement.offset) - 1;
    return { kind: "section", section: firsts[placement.section]! + part, offset: placement.offset - own[part]!.start };
  };
  return {
    ...object,
    sections: parts.flatMap((own) => own.map(({ section }) => section)),
    symbols: object.symbols.map((symbol) => ({ ...symbol, placement: placed(symbol.placement) })),
  };
}

interface Placed extends Pick<VariableSymbol, "layout"> {
  readonly offset: number;
}

/** Variables that overlap, which stay together. */
interface Group {
  readonly start: number;
  end: number;
  align: number;
}

function partsOf(section: Section, variables: readonly Placed[]): readonly Part[] {
  const whole = [{ start: 0, section }];
  if (!isDataRole(section.role) || variables.length === 0) return whole;
  const groups = groupsOf(variables);
  if (!canCut(section, groups)) return whole;
  const relocations = groups.map((): Section["relocations"][number][] => []);
  const ends = groups.map(({ end }) => end);
  for (const each of section.relocations) {
    const group = firstFrom(ends, (end) => end > each.offset);
    relocations[group]!.push({ ...each, offset: each.offset - groups[group]!.start });
  }
  const { role, data } = section;
  return groups.map(({ start, end, align }, i) => ({
    start,
    section: {
      role,
      align,
      size: end - start,
      ...(data === undefined ? {} : { data: data.subarray(start, end) }),
      relocations: relocations[i]!,
    },
  }));
}

/** In the order of their bytes. */
function groupsOf(variables: readonly Placed[]): readonly Group[] {
  const groups: Group[] = [];
  for (const { offset, layout } of variables.toSorted((a, b) => a.offset - b.offset)) {
    const last = groups.at(-1);
    const end = offset + layout.size;
    if (last === undefined || (offset >= last.end && offset > last.start))
      groups.push({ start: offset, end, align: layout.align });
    else {
      last.end = Math.max(last.end, end);
      last.align = Math.max(last.align, layout.align);
    }
  }
  return groups;
}

function canCut({ size, align, relocations }: Section, groups: readonly Group[]): boolean {
  if (groups.some((group) => group.start % group.align !== 0 || group.align > align || group.end > size)) return false;
  const ends = groups.map(({ end }) => end);
  return relocations.every(({ offset, width }) => {
    const group = groups[firstFrom(ends, (end) => end > offset)];
    return group !== undefined && group.start <= offset && offset + width <= group.end;
  });
}
