// Occupancy, constant banks and the line table of a cubin, as tables of the explorer page.

import type { Inspection } from "../../inspect/inspection.js";
import { records, shown } from "./explore-parts.js";
import { html, type HtmlPart } from "./html.js";
import { percentText } from "./numbers.js";

const THREADS_FROM = { required: ".reqntid", most: ".maxntid", assumed: "assumed" } as const;

export function occupancyPart({ occupancy }: Inspection): HtmlPart {
  if (occupancy === undefined) return undefined;
  return records(
    "Occupancy",
    [
      { title: "Kernel" },
      { title: "Threads of a block" },
      { title: "GPU" },
      { title: "Blocks on an SM", isNumber: true },
      { title: "Warps", isNumber: true },
      { title: "Share", isNumber: true },
      { title: "Limited by" },
    ],
    occupancy.flatMap(({ name, demangled, threads, threadsFrom, gpus }) =>
      gpus.map(({ gpu, blocks, warps, share, limitedBy }) => ({
        cells: [
          shown(demangled ?? name),
          `${threads} (${THREADS_FROM[threadsFrom]})`,
          gpu,
          blocks,
          warps,
          percentText(share),
          limitedBy,
        ],
      })),
    ),
  );
}

export function constantsPart({ constants }: Inspection): HtmlPart {
  if (constants === undefined || constants.length === 0) return undefined;
  return records(
    "Constant banks",
    [
      { title: "Bank", isNumber: true },
      { title: "Name" },
      { title: "Offset", isNumber: true },
      { title: "Size", isNumber: true },
      { title: "First bytes" },
    ],
    constants.flatMap(({ bank, section, offset, size, variables, bytes }) => [
      {
        cells: [bank, shown(section.name), 0, size, html`<code>${bytes.hex}</code>`],
        ...(size > 0 ? { at: { offset, size } } : {}),
      },
      ...variables.map((one) => ({
        cells: [bank, shown(one.demangled ?? one.name), one.offset, one.size, html`<code>${one.bytes.hex}</code>`],
        ...(one.size > 0 ? { at: { offset: offset + one.offset, size: one.size } } : {}),
      })),
    ]),
  );
}

export function linesPart({ debugLine }: Inspection): HtmlPart {
  if (debugLine === undefined || debugLine === null) return undefined;
  const place = (file: number | null, line: number): string =>
    `${file === null ? "?" : shown(debugLine.files[file] ?? "?")}:${line}`;
  return debugLine.functions.map((one) =>
    records(
      `Lines of ${shown(one.demangled ?? one.function ?? "an unnamed function")}`,
      [{ title: "Offset", isNumber: true }, { title: "Source" }, { title: "Inlined" }, { title: "Called at" }],
      one.rows.map(({ offset, file, line, column, inlined, calledAt }) => ({
        cells: [
          offset,
          `${place(file, line)}${column === undefined ? "" : `:${column}`}`,
          inlined === undefined ? "" : shown(inlined),
          calledAt === undefined ? "" : place(calledAt.file, calledAt.line),
        ],
      })),
    ),
  );
}
