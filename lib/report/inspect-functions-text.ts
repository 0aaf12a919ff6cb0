// Kernels and device functions as text: the name, one line with the resources of a thread and a block, and the parameters as a
// table.

import { escapeControls } from "../diag/escape.js";
import type { Extents, FunctionView } from "../inspect/context/function-view.js";
import type { FunctionsView } from "../inspect/views/kernels.js";
import { factLines } from "./facts.js";
import type { TextBlock, TextLayout } from "./text-layout.js";
import { renderTable } from "./table.js";

export function functionBlocks({ kernels, functions }: FunctionsView, layout: TextLayout): readonly TextBlock[] {
  if (kernels.length + functions.length === 0) return [["No kernels and no functions."]];
  return [
    ...kernels.map((kernel) => card("Kernel", kernel, layout)),
    ...functions.map((view) => card("Function", view, layout)),
  ];
}

function card(title: string, view: FunctionView, layout: TextLayout): TextBlock {
  const { parameters, parameterBase, parameterBytes } = view;
  const bytes = parameterBytes ?? 0;
  const base = parameterBase === undefined ? "" : `, from 0x${parameterBase.toString(16)} of constant bank 0`;
  const facts = factLines(
    [
      ["in C++", view.demangled ?? ""],
      ["declared", view.file === undefined ? "" : `${view.file}:${view.line}, ${view.linkage}`],
      ["linkage", view.file === undefined ? view.linkage : ""],
      ["code", codeText(view)],
      ["registers", registersText(view)],
      ["stack", stackText(view)],
      ["shared", sharedText(view)],
      ["barriers", view.barriers === undefined ? "" : `${view.barriers}`],
      ["block", blockText(view)],
      ["cluster", clusterText(view)],
      ["directives", view.directives?.join(" ") ?? ""],
      ["calls", view.calls.map((name) => (view.externs.includes(name) ? `${name} (undefined)` : name)).join(" ")],
      ["returns", view.returns?.join(" ") ?? ""],
      [
        "parameters",
        parameterBytes === undefined && parameters.length === 0
          ? ""
          : parametersText(parameters.length, bytes, base, title),
      ],
    ],
    layout,
  );
  const table = renderTable(
    [
      { title: "#", align: "right" },
      { title: "NAME", role: "name", shrinks: true },
      { title: "TYPE" },
      { title: "OFFSET", align: "right" },
      { title: "SIZE", align: "right" },
      { title: "POINTS TO" },
    ],
    parameters.map(({ ordinal, name, type, offset, size, pointer }) => [
      `${ordinal}`,
      name ?? "",
      type ?? "",
      `${offset}`,
      `${size}`,
      pointer === undefined ? "" : `${pointer.space}${pointer.align === 1 ? "" : `, aligned to ${pointer.align}`}`,
    ]),
    { ...layout, indent: 4 },
  );
  return [`${layout.style("heading", title)} ${layout.style("name", escapeControls(view.name))}`, ...facts, ...table];
}

function parametersText(count: number, bytes: number, base: string, title: string): string {
  if (count === 0 && bytes === 0) return "none";
  return title === "Kernel" ? `${count}, ${bytes} bytes${base}` : `${count}`;
}

function codeText({ codeBytes, instructions }: FunctionView): string {
  const bytes = codeBytes === undefined ? [] : [`${codeBytes} bytes`];
  return [...bytes, ...(instructions === undefined ? [] : [`${instructions} PTX instructions`])].join(", ");
}

function registersText({ registers, maxRegisters }: FunctionView): string {
  const used = registers === undefined ? [] : [`${registers} per thread`];
  return [...used, ...(maxRegisters === undefined ? [] : [`at most ${maxRegisters}`])].join(", ");
}

function stackText({ frameBytes, minStackBytes, maxStackBytes }: FunctionView): string {
  const parts = [
    ...(frameBytes === undefined ? [] : [`frame ${frameBytes} bytes`]),
    ...(minStackBytes === undefined ? [] : [`deepest ${minStackBytes} bytes`]),
    ...((maxStackBytes ?? 0) === 0 ? [] : [`most ${maxStackBytes} bytes`]),
  ];
  return parts.join(", ");
}

function sharedText({ sharedBytes, reservedSharedBytes, dynamicSharedOffset }: FunctionView): string {
  if (sharedBytes === undefined) return "";
  const reserved = reservedSharedBytes === undefined ? "" : `, ${reservedSharedBytes} of them the system's`;
  const dynamic = dynamicSharedOffset === undefined ? "" : `, dynamic from ${dynamicSharedOffset}`;
  return `${sharedBytes} bytes${reserved}${dynamic}`;
}

const extentsText = (extents: Extents): string => extents.join(" x ");

function blockText({ maxThreads, requiredThreads }: FunctionView): string {
  const most = maxThreads === undefined ? [] : [`at most ${extentsText(maxThreads)} threads (.maxntid)`];
  return [
    ...most,
    ...(requiredThreads === undefined ? [] : [`${extentsText(requiredThreads)} threads (.reqntid)`]),
  ].join(", ");
}

function clusterText({ clusterBlocks, maxClusterRank }: FunctionView): string {
  const blocks = clusterBlocks === undefined ? [] : [`${extentsText(clusterBlocks)} blocks`];
  return [...blocks, ...(maxClusterRank === undefined ? [] : [`at most ${maxClusterRank} blocks`])].join(", ");
}
