// Windows and macOS files as text: the kind of each program in them, and its sections.

import { nameOf } from "../inspect/context/values.js";
import type { HostView } from "../inspect/views/host.js";
import { factLines } from "./facts.js";
import { shortName } from "./inspect-elf-text.js";
import type { TextBlock, TextLayout } from "./text-layout.js";
import { renderTable } from "./table.js";

export function hostBlocks(hosts: readonly HostView[], layout: TextLayout): readonly TextBlock[] {
  return hosts.flatMap((host) => [
    factLines(
      [
        ["format", host.format],
        ["machine", nameOf(host.machine)],
        ["type", host.type],
        ["place", hosts.length > 1 ? `${host.offset}, ${host.size} bytes` : ""],
      ],
      layout,
    ),
    sectionTable(host, layout),
  ]);
}

function sectionTable({ sections }: HostView, layout: TextLayout): TextBlock {
  if (sections.length === 0) return [];
  const table = renderTable(
    [
      { title: "#", align: "right" },
      { title: "NAME", role: "name", shrinks: true },
      { title: "OFFSET", align: "right" },
      { title: "SIZE", align: "right" },
      { title: "ADDRESS", align: "right" },
      { title: "FLAGS", shrinks: true, optional: true },
      { title: "HOLDS" },
    ],
    sections.map(({ index, name, offset, size, address, flags, deviceCode }) => [
      `${index}`,
      name,
      `${offset}`,
      `${size}`,
      address.value === 0 ? "" : address.hex,
      flags.flags.map((flag) => shortName({ value: flag, rawValue: 0 }, "IMAGE_SCN_")).join(" "),
      deviceCode ? "device code" : "",
    ]),
    { ...layout, indent: 2 },
  );
  return [layout.style("heading", "Sections"), ...table];
}
