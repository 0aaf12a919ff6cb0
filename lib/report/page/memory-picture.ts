// A picture of one memory: its variables as bars along its addresses, as SVG.

import type { MemoryView } from "../../inspect/views/layout.js";
import { html, type Html } from "./html.js";

const WIDTH = 1000;
const HEIGHT = 34;
/** Largest number of bars that are distinguishable. */
const MAX_BARS = 400;

export function memoryPicture({ section, size, variables }: MemoryView): Html {
  const placed = variables.filter(({ offset, size }) => offset !== undefined && size > 0).slice(0, MAX_BARS);
  if (size === 0 || placed.length === 0) return html``;
  const x = (bytes: number): string => ((WIDTH * bytes) / size).toFixed(2);
  return html`<svg
    class="memory-map"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-label="${section}: ${variables.length} variables in ${size} bytes"
  >
    <rect class="room" width="${WIDTH}" height="${HEIGHT}"></rect>
    ${placed.map(
      ({ name, offset, size: bytes }, i) =>
        html`<rect class="bar${i % 2}" x="${x(offset!)}" width="${x(bytes)}" y="3" height="${HEIGHT - 6}"
          ><title>${name}: ${bytes} bytes at ${offset}</title></rect
        >`,
    )}
  </svg>`;
}
