// The data of .section directives and of @@DWARF lines: PTX ISA 9.0 section 11.5.

import { SECTION_TYPES, visitSection } from "../ptx/section-data.js";
import type { SectionDirective } from "../ptx/tree.js";
import type { Reporter } from "./reporter.js";
import { requireFeature, type Platform } from "./require.js";

/** The values of a DWARF section fit their type, read as signed or unsigned. */
export function checkSectionData({ part }: SectionDirective, platform: Platform, reporter: Reporter): void {
  visitSection(part, {
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
  for (const misfit of part.data.misfits.slice(part.firstMisfit, part.endMisfit))
    reporter.report("section-data", misfit, `${misfit.value} does not fit .${SECTION_TYPES[misfit.type]!}`);
}
