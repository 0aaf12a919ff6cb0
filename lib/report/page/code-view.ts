// The source next to its PTX: each line of the source with its cost, and the PTX instructions compiled from it. Without `.loc`
// only the PTX is shown.

import type { TimingResult } from "../../timing/result/result.js";
import { linesOf, warpCyclesOf, type LineProfile } from "../hot-lines.js";
import { html, type Html, type HtmlPart } from "./html.js";
import { grouped, percentText } from "./numbers.js";

/** Lines of the source files that were found, by file name. */
export type SourceTexts = ReadonlyMap<string, readonly string[]>;

/** Number of source lines shown around each line with a cost. */
const AROUND = 2;

export function codeView({ instructions }: TimingResult, texts: SourceTexts): Html {
  const hasSource = instructions.some(({ source }) => source !== undefined);
  const lines = linesOf(instructions, hasSource ? "source" : "ptx");
  const files = [...new Set(lines.map(({ place }) => place.file))];
  const most = Math.max(1e-9, ...lines.map(({ share }) => share));
  const all = Math.max(
    1,
    instructions.reduce((sum, row) => sum + warpCyclesOf(row), 0),
  );
  return html`${files.map((file) =>
    fileView(
      file,
      lines.filter(({ place }) => place.file === file),
      texts.get(file),
      { most, all, hasSource },
    ),
  )}`;
}

interface Scale {
  readonly most: number;
  readonly all: number;
  readonly hasSource: boolean;
}

function fileView(
  file: string,
  lines: readonly LineProfile[],
  text: readonly string[] | undefined,
  scale: Scale,
): Html {
  const byLine = new Map(lines.map((line) => [line.place.line, line]));
  const shown = new Set<number>();
  for (const { place } of lines)
    for (let line = place.line - AROUND; line <= place.line + AROUND; line++)
      if (byLine.has(line) || (text !== undefined && line >= 1 && line <= text.length)) shown.add(line);
  const rows: HtmlPart[] = [];
  let last = 0;
  for (const line of [...shown].sort((a, b) => a - b)) {
    if (line > last + 1 && last > 0)
      rows.push(
        html`<tr class="gap">
          <td colspan="6">&#8943;</td>
        </tr>`,
      );
    last = line;
    rows.push(row(line, text?.[line - 1], byLine.get(line), scale));
  }
  const second = scale.hasSource ? "PTX instructions" : "instruction";
  return html`<div class="table">
    <table class="code">
      <caption>
        ${file}${text === undefined ? " (source not found)" : ""}
      </caption>
      <thead>
        <tr>
          <th scope="col" class="number">line</th>
          <th scope="col" class="number">time</th>
          <th scope="col" class="number">issues</th>
          <th scope="col">stalls</th>
          <th scope="col">${text === undefined ? "" : "text"}</th>
          <th scope="col">${second}</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function row(line: number, text: string | undefined, cost: LineProfile | undefined, scale: Scale): Html {
  if (cost === undefined)
    return html`<tr>
      <th scope="row" class="number">${line}</th>
      <td></td>
      <td></td>
      <td></td>
      <td><code>${text}</code></td>
      <td></td>
    </tr>`;
  const heat = (cost.share / scale.most).toFixed(3);
  return html`<tr style="--heat:${heat}">
    <th scope="row" class="number">${line}</th>
    <td class="number heat">${percentText(cost.share)}</td>
    <td class="number">${grouped(cost.issued)}</td>
    <td>${waits(cost)}</td>
    <td><code>${text}</code></td>
    <td>${ptxOf(cost, scale)}</td>
  </tr>`;
}

function ptxOf({ instructions }: LineProfile, { all, hasSource }: Scale): Html {
  if (!hasSource && instructions.length === 1)
    return html`<code>${instructions[0]!.text}</code>${notes(instructions[0]!)}`;
  return html`<details>
    <summary>${instructions.length} of PTX</summary>
    <ol class="ptx">
      ${instructions.map(
        (one) =>
          html`<li>
            <span class="share">${percentText(warpCyclesOf(one) / all)}</span> <code>${one.text}</code>${notes(one)}
          </li>`,
      )}
    </ol>
  </details>`;
}

function notes({ memory, diverged, executed }: LineProfile["instructions"][number]): Html {
  const short = (value: number): number => Number(value.toPrecision(3));
  const said = [
    ...(memory?.space === "global" || memory?.space === "local"
      ? [`${short(memory.sectorsPerRequest)} sectors per request (${short(memory.leastSectorsPerRequest)} needed)`]
      : []),
    ...(memory?.space === "shared" && memory.dataCyclesPerRequest > memory.leastDataCyclesPerRequest * 1.05
      ? [
          `${short(memory.dataCyclesPerRequest)} cycles for bank conflicts (${short(memory.leastDataCyclesPerRequest)} needed)`,
        ]
      : []),
    ...(diverged > 0 ? [`${percentText(diverged / executed)} divergent`] : []),
  ];
  return said.length === 0 ? html`` : html` <small>${said.join("; ")}</small>`;
}

function waits({ stallCycles }: LineProfile): string {
  const entries = Object.entries(stallCycles);
  const all = entries.reduce((sum, [, cycles]) => sum + cycles, 0);
  return entries
    .filter(([name, cycles]) => name !== "selected" && cycles / all >= 0.1)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 2)
    .map(([name, cycles]) => `${name} ${percentText(cycles / all)}`)
    .join(", ");
}
