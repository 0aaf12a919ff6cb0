// The summary of a file, and the header of a PTX module, as text.

import type { FunctionView } from "../inspect/context/function-view.js";
import type { ModuleView } from "../inspect/views/module.js";
import { nameOf } from "../inspect/context/values.js";
import type { SummaryView } from "../inspect/views/summary.js";
import { factLines } from "./facts.js";
import { fullName } from "./inspect-elf-text.js";
import type { TextBlock, TextLayout } from "./text-layout.js";
import { renderTable } from "./table.js";

/** Limit of listed undefined names; beyond it they are only counted. */
const SHOWN_NAMES = 8;

export function summaryBlocks(
  summary: SummaryView,
  kernels: readonly FunctionView[],
  functions: readonly FunctionView[],
  layout: TextLayout,
): readonly TextBlock[] {
  const { target, toolkit, tools, modules, counts, memory, embedded } = summary;
  const facts = factLines(
    [
      ["machine", summary.machine === undefined ? "" : nameOf(summary.machine)],
      ["target", target ?? ""],
      ["toolkit", toolkit === undefined ? "" : `CUDA ${toolkit}`],
      ...toolTexts(tools).map((text): readonly [string, string] => ["made by", text]),
      ...(modules ?? []).map((module): readonly [string, string] => [
        "module",
        `${module.name}, PTX ${module.version} for ${module.target}${module.addressBits === 32 ? ", 32-bit addresses" : ""}`,
      ]),
      ["contents", contentsText(counts)],
      [
        "code",
        memory === undefined
          ? ""
          : `${count(kernels.length, "kernel")}, ${count(functions.length, "function")}, ${memory.code} bytes`,
      ],
      [
        "global",
        memory === undefined ? "" : `${memory.initialised} bytes initialised, ${memory.uninitialised} bytes not`,
      ],
      ["constant", memory === undefined ? "" : `${memory.constant} bytes`],
      ["aliases", summary.aliases?.join(", ") ?? ""],
      ["undefined", namesText(summary.undefined)],
      ["driver", namesText(summary.provided.driver)],
      ["dynamic", namesText(summary.provided.dynamicShared)],
      ...embedded.map(({ section, size, note }): readonly [string, string] => [
        "embedded",
        `${section}, ${size} bytes${note === undefined ? "" : ` (${note})`}`,
      ]),
    ],
    layout,
  );
  return [facts, functionTable("Kernels", kernels, layout), functionTable("Functions", functions, layout)];
}

/** One text for each tool and its options; repeated ones are counted. */
function toolTexts(tools: SummaryView["tools"]): readonly string[] {
  const runs = new Map<string, number>();
  for (const { name, version, options } of tools) {
    const text = `${name} (${version}) ${options}`.trim();
    runs.set(text, (runs.get(text) ?? 0) + 1);
  }
  return [...runs].map(([text, times]) => (times === 1 ? text : `${text}, ${times} times`));
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

function contentsText(counts: SummaryView["counts"]): string {
  const { sections, symbols, relocations, segments } = counts;
  return [
    count(sections, "section"),
    count(symbols, "symbol"),
    count(relocations, "relocation"),
    count(segments, "segment"),
  ].join(", ");
}

function namesText(names: readonly string[]): string {
  const rest = names.length - SHOWN_NAMES;
  return names.slice(0, SHOWN_NAMES).join(" ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** One line for each function; --kernels shows more. */
function functionTable(title: string, views: readonly FunctionView[], layout: TextLayout): TextBlock {
  if (views.length === 0) return [];
  const bytes = (value: number | undefined): string => (value === undefined ? "" : `${value}`);
  const table = renderTable(
    [
      { title: "CODE", align: "right" },
      { title: "INSTRUCTIONS", align: "right" },
      { title: "REGISTERS", align: "right" },
      { title: "STACK", align: "right" },
      { title: "SHARED", align: "right" },
      { title: "PARAMETERS", align: "right" },
      { title: "NAME", role: "name", shrinks: true },
    ],
    views.map((view) => [
      bytes(view.codeBytes),
      bytes(view.instructions),
      bytes(view.registers),
      bytes(view.minStackBytes ?? view.frameBytes),
      bytes(view.sharedBytes),
      view.parameterBytes === undefined
        ? bytes(view.parameters.length || undefined)
        : `${view.parameters.length} (${view.parameterBytes} bytes)`,
      fullName(view),
    ]),
    { ...layout, indent: 2 },
  );
  return [layout.style("heading", title), ...table];
}

export function moduleBlock(module: ModuleView, layout: TextLayout): TextBlock {
  const { version, needs, target, options, variables, references } = module;
  const table = renderTable(
    [
      { title: "LINE", align: "right" },
      { title: "SPACE" },
      { title: "LINKAGE" },
      { title: "SIZE", align: "right" },
      { title: "ALIGN", align: "right" },
      { title: "TYPE" },
      { title: "NAME", role: "name", shrinks: true },
    ],
    variables.map((variable) => [
      `${variable.line}`,
      `.${variable.space}`,
      variable.linkage,
      `${variable.size}`,
      `${variable.align}`,
      `${variable.type}${variable.initialised ? " = …" : ""}`,
      fullName(variable),
    ]),
    { ...layout, indent: 2 },
  );
  return [
    ...factLines(
      [
        ["version", `PTX ${version}${needs === undefined ? "" : `, which needs ${needs}`}`],
        ["target", [target, ...options].join(", ")],
        ["references", references.map(({ name, type }) => `.${type} ${name}`).join(" ")],
      ],
      layout,
    ),
    ...(table.length === 0 ? [] : ["", layout.style("heading", "Variables"), ...table]),
  ];
}
