// The layout of variables as text: one table per data section, including the unused bytes between variables.

import { escapeControls } from "../diag/escape.js";
import type { LayoutView, MemoryView, PlacedVariable } from "../inspect/views/layout.js";
import { fullName } from "./inspect-elf-text.js";
import type { TextBlock, TextLayout } from "./text-layout.js";
import { renderTable, type Column, type Row } from "./table.js";

const columns: readonly Column[] = [
  { title: "OFFSET", align: "right" },
  { title: "SIZE", align: "right" },
  { title: "ALIGN", align: "right" },
  { title: "LINKAGE" },
  { title: "TYPE" },
  { title: "NAME", role: "name", shrinks: true },
  { title: "DECLARED", role: "quiet", shrinks: true },
];

export function layoutBlocks(view: LayoutView, layout: TextLayout): readonly TextBlock[] {
  const rest = (title: string, variables: readonly PlacedVariable[]): TextBlock =>
    variables.length === 0
      ? []
      : [layout.style("heading", title), ...renderTable(columns, variables.map(variableRow), { ...layout, indent: 2 })];
  const blocks = [
    ...view.memories.map((memory) => memoryBlock(memory, layout)),
    rest("Common, allotted by the linker", view.common),
    rest("Defined elsewhere", view.undefined),
  ];
  return blocks.some((block) => block.length > 0) ? blocks : [["No variables."]];
}

function memoryBlock(memory: MemoryView, layout: TextLayout): TextBlock {
  const { section, description, size, align, variables } = memory;
  const heading = `${layout.style("heading", escapeControls(section))}: ${size} bytes, aligned to ${align}`;
  const what = description === undefined ? [] : [`  ${layout.style("quiet", description)}`];
  return [heading, ...what, ...renderTable(columns, withGaps(variables), { ...layout, indent: 2 })];
}

/** Rows of the variables, with a row for each gap between them. */
function withGaps(variables: readonly PlacedVariable[]): readonly Row[] {
  let end = 0;
  return variables.flatMap((variable): readonly Row[] => {
    const { offset, size } = variable;
    if (offset === undefined) return [variableRow(variable)];
    const gap = offset - end;
    end = Math.max(end, offset + size);
    const filler = [`${offset - gap}`, `${gap}`, "", "", "", "(padding)", ""];
    return gap > 0 ? [filler, variableRow(variable)] : [variableRow(variable)];
  });
}

function variableRow(variable: PlacedVariable): Row {
  const { offset, size, align, linkage, type, file, line } = variable;
  return [
    offset === undefined ? "" : `${offset}`,
    `${size}`,
    align === undefined ? "" : `${align}`,
    linkage,
    type ?? "",
    fullName(variable),
    file === undefined ? "" : `${file}:${line}`,
  ];
}
