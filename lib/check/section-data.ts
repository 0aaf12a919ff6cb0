// Checks the data of .section directives and @@DWARF lines: PTX ISA 9.0 section 11.5.

import { SECTION_TYPES, visitSection } from "../ptx/section-data.js";
import type { SectionDirective } from "../ptx/tree.js";
import type { Reporter } from "./reporter.js";
import { requireFeature, type Platform } from "./require.js";

/** Checks that the values of a DWARF section fit their type, signed or unsigned. */
export function checkSectionData({ part }: SectionDirective, platform: Platform, reporter: Reporter): void {
  const { misfits } = part.data;
  let next = part.firstMisfit;
  /** Reports invalid values before an offset, in order. */
  const reportMisfits = (before: number): void => {
    for (; next < part.endMisfit && misfits[next]!.start < before; next++) {
      const misfit = misfits[next]!;
      reporter.report("section-data", misfit, `${misfit.value} does not fit .${SECTION_TYPES[misfit.type]!}`);
    }
  };
  visitSection(part, {
    section(start, end) {
      reportMisfits(start);
      requireFeature(".section", { start, end }, platform, reporter);
    },
    label: (_, __, start, end) => requireFeature("a label in a section", { start, end }, platform, reporter),
    reference({ name, minus }, _, type, start, end) {
      const range = { start, end };
      if (type < 2)
        reporter.report(
          "section-data",
          range,
          `'${name}' is an offset of 32 or 64 bits; .${SECTION_TYPES[type]!} cannot hold it`,
        );
      if (minus !== undefined) requireFeature("the difference of two labels", range, platform, reporter);
    },
    integers: () => {},
  });
  reportMisfits(Infinity);
}
