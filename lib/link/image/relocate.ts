// Pass: applies the relocations whose values are known once everything is placed, and keeps the rest for the loader. Known are
// offsets in the constant bank, in local and in shared memory. Unknown are values that depend on load addresses: global and
// generic addresses, functions, kernels. A relocation writes only its holder's bytes. The pass turns the records of the inputs
// into those of the image; object/relocation-types.ts has the types; docs/linking.md.

import { IMAGE_TYPE, LINKED_BYTE, WHOLE } from "../../object/relocation-types.js";
import { knownAt, hasNoKnownOffsets, rangesFinder, type ImageLayout } from "../layout/layout.js";
import { contentsOf } from "../../object/columns/contents.js";
import { offsetIn, type KeptRanges } from "../../object/columns/kept-ranges.js";
import { forEachRun, stepOf } from "../../object/columns/relocations.js";
import type { MergedRow, Resolution } from "../resolve/resolve.js";
import { REL_WORDS, RELA_WORDS, type SectionRow, type Columns, fileFinder } from "../../object/columns/columns.js";
import { addToRuns, closeRuns, createRuns, openRuns } from "../../object/columns/relocation-runs.js";
import { isDataRole, ROLE } from "../../object/columns/codes.js";
import { createOutputRelocations, type OutputRelocations } from "../../object/columns/write/output-rows.js"; // prettier-ignore
import type { SectionPlan } from "./section-plan.js";

/** The relocations and patches of the output, section after section. */
export interface RelocationOutput {
  readonly columns: Columns;
  readonly resolution: Resolution;
  readonly layout: ImageLayout;
  /** The ELF symbol of each merged symbol. */
  readonly elfOf: Int32Array;
  readonly writesRel: boolean;
  readonly relocations: OutputRelocations;
  /** Index of the next record without and with an addend. */
  rel: number;
  rela: number;
  /** Patches of sections' bytes: section, offset, width, low and high word of the value. */
  readonly patches: number[];
  /** Whether the image keeps records of applied relocations; `nextApplied`: index of the next one. */
  readonly keepsApplied: boolean;
  nextApplied: number;
}

/** How relocations are written. */
export interface RelocationOptions {
  /** The ELF symbol of each merged symbol. */
  readonly elfOf: Int32Array;
  readonly writesRel: boolean;
  /** Number of applied relocations, if the image keeps their records. */
  readonly applied: number | undefined;
}

/** Relocates all sections of the image. */
export function relocateSections(
  columns: Columns,
  resolution: Resolution,
  layout: ImageLayout,
  { sections }: SectionPlan,
  { elfOf, writesRel, applied }: RelocationOptions,
): RelocationOutput {
  const { outputSections, rel, rela } = layout;
  const { count, role, row } = sections;
  /** Number of records of each section without an addend. */
  const withoutAddend = new Int32Array(count);
  let words = 0;
  for (let i = 0; i < count; i++) {
    const own = role[i]!;
    if (own === ROLE.text) {
      withoutAddend[i] = rel[row[i]!]!;
      words += RELA_WORDS * rela[row[i]!]!;
    } else if (isDataRole(own)) {
      withoutAddend[i] = outputSections[own].rel;
      words += RELA_WORDS * outputSections[own].rela;
    }
    words += REL_WORDS * withoutAddend[i]!;
  }
  const appliedRecords = new Uint32Array(RELA_WORDS * (applied ?? 0));
  const relocations = createOutputRelocations(count, createRuns(), new Uint32Array(words), appliedRecords);
  const output: RelocationOutput = {
    columns,
    resolution,
    layout,
    elfOf,
    writesRel,
    relocations,
    rel: 0,
    rela: 0,
    patches: [],
    keepsApplied: applied !== undefined,
    nextApplied: 0,
  };
  const relocate = createRelocator(output);
  const fileOf = fileFinder(columns);
  const { start, relaStart, runs, runStart, appliedStart } = relocations;
  for (let i = 0; i < count; i++) {
    const own = role[i]!;
    output.rel = output.rela;
    output.rela += REL_WORDS * withoutAddend[i]!;
    relaStart[i] = output.rela;
    runStart[i] = openRuns(runs);
    if (own === ROLE.text) relocate(i, fileOf(row[i]!), row[i]!, 0);
    else if (isDataRole(own))
      for (const section of outputSections[own].inputs) relocate(i, fileOf(section), section, layout.offset[section]!);
    start[i + 1] = output.rela;
    closeRuns(runs, runStart[i]!);
    appliedStart[i + 1] = output.nextApplied;
  }
  return output;
}

/**
 * State for the section being relocated. One object is reused, because closures for each section would be most of the garbage of
 * a link.
 */
interface Relocating {
  readonly output: RelocationOutput;
  readonly isNoneKnown: boolean;
  words: Uint32Array;
  firstElfSymbol: number;
  section: SectionRow;
  base: number;
  ranges: KeptRanges | undefined;
  /** First word of the runs of the image's section. */
  runStart: number;
}

/** Returns a function that relocates a section of a file; `base`: its offset in section `into` of the image. */
function createRelocator(
  output: RelocationOutput,
): (into: number, file: number, section: SectionRow, base: number) => void {
  const { columns, layout } = output;
  const rangesOf = rangesFinder(columns, layout.keptRanges);
  const state: Relocating = {
    output,
    isNoneKnown: hasNoKnownOffsets(columns, layout),
    words: NO_WORDS,
    firstElfSymbol: 0,
    section: 0,
    base: 0,
    ranges: undefined,
    runStart: 0,
  };
  const relocate = (start: number, end: number, code: number): void => relocateRun(state, start, end, code);
  const { runStart } = output.relocations;
  return (into, file, section, base) => {
    state.runStart = runStart[into]! + 1;
    state.words = columns.files[file]!.words;
    state.firstElfSymbol = columns.firstElfSymbol[file]!;
    state.section = section;
    state.base = base;
    state.ranges = rangesOf(section);
    forEachRun(columns, file, section, relocate);
  };
}

/** Applies the relocations of a run, or writes their records. */
function relocateRun(state: Relocating, start: number, end: number, code: number): void {
  const { output, isNoneKnown, words, firstElfSymbol, section, base, ranges, runStart } = state;
  const { columns, layout, elfOf, writesRel } = output;
  const { records, runs } = output.relocations;
  const { shifts, symbolOf } = columns;
  const { mergedOf } = output.resolution;
  const { linkTimeOffset } = layout;
  const isShifted = shifts.size > 0;
  const isRela = (code & 1) !== 0;
  const step = stepOf(code);
  let { rel: nextRel, rela: nextRela } = output;
  // Number of consecutive records in the same table.
  let alike = 0;
  let likeRela = isRela;
  for (let at = start; at < end; at += step) {
    const elf = firstElfSymbol + words[at + 3]!;
    // The symbol was removed, or is a fixed address.
    if (symbolOf[elf]! < 0) continue;
    const offset = ranges === undefined ? words[at]! : offsetIn(ranges, words[at]!);
    if (offset < 0) continue;
    let low = isRela ? words[at + 4]! : 0;
    let high = isRela ? words[at + 5]! : 0;
    if (isShifted) {
      const sum = low + (shifts.get(elf) ?? 0);
      high = (high + (sum > 0xffff_ffff ? 1 : 0)) >>> 0;
      low = sum >>> 0;
    }
    const type = words[at + 2]!;
    const merged = mergedOf[symbolOf[elf]!]!;
    const place = isNoneKnown || linkTimeOffset[merged] === -1 ? -1 : knownAt(columns, layout, section, merged);
    if (place >= 0 && LINKED_BYTE[type]! >= 0) {
      patch(output, section, offset, code >> 1, type, place + low, high);
      if (output.keepsApplied) noteApplied(output, base + offset, type, merged, low, high);
      continue;
    }
    const toRela = !writesRel || (low | high) !== 0;
    const into = toRela ? nextRela : nextRel;
    records[into] = base + offset;
    records[into + 2] = IMAGE_TYPE[type]!;
    records[into + 3] = elfOf[merged]!;
    if (toRela) {
      records[into + 4] = low;
      records[into + 5] = high;
      nextRela += RELA_WORDS;
    } else nextRel += REL_WORDS;
    if (toRela !== likeRela) {
      if (alike > 0) addToRuns(runs, (code & ~1) | (likeRela ? 1 : 0), alike, runStart);
      likeRela = toRela;
      alike = 0;
    }
    alike++;
  }
  if (alike > 0) addToRuns(runs, (code & ~1) | (likeRela ? 1 : 0), alike, runStart);
  output.rel = nextRel;
  output.rela = nextRela;
}

const NO_WORDS = new Uint32Array(0);

/** Adds a patch. `sum`: the value's low word, possibly beyond 2^32. */
function patch(
  { patches }: RelocationOutput,
  section: SectionRow,
  offset: number,
  width: number,
  type: number,
  sum: number,
  high: number,
): void {
  const low = sum >>> 0;
  const upper = (high + (sum > 0xffff_ffff ? 1 : 0)) >>> 0;
  const byte = LINKED_BYTE[type]!;
  if (byte === WHOLE) patches.push(section, offset, width, low, upper);
  else patches.push(section, offset, width, ((byte < 4 ? low : upper) >>> (8 * (byte & 3))) & 0xff, 0);
}

function noteApplied(
  output: RelocationOutput,
  offset: number,
  type: number,
  target: MergedRow,
  low: number,
  high: number,
): void {
  const { elfOf, nextApplied: at } = output;
  const records = output.relocations.applied;
  records[at] = offset;
  records[at + 2] = type;
  records[at + 3] = elfOf[target]!;
  records[at + 4] = low;
  records[at + 5] = high;
  output.nextApplied += RELA_WORDS;
}

/** The bytes of sections with patches, patched. */
export function patchBytes({ columns, patches }: RelocationOutput): ReadonlyMap<SectionRow, Uint8Array> {
  const patched = new Map<SectionRow, Uint8Array>();
  const fileOf = fileFinder(columns);
  for (let at = 0; at < patches.length; at += 5) {
    const section = patches[at]!;
    let bytes = patched.get(section);
    if (bytes === undefined) {
      bytes = new Uint8Array(contentsOf(columns, fileOf(section), section));
      patched.set(section, bytes);
    }
    const [offset, width] = [patches[at + 1]!, patches[at + 2]!];
    for (let i = 0; i < width; i++) bytes[offset + i] = (patches[at + (i < 4 ? 3 : 4)]! >>> (8 * (i & 3))) & 0xff;
  }
  return patched;
}
