// The memory chart: the traffic between the SMs, their caches, the L2 and DRAM, as a drawing that needs no script.

import type { TimingResult } from "../../timing/result/result.js";
import { html, type Html } from "./html.js";
import { bytesText, percentText } from "./numbers.js";

interface Box {
  readonly x: number;
  readonly title: string;
  readonly lines: readonly string[];
}

const WIDTH = 150;
const HEIGHT = 92;
const TOP = 24;

export function memoryChart({ memory, throughput }: TimingResult): Html {
  const boxes: readonly Box[] = [
    {
      x: 0,
      title: "Kernel",
      lines: [`${memory.loads} loads`, `${memory.stores} stores`, `${memory.sharedAccesses} shared`],
    },
    {
      x: 270,
      title: "L1 and shared",
      lines: [`${percentText(memory.l1HitRate)} hits`, `${percentText(throughput.l1)} busy`],
    },
    { x: 540, title: "L2", lines: [`${percentText(memory.l2HitRate)} hits`, `${percentText(throughput.l2)} busy`] },
    {
      x: 810,
      title: "DRAM",
      lines: [`${memory.dramGigabytesPerSecond.toFixed(0)} GB/s`, `${percentText(throughput.dram)} busy`],
    },
  ];
  const flows: readonly (readonly [down: number, up: number])[] = [
    [memory.l1LoadBytes, memory.l1StoreBytes],
    [memory.l2ReadBytes, memory.l2WriteBytes],
    [memory.dramReadBytes, memory.dramWriteBytes],
  ];
  const said = flows.map(
    ([read, written], i) =>
      `${boxes[i]!.title} to ${boxes[i + 1]!.title}: ${bytesText(read)} read, ${bytesText(written)} written`,
  );
  return html`<svg class="memory" viewBox="-4 0 968 140" role="img" aria-label="${said.join("; ")}">
    ${boxes.map(
      ({ x, title, lines }) =>
        html`<g transform="translate(${x} ${TOP})"
          ><rect width="${WIDTH}" height="${HEIGHT}" rx="8" />
          <text class="title" x="${WIDTH / 2}" y="24">${title}</text>${lines.map(
            (line, i) => html`<text x="${WIDTH / 2}" y="${46 + 18 * i}">${line}</text>`,
          )}</g
        >`,
    )}
    ${flows.map(([read, written], i) => {
      const from = boxes[i]!.x + WIDTH;
      const to = boxes[i + 1]!.x;
      const middle = (from + to) / 2;
      return html`<path class="read" style="stroke-width:${thickness(read)}" d="M${to - 6} 58 H${from + 14}" /><path
          class="head"
          d="M${from + 4} 58 l12 -7 v14 z"
        />
        <text x="${middle}" y="46">${bytesText(read)}</text>
        <path class="write" style="stroke-width:${thickness(written)}" d="M${from + 6} 88 H${to - 14}" /><path
          class="head"
          d="M${to - 4} 88 l-12 -7 v14 z"
        />
        <text x="${middle}" y="112">${bytesText(written)}</text>`;
    })}
  </svg>`;
}

/** Width of a line in pixels: one for each power of 16. */
const thickness = (bytes: number): number => (bytes === 0 ? 0 : Math.max(1, Math.round(Math.log2(bytes) / 4)));
