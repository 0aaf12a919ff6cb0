// Occupancy, constants by bank, and differences between images, as text.

import { escapeControls } from "../diag/escape.js";
import type { ImageComparison, KernelOccupancy } from "../inspect/inspection.js";
import type { ConstantSection } from "../inspect/views/constants.js";
import type { LinesView } from "../inspect/views/lines.js";
import { bytesBlock } from "./inspect-sizes-text.js";
import type { TextBlock, TextLayout } from "./text-layout.js";
import { renderTable } from "./table.js";

export function occupancyBlocks(kernels: readonly KernelOccupancy[], layout: TextLayout): readonly TextBlock[] {
  if (kernels.length === 0) return [["No kernels."]];
  return kernels.map(({ name, threads, threadsFrom, registers, sharedBytes, gpus }) => {
    const from = { required: ".reqntid", most: ".maxntid", assumed: "assumed: the kernel has no launch bounds" }[
      threadsFrom
    ];
    const needs = `${threads} threads (${from}), ${registers ?? "?"} registers, ${sharedBytes} bytes of shared memory`;
    const table = renderTable(
      [
        { title: "GPU" },
        { title: "BLOCKS", align: "right" },
        { title: "WARPS", align: "right" },
        { title: "OCCUPANCY", align: "right" },
        { title: "LIMITED BY" },
      ],
      gpus.map((one) => [one.gpu, `${one.blocks}`, `${one.warps}`, `${Math.round(100 * one.share)} %`, one.limitedBy]),
      { ...layout, indent: 2 },
    );
    return [
      `${layout.style("heading", "Occupancy of")} ${layout.style("name", escapeControls(name))}: ${needs}`,
      ...(table.length === 0 ? ["  no GPU model loads it"] : table),
    ];
  });
}

export function constantsBlocks(sections: readonly ConstantSection[], layout: TextLayout): readonly TextBlock[] {
  if (sections.length === 0) return [["No constants."]];
  return sections.map(({ bank, section, size, description, variables, bytes }) => {
    const table = renderTable(
      [
        { title: "OFFSET", align: "right" },
        { title: "SIZE", align: "right" },
        { title: "NAME", role: "name", shrinks: true },
      ],
      variables.map(({ offset, size, name, demangled }) => [`${offset}`, `${size}`, demangled ?? name]),
      { ...layout, indent: 4 },
    );
    // Parameters are zero before a launch; the lines above name the variables.
    const isZero = /^0*$/.test(bytes.hex);
    const what = description === undefined ? "" : `: ${description}`;
    return [
      `${layout.style("heading", `Constant bank ${bank}`)} ${layout.style("name", escapeControls(section.name))}, ${size} bytes${what}`,
      ...table,
      ...(isZero ? [] : bytesBlock(bytes.hex)),
      ...(!isZero && bytes.size > bytes.hex.length / 2
        ? [`  ... ${bytes.size} bytes in all; -x ${escapeControls(section.name)} shows them`]
        : []),
    ];
  });
}

export function linesBlocks(view: LinesView | null, layout: TextLayout): readonly TextBlock[] {
  if (view === null) return [["No .debug_line: nvcc makes it with -lineinfo or -G, ptxkit link with --debug-line."]];
  const { files, functions } = view;
  const place = (file: number | null, line: number): string => `${file === null ? "?" : files[file]!}:${line}`;
  const head = [layout.style("heading", "Files"), ...files.map((file) => `  ${escapeControls(file)}`)];
  return [
    head,
    ...functions.map(({ function: name, size, rows }): TextBlock => {
      const table = renderTable(
        [
          { title: "OFFSET", align: "right" },
          { title: "LINE", role: "name", shrinks: true },
          { title: "COLUMN", align: "right" },
          { title: "INLINED", shrinks: true },
        ],
        rows.map(({ offset, file, line, column, inlined, calledAt }) => [
          `0x${offset.toString(16)}`,
          place(file, line),
          column === undefined ? "" : `${column}`,
          calledAt === undefined ? "" : `${inlined ?? "?"}, called at ${place(calledAt.file, calledAt.line)}`,
        ]),
        { ...layout, indent: 2 },
      );
      return [
        `${layout.style("heading", "Lines of")} ${layout.style("name", escapeControls(name ?? "?"))}: ${size} bytes`,
        ...table,
      ];
    }),
  ];
}

export function imagesBlocks(modules: readonly ImageComparison[], layout: TextLayout): readonly TextBlock[] {
  if (modules.length === 0) return [["No fatbin holds more than one image with kernels."]];
  return modules.map(({ module, images, kernels, findings }) => [
    `${layout.style("heading", escapeControls(module))}: ${images.length} images, ${kernels} kernel${kernels === 1 ? "" : "s"}, ${findings.length === 0 ? "no differences" : `${findings.length} difference${findings.length === 1 ? "" : "s"}`}`,
    ...findings.map(({ kernel, demangled, what, image, message }) =>
      escapeControls(`  ${image}: ${kernel === undefined ? "" : `${demangled ?? kernel}: `}${what}: ${message}`),
    ),
  ]);
}
