// The lines of a kernel at which warps waited longest, as text: `run --gpu NAME --hot`.

import { escapeControls } from "../diag/escape.js";
import type { InstructionProfile } from "../timing/result/instruction-profile.js";
import { linesOf, type LineProfile } from "./hot-lines.js";
import { plainStyler, type Styler } from "./style.js";
import { renderTable, type Column } from "./table.js";

const columns = (hasFiles: boolean): readonly Column[] => [
  { title: "line", align: hasFiles ? "left" : "right", role: "name", shrinks: hasFiles },
  { title: "time", align: "right" },
  { title: "issues", align: "right" },
  { title: "stalls", shrinks: true },
  { title: "access", shrinks: true },
  { title: "lanes", align: "right", optional: true },
  { title: "instruction", shrinks: true },
];

const mostReasons = 2;

/** The `most` hottest lines of the source, if the module has line information, and of the PTX. */
export function hotLinesText(
  instructions: readonly InstructionProfile[],
  most: number,
  { width, style = plainStyler }: { readonly width?: number | undefined; readonly style?: Styler } = {},
): readonly string[] {
  const hasSource = instructions.some(({ source }) => source !== undefined);
  const views = hasSource ? (["source", "ptx"] as const) : (["ptx"] as const);
  return views.flatMap((by) => {
    const lines = linesOf(instructions, by).slice(0, most);
    const files = new Set(lines.map(({ place }) => place.file));
    const rows = lines.map((line) => rowOf(line, by, files.size > 1));
    const where = files.size === 1 ? ` of ${escapeControls([...files][0]!)}` : "";
    return [
      `  ${style("heading", `Lines of the ${by === "source" ? "source" : "PTX"}${where}:`)}`,
      ...renderTable(columns(files.size > 1), rows, { width, style, indent: 2 }),
    ];
  });
}

function rowOf(line: LineProfile, by: "source" | "ptx", hasFiles: boolean): readonly string[] {
  const { place, share, issued, instructions, activeLanes } = line;
  return [
    hasFiles ? `${place.file}:${place.line}` : String(place.line),
    `${(100 * share).toFixed(1)} %`,
    String(issued),
    waits(line),
    accesses(line),
    activeLanes.toFixed(0),
    by === "ptx" || instructions.length === 1
      ? (instructions[0]!.text ?? "")
      : `${instructions.length} PTX instructions`,
  ];
}

function accesses(line: LineProfile): string {
  const { requests, sectorsPerRequest, leastSectorsPerRequest, sharedRequests } = line;
  const short = (value: number): string => String(Number(value.toPrecision(3)));
  return [
    ...(requests === 0 ? [] : [`${short(sectorsPerRequest)} sectors (${short(leastSectorsPerRequest)})`]),
    ...(sharedRequests === 0
      ? []
      : [`${short(line.cyclesPerSharedRequest)} cycles (${short(line.leastCyclesPerSharedRequest)})`]),
  ].join(", ");
}

/** Stall reasons as shares of the line's own warp-cycles. */
function waits({ stallCycles }: LineProfile): string {
  const entries = Object.entries(stallCycles);
  const all = entries.reduce((sum, [, cycles]) => sum + cycles, 0);
  return entries
    .filter(([name, cycles]) => name !== "selected" && cycles / all >= 0.05)
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostReasons)
    .map(([name, cycles]) => `${name} ${Math.round((100 * cycles) / all)} %`)
    .join(", ");
}
