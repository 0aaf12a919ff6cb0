// The images that a device would load, and the reasons against the others, as text.

import { escapeControls } from "../diag/escape.js";
import type { LoadsView, ModuleLoad } from "../inspect/inspection.js";
import { factLines } from "./facts.js";
import { renderTable } from "./table.js";
import type { TextBlock, TextLayout } from "./text-layout.js";

export function loadsBlocks({ device, modules }: LoadsView, layout: TextLayout): readonly TextBlock[] {
  if (modules.length === 0) return [["No kernels."]];
  return modules.map((module) => moduleBlock(device, module, layout));
}

function moduleBlock(
  device: string,
  { module, chosen, kernels, missing, candidates }: ModuleLoad,
  layout: TextLayout,
): TextBlock {
  const { style } = layout;
  const how = chosen?.kind === "ptx" ? `${chosen.name}, compiled by the driver` : chosen?.name;
  const facts = factLines(
    [
      [`on ${device}`, how ?? "nothing loads"],
      ["kernels", kernels.join(" ")],
      ["missing", missing.length === 0 ? "" : `${missing.join(" ")} (only in images that are not chosen)`],
    ],
    layout,
  );
  const refused = candidates.filter((candidate) => candidate.refused !== undefined);
  const table = renderTable(
    [{ title: "NOT LOADED", role: "name" }, { title: "TARGET" }, { title: "WHY", shrinks: true }],
    refused.map(({ name, target, refused }) => [name, target, refused!]),
    { ...layout, indent: 2 },
  );
  return [`${style(chosen === null ? "warning" : "heading", escapeControls(module))}`, ...facts, ...table];
}
