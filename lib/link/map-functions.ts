// The functions of a map: each with the size of its encoded code, its frame, and the names that stand for it too.

import { readFrame } from "../object/decode.js";
import { alignUp } from "../object/place.js";
import { sectionShape } from "../object/section-shape.js";
import { sectionMembers } from "./reference-place.js";
import { mapSymbol, type Linked, type MapFunction } from "./map.js";

export function functionRows({ inputs, resolution, texts }: Linked): readonly MapFunction[] {
  const { merged, mergedOf } = resolution;
  const members = inputs.map(sectionMembers);
  return texts.flatMap(({ object, section, symbol }): MapFunction[] => {
    const input = inputs[object]!;
    const { chosen, name } = merged[symbol]!;
    if (chosen.symbol.kind !== "function") return [];
    const { size, align, data } = input.sections[section]!;
    const aliases = (members[object]!.get(section) ?? []).flatMap(({ index }) => {
      const own = mergedOf[object]![index]!;
      return own !== symbol && merged[own]!.chosen.object === object ? [input.symbols[index]!.name] : [];
    });
    return [
      {
        ...mapSymbol(inputs, chosen),
        kind: chosen.symbol.entry ? "kernel" : "function",
        section: sectionShape("text", "executable", name).name,
        size,
        align,
        localBytes: data === undefined ? 0 : localBytes(data),
        aliases,
      },
    ];
  });
}

/** Bytes of the variables that a body declares; code that cannot be read counts as nothing. */
export function localBytes(data: Uint8Array): number {
  const frame = readFrame(data);
  if (!frame.ok) return 0;
  return frame.value
    .filter(({ kind }) => kind === "local" || kind === "param")
    .reduce((end, { layout }) => alignUp(end, layout.align) + layout.size, 0);
}
