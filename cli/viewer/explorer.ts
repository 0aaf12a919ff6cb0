// Makes a page of lib/report/page/explore.ts interactive: shows one part at a time, filters by a search text, shows the bytes of
// a row, and draws the chart of sizes.

import { TreemapChart } from "echarts/charts";
import { TooltipComponent } from "echarts/components";
import { init, use, type EChartsType } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import type { ExploreData } from "../../lib/report/page/explore.js";
import { colours } from "./theme.js";

use([TreemapChart, TooltipComponent, SVGRenderer]);

const BYTES_PER_LINE = 16;
/** Lines shown before and after a record. */
const AROUND = 2;
/** Limit of the lines of one record. */
const MAX_LINES = 512;

export interface Explorer {
  /** Draws again after the colour scheme or the size has changed. */
  draw(): void;
}

export function startExplorer(root: HTMLElement): Explorer {
  const data = JSON.parse(root.querySelector("#data")!.textContent) as ExploreData;
  const parts = [...root.querySelectorAll<HTMLElement>("section.part")];
  const links = [...root.querySelectorAll<HTMLAnchorElement>(".tree a")];
  const search = root.querySelector<HTMLInputElement>("#search")!;
  let charts: EChartsType[] = [];
  let shown = "";

  const draw = (): void => {
    for (const chart of charts) chart.dispose();
    charts = [...root.querySelectorAll<HTMLElement>(".chart")].flatMap((element) => {
      const sizes = data.parts.find(({ id }) => id === element.dataset["part"])?.sizes;
      return element.closest("[hidden]") !== null || sizes === undefined ? [] : [treemap(element, sizes)];
    });
  };
  const show = (id: string): void => {
    shown = data.parts.some((part) => part.id === id) ? id : (data.parts[0]?.id ?? "");
    for (const part of parts) part.hidden = part.id !== shown;
    for (const link of links)
      if (link.hash === `#${shown}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    filterRows(
      parts.find((part) => part.id === shown),
      search.value,
    );
    draw();
  };

  search.addEventListener("input", () => {
    const wanted = search.value.toLowerCase();
    for (const [i, part] of parts.entries())
      links[i]!.parentElement!.hidden = wanted !== "" && !part.textContent.toLowerCase().includes(wanted);
    filterRows(
      parts.find((part) => part.id === shown),
      search.value,
    );
  });
  root.addEventListener("click", (event) => {
    const row = (event.target as Element).closest("button.at")?.closest("tr");
    if (row !== null && row !== undefined)
      showBytes(
        root,
        row,
        data.parts.find(({ id }) => id === shown),
      );
  });
  root.querySelector("#bytes-close")!.addEventListener("click", () => hideBytes(root));
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideBytes(root);
  });
  const onHash = (): void => show(location.hash.slice(1));
  addEventListener("hashchange", onHash);
  addEventListener("resize", () => charts.forEach((chart) => chart.resize()));
  onHash();
  return { draw };
}

/** Hides rows and cards without the text, and opens tables that contain it. */
function filterRows(part: HTMLElement | undefined, text: string): void {
  const wanted = text.toLowerCase();
  for (const group of part?.querySelectorAll<HTMLDetailsElement>("details.records, details.card") ?? []) {
    const isCard = group.classList.contains("card");
    const rows = isCard ? [group] : [...group.querySelectorAll<HTMLElement>("tbody tr")];
    let found = 0;
    for (const row of rows) {
      row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
      if (!row.hidden) found++;
    }
    if (wanted !== "" && found > 0 && !isCard) group.open = true;
  }
}

function treemap(
  element: HTMLElement,
  sizes: readonly { readonly name: string; readonly bytes: number }[],
): EChartsType {
  const { ink, panel, series } = colours();
  element.style.height = "260px";
  const chart = init(element, undefined, { renderer: "svg" });
  chart.setOption({
    color: [...series],
    tooltip: { backgroundColor: panel, textStyle: { color: ink } },
    series: [
      {
        type: "treemap",
        left: 0,
        top: 0,
        width: "100%",
        height: "100%",
        roam: false,
        nodeClick: false,
        breadcrumb: { show: false },
        animation: false,
        itemStyle: { borderColor: panel },
        data: sizes.filter(({ bytes }) => bytes > 0).map(({ name, bytes }) => ({ name, value: bytes })),
      },
    ],
  });
  return chart;
}

function hideBytes(root: HTMLElement): void {
  root.querySelector<HTMLElement>("#bytes")!.hidden = true;
  for (const row of root.querySelectorAll("tr[aria-selected]")) row.removeAttribute("aria-selected");
}

function showBytes(root: HTMLElement, row: HTMLTableRowElement, part: ExploreData["parts"][number] | undefined): void {
  hideBytes(root);
  const offset = Number(row.dataset["offset"]);
  const size = Number(row.dataset["size"]);
  row.setAttribute("aria-selected", "true");
  root.querySelector("#bytes-title")!.textContent = `${size} bytes at 0x${offset.toString(16)}`;
  const panel = root.querySelector<HTMLElement>("#bytes")!;
  const text = panel.querySelector("pre")!;
  if (part?.bytes === undefined)
    text.textContent = "The page does not hold these bytes: ptxkit inspect -x shows a section's.";
  else text.replaceChildren(...hexLines(decoded(part.bytes), offset, size));
  panel.hidden = false;
  text.focus();
}

const decoded = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

function hexLines(bytes: Uint8Array, offset: number, size: number): readonly (Node | string)[] {
  const first = Math.max(0, Math.floor(offset / BYTES_PER_LINE) - AROUND);
  const last = Math.min(
    Math.ceil(bytes.length / BYTES_PER_LINE),
    Math.ceil((offset + size) / BYTES_PER_LINE) + AROUND,
    first + MAX_LINES,
  );
  const nodes: (Node | string)[] = [];
  for (let line = first; line < last; line++) {
    nodes.push(`${(line * BYTES_PER_LINE).toString(16).padStart(8, "0")}  `);
    let ascii = "";
    for (let i = line * BYTES_PER_LINE; i < (line + 1) * BYTES_PER_LINE; i++) {
      const byte = bytes[i];
      const pair = byte === undefined ? "  " : byte.toString(16).padStart(2, "0");
      nodes.push(i >= offset && i < offset + size ? marked(pair) : pair, " ");
      ascii += byte === undefined ? "" : byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".";
    }
    nodes.push(` ${ascii}\n`);
  }
  return nodes;
}

function marked(text: string): HTMLElement {
  const mark = document.createElement("mark");
  mark.textContent = text;
  return mark;
}
