// The sanitizer of a library's device: created at the first launch that requests it, with findings separated by launch.

import type { Process } from "../../load/process.js";
import { createPrograms, type ProgramOptions, type Programs } from "../program/programs.js";
import type { Finding } from "../sanitize/finding.js";
import { createSanitizer, type Sanitizer } from "../sanitize/sanitizer.js";

export interface DeviceSanitizer {
  /** Begins a launch: the options to run it with, and a function that returns its findings after it has ended. */
  begin(): {
    readonly options: { readonly sanitizer: Sanitizer; readonly programs: Programs };
    readonly findings: () => readonly Finding[];
  };
  leaks(): readonly Finding[];
}

export function createDeviceSanitizer(process: Process, options: ProgramOptions): DeviceSanitizer {
  let made: { readonly sanitizer: Sanitizer; readonly programs: Programs } | undefined;
  const make = () => {
    const sanitizer = createSanitizer(process);
    return { sanitizer, programs: createPrograms(process, { ...options, instrument: sanitizer.instrument }) };
  };
  return {
    begin() {
      const both = (made ??= make());
      const before = both.sanitizer.findings;
      return { options: both, findings: () => newFindings(before, both.sanitizer.findings) };
    },
    leaks: () => made?.sanitizer.leaks() ?? [],
  };
}

/** The findings of a launch: new ones, and earlier ones that occurred again, with the count of new occurrences. */
function newFindings(before: readonly Finding[], now: readonly Finding[]): readonly Finding[] {
  const keyOf = ({ kind, message, ptx, other, kernel }: Finding): string =>
    JSON.stringify([kind, message, ptx, other?.ptx, kernel]);
  const counts = new Map(before.map((finding) => [keyOf(finding), finding.count]));
  return now.flatMap((finding) => {
    const count = finding.count - (counts.get(keyOf(finding)) ?? 0);
    return count > 0 ? [{ ...finding, count }] : [];
  });
}
