// Files that break the rules about the second copy of code and data, and about what -preserve-relocs keeps.

import type { ElfSection } from "../../formats/elf/index.js";
import { cubinBytes } from "../formats/recorded.js";
import { add32, symbolNamed, symbolPlace, type Edit } from "./edits.js";
import { rareCubin } from "./recorded.js";

export const copyBreaches: readonly (readonly [rule: string, file: Uint8Array, edit: Edit])[] = [
  [
    "relocation-applied",
    rareCubin("alike.sm_100.cubin"),
    (view, section) => add32(view, section(".nv.merc.nv.resolvedrela.text.helper").offset + 12, 1),
  ],
  [
    "relocation-applied",
    rareCubin("alike.sm_100.cubin"),
    (view, section) => add32(view, section(".nv.resolvedrela.text.helper").headerOffset + 32, -24),
  ],
  [
    "symbol-copy",
    cubinBytes("linked.sm_100.cubin"),
    (view, section) => add32(view, section(".nv.merc.symtab").headerOffset + 44, 1),
  ],
  [
    "symbol-copy",
    rareCubin("copies.sm_100.o"),
    (view, section) => add32(view, section(".nv.merc.symtab").headerOffset + 32, -24),
  ],
  ...[0, 4, 5, 6, 8, 16].map(
    (field) =>
      [
        "symbol-copy",
        rareCubin("copies.sm_100.o"),
        (view: DataView, section: (name: string) => ElfSection, bytes: Uint8Array) => {
          const at = section(".nv.merc.symtab").offset + 24 * symbolNamed(bytes, "rest") + field;
          view.setUint8(at, view.getUint8(at) ^ (field === 4 ? 0x20 : 4));
        },
      ] as const,
  ),
  [
    "info-copy",
    rareCubin("copies.sm_100.o"),
    (view, section) => add32(view, section(".nv.merc.nv.info").offset + 4, 1),
  ],
  [
    "code-copy",
    rareCubin("copies.sm_100.o"),
    (view, section) => add32(view, section(".nv.merc.rela.text.first").offset + 12, 1),
  ],
  [
    "code-copy",
    rareCubin("copies.sm_100.o"),
    (view, section) => add32(view, section(".nv.merc.rela.debug_frame").offset + 16, 4),
  ],
  [
    "copy-size",
    rareCubin("copies.sm_100.o"),
    (view, section) => add32(view, section(".nv.merc.nv.global.init").headerOffset + 32, 1),
  ],
  [
    "frame-relocation",
    rareCubin("alike.sm_75.cubin"),
    (view, section) => add32(view, section(".debug_frame").offset + 4, 1000),
  ],
  [
    "frame-relocation",
    rareCubin("alike.sm_75.cubin"),
    (view, section) => view.setUint8(section(".debug_frame").offset + 20, 4),
  ],
  // Among functions of one name, no position is written more often than there are functions.
  [
    "relocation-type",
    rareCubin("alike.sm_75.cubin"),
    (view, section) => {
      const { offset } = section(".nv.resolvedrela.text.helper");
      for (const record of [0, 24]) view.setUint32(offset + record, 16, true);
    },
  ],
  [
    "relocations",
    rareCubin("alike.sm_75.cubin"),
    (view, section) => add32(view, section(".nv.resolvedrela.text.helper").offset, 4096),
  ],
  [
    "symbol-place",
    rareCubin("alike.sm_90.cubin"),
    (view, section, bytes) => add32(view, symbolPlace(bytes, section, "both") + 8, 1024),
  ],
];
