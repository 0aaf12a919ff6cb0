// The data of .section directives and of @@DWARF lines: PTX ISA 9.0 section 11.5.

import type { SectionDirective } from "../ptx/tree.js";
import type { Reporter } from "./reporter.js";
import { requireFeature, type Platform } from "./require.js";

/** The values of a DWARF section fit their type, read as signed or unsigned; ptxas does not mind large .b32 ones. */
export function checkSectionData({ items }: SectionDirective, platform: Platform, reporter: Reporter): void {
  for (const item of items) {
    if (item.kind === "label") {
      requireFeature("a label in a section", item, platform, reporter);
      continue;
    }
    const { bits, least, beyond } = sectionTypes[item.type as keyof typeof sectionTypes];
    let wrong: bigint | undefined;
    for (const one of item.values) {
      if (one.kind === "integer") {
        if (wrong === undefined && (one.value < least || one.value >= beyond)) wrong = one.value;
        continue;
      }
      if (bits < 32)
        reporter.report(
          "section-data",
          item,
          `'${one.name}' is an offset of 32 or 64 bits; .${item.type} cannot hold it`,
        );
      if (one.minus !== undefined) requireFeature("the difference of two labels", item, platform, reporter);
    }
    if (wrong !== undefined) reporter.report("section-data", item, `${wrong} does not fit .${item.type}`);
  }
}

const sectionTypes = {
  b8: { bits: 8, least: -(1n << 7n), beyond: 1n << 8n },
  b16: { bits: 16, least: -(1n << 15n), beyond: 1n << 16n },
  b32: { bits: 32, least: -(1n << 31n), beyond: 1n << 64n },
  b64: { bits: 64, least: -(1n << 63n), beyond: 1n << 64n },
} as const;
