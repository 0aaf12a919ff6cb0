// An NVVM IR module as text: its header, and its annotations by subject.

import { escapeControls } from "../diag/escape.js";
import type { NvvmView } from "../inspect/views/nvvm.js";
import { factLines } from "./facts.js";
import { renderTable } from "./table.js";
import type { TextBlock, TextLayout } from "./text-layout.js";

export function nvvmBlock({ annotations, ...view }: NvvmView, layout: TextLayout): TextBlock {
  const { form, dialect, version, triple, layout: dataLayout, sourceFilename } = view;
  const byName = new Map<string, string[]>();
  for (const { name, property, value } of annotations) {
    const own = byName.get(name) ?? [];
    byName.set(name, own);
    own.push(`${property} ${value}`);
  }
  const table = renderTable(
    [{ title: "NAME", role: "name" }, { title: "ANNOTATIONS" }],
    Array.from(byName, ([name, properties]) => [escapeControls(name), escapeControls(properties.join(", "))]),
    { ...layout, indent: 2 },
  );
  return [
    ...factLines(
      [
        ["dialect", `${dialect}, ${form}`],
        ["NVVM IR", version ?? "no version given"],
        ["triple", escapeControls(triple ?? "")],
        ["layout", escapeControls(dataLayout ?? "")],
        ["compiled of", escapeControls(sourceFilename ?? "")],
      ],
      layout,
    ),
    ...(table.length === 0 ? [] : ["", layout.style("heading", "Annotations"), ...table]),
  ];
}
