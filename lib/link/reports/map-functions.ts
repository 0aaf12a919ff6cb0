// The functions of a map: each with the size of its encoded code, its frame, and its aliases.

import { sectionShape } from "../../object/section-shape.js";
import { frameBytes } from "../../object/code/skim.js";
import { listOf } from "../../base/series.js";
import type { Linked } from "../model/linked.js";
import { joinFields, mapSymbol, type MapFunction } from "./map-rows.js";
import { sectionMembers, type SectionMembers } from "../model/reference-place.js";

export function functionRows(linked: Linked): Iterable<MapFunction> {
  // Frame size of each function; -1 until it is first computed.
  const frames = new Int32Array(linked.texts.length).fill(-1);
  return listOf(() => rowsOf(linked, frames));
}

function* rowsOf({ inputs, resolution, texts }: Linked, frames: Int32Array): Generator<MapFunction, void, undefined> {
  const { merged, mergedOf } = resolution;
  // Section members of the current input.
  let members: { readonly object: number; readonly of: SectionMembers } | undefined;
  for (let i = 0; i < texts.length; i++) {
    const { object, section, symbol } = texts.at(i)!;
    const input = inputs.at(object)!;
    const { chosen, name } = merged.at(symbol)!;
    if (chosen.symbol.kind !== "function") continue;
    const { size, align, data } = input.sections.at(section)!;
    if (members?.object !== object) members = { object, of: sectionMembers(input) };
    if (frames[i] === -1) frames[i] = data === undefined ? 0 : frameBytes(data);
    const aliases = (members.of.get(section) ?? []).flatMap(({ index }) => {
      const own = mergedOf.at(object)![index]!;
      return own !== symbol && merged.at(own)!.chosen.object === object ? [input.symbols.at(index)!.name] : [];
    });
    yield joinFields(mapSymbol(inputs, chosen), {
      kind: chosen.symbol.entry ? ("kernel" as const) : ("function" as const),
      section: sectionShape("text", "executable", name).name,
      size,
      align,
      localBytes: frames[i]!,
      aliases,
    });
  }
}
