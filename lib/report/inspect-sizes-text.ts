// Resource usage, sizes and bytes as text. Lines of resource usage have the format of cuobjdump -res-usage, which scripts parse.

import { escapeControls } from "../diag/escape.js";
import type { ContainerSizes, NamedBytes } from "../inspect/inspection.js";
import type { HexView } from "../inspect/views/hex.js";
import type { ConstantBytes, FunctionResources, ResourcesView } from "../inspect/views/resources.js";
import type { SizesView } from "../inspect/views/sizes.js";
import type { TextBlock, TextLayout } from "./text-layout.js";
import { renderTable } from "./table.js";

export function resourcesBlock({ globalBytes, constants, functions }: ResourcesView, { style }: TextLayout): TextBlock {
  return [
    `${style("heading", "Resource usage")}:`,
    " Common:",
    `  ${[`GLOBAL:${globalBytes}`, ...constantFields(constants)].join(" ")}`,
    ...functions.flatMap((one) => [` Function ${escapeControls(one.name)}:`, `  ${resourceFields(one).join(" ")}`]),
  ];
}

const constantFields = (constants: readonly ConstantBytes[]): readonly string[] =>
  constants.map(({ bank, bytes }) => `CONSTANT[${bank}]:${bytes}`);

const resourceFields = (one: FunctionResources): readonly string[] => [
  `REG:${one.registers ?? "?"}`,
  `STACK:${one.stackBytes}`,
  `SHARED:${one.sharedBytes}`,
  `LOCAL:${one.localBytes}`,
  ...constantFields(one.constants),
  `TEXTURE:${one.textures}`,
  `SURFACE:${one.surfaces}`,
  `SAMPLER:${one.samplers}`,
];

/** Limit of rows in a container's table; JSON has all. */
const SHOWN_ROWS = 25;

export function sizesBlocks({ total, functions, others }: SizesView, layout: TextLayout): readonly TextBlock[] {
  const percent = (bytes: number): string => `${total === 0 ? 0 : Math.round((1000 * bytes) / total) / 10} %`;
  const rows = [
    ...functions.map(({ name, demangled, code, metadata }) => [
      `${code + metadata}`,
      percent(code + metadata),
      `${code}`,
      `${metadata}`,
      demangled ?? name,
    ]),
    ...others.map(({ group, bytes }) => [`${bytes}`, percent(bytes), "", "", `(${group})`]),
  ];
  return [
    [
      layout.style("heading", "Sizes"),
      ...renderTable(
        [
          { title: "BYTES", align: "right" },
          { title: "SHARE", align: "right" },
          { title: "CODE", align: "right" },
          { title: "METADATA", align: "right" },
          { title: "FUNCTION", role: "name", shrinks: true },
        ],
        rows,
        { ...layout, indent: 2 },
      ),
    ],
  ];
}

export function containerSizesBlocks(sizes: ContainerSizes, layout: TextLayout): readonly TextBlock[] {
  const table = (heading: string, rows: readonly (NamedBytes & { readonly target?: string })[]): TextBlock =>
    rows.length === 0
      ? []
      : [
          layout.style("heading", heading),
          ...renderTable(
            [
              { title: "BYTES", align: "right" },
              { title: "COUNT", align: "right" },
              { title: "TARGET" },
              { title: "NAME", role: "name", shrinks: true },
            ],
            rows
              .slice(0, SHOWN_ROWS)
              .map(({ bytes, count, target, name }) => [`${bytes}`, `${count}`, target ?? "", name]),
            { ...layout, indent: 2 },
          ),
          ...(rows.length > SHOWN_ROWS ? [`  and ${rows.length - SHOWN_ROWS} more (--json has all)`] : []),
        ];
  return [
    table("Bytes by target", sizes.byTarget),
    table("Bytes by function", sizes.byFunction),
    table("Bytes by template", sizes.byTemplate),
    table("Duplicate code (bytes beyond the first copy)", sizes.duplicates),
  ];
}

const BYTES_PER_LINE = 16;

export function hexBlocks(views: readonly HexView[], { style }: TextLayout): readonly TextBlock[] {
  return views.map(({ section, size, hex }) => {
    const head = `${style("heading", `Section [${section.index}] ${escapeControls(section.name)}`)}: ${size} bytes`;
    const lines = [...bytesBlock(hex)];
    if (2 * size > hex.length) lines.push("  more than is shown here");
    return [head, ...lines];
  });
}

/** Bytes as lines of 16. */
export function bytesBlock(hex: string): TextBlock {
  const lines: string[] = [];
  for (let at = 0; at < hex.length; at += 2 * BYTES_PER_LINE) lines.push(hexLine(hex, at));
  return lines;
}

/** A line in the format of readelf -x: offset, four groups of four bytes, and the bytes as ASCII. */
function hexLine(hex: string, at: number): string {
  const digits = hex.slice(at, at + 2 * BYTES_PER_LINE);
  const groups = digits.match(/.{1,8}/g) ?? [];
  const ascii = (digits.match(/../g) ?? []).map((pair) => {
    const byte = Number.parseInt(pair, 16);
    return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".";
  });
  return `  0x${(at / 2).toString(16).padStart(8, "0")} ${groups.join(" ").padEnd(36)}${ascii.join("")}`;
}
