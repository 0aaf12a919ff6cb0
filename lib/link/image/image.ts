// Writes the file of an image: the sections planned by section-plan.ts, in the order of
// ../../object/columns/write/object-file.ts. The two writers produce the same bytes.

import { IS_ENTRY } from "../../object/file/declaration-codes.js";
import { declareDebug, putDebugRelocations } from "../../object/columns/write/debug-sections.js";
import { SHF, SHT, SHT_CUDA } from "../../../formats/elf/index.js";
import { DECLARATION_SECTION } from "../../object/file/container.js";
import { putKernel } from "../../object/file/declaration-rows.js";
import { sectionShape } from "../../object/section-shape.js";
import type { ImageAlias } from "./aliases.js";
import { countApplied } from "./applied-relocations.js";
import { bytesOf, createGrowable, createNames, putBytes, setWord } from "../../object/columns/growable-bytes.js";
import { imageCalls, type CallGraph } from "./call-graph.js";
import { createDeclarations, declareText, finishDeclarations } from "../../object/columns/write/declarations.js";
import { imageDebug } from "./debug-sections.js";
import { declareSymbols, relocateAll } from "./image-declarations.js";
import { functionAttributes, type FunctionAttributes } from "./function-attributes.js";
import { kernelAttributes, parameterBanks, PARAMETER_SYMBOL } from "../../object/columns/write/kernel-attributes.js";
import {
  bytesIn,
  FRAME_NAME,
  sectionFields,
  UNTYPED_BYTES,
  putBuildId,
  putExtended,
  putHeaderSections,
  SYMBOLS,
  WORDS,
} from "../../object/columns/write/header-sections.js";
import { isPresent, type ImageLayout } from "../layout/layout.js";
import { appliedIn, before, behind, imageNumbers, makePlan, type LinkTarget, type Plan } from "./section-plan.js";
import { contentsOf } from "../../object/columns/contents.js";
import { roleNames, ROLE, type DataRole } from "../../object/columns/codes.js";
import { patchBytes, type RelocationOutput } from "./relocate.js";
import type { Resolution } from "../resolve/resolve.js";
import { imageSymbols, type SymbolTable } from "./symbol-table.js";
import { bytesWithCode, startOfCode, type SectionRow, type Columns, fileFinder } from "../../object/columns/columns.js";
import type { TypeId } from "../../object/columns/types.js";
import { internString } from "../../object/columns/strings.js";
import { createFile, type ElfWriter, type SegmentRun } from "../../object/columns/write/elf-writer.js";

/** Limit of the sections after those of kernels' parameters: debug sections with their relocations, declarations, ID, indices. */
const OTHERS = 64;

export interface ImageOptions {
  /** Computes the ID in the image's note from its bytes (object/file/build-id.ts); undefined for an image without ID. */
  readonly identify?: (unidentified: readonly Uint8Array[]) => Uint8Array;
  /** Whether the image records the applied relocations (--emit-relocs). */
  readonly emitRelocations?: boolean;
  /** Called if the stack size of some kernels is unknown. */
  readonly onUnknownStacks?: () => void;
  /** Aliases after the other symbols. */
  readonly aliases?: readonly ImageAlias[];
}

export function imageFile(
  columns: Columns,
  resolution: Resolution,
  layout: ImageLayout,
  linkTarget: LinkTarget,
  { identify, emitRelocations = false, aliases = [], onUnknownStacks }: ImageOptions = {},
): readonly Uint8Array[] {
  const { mergedOf, chosen } = resolution;
  const kernels = columns.kernels.filter((kernel) => chosen[mergedOf[kernel]!] === kernel);
  const targetText = internString(columns.strings, linkTarget.target.name);
  // These add strings, so they precede the string tables.
  const calls = imageCalls(columns, resolution, layout);
  const debug = imageDebug(columns, resolution, layout, kernels, linkTarget.target.sm);
  const applied = emitRelocations ? countApplied(columns, resolution, layout) : undefined;
  const plan = makePlan(columns, resolution, layout, linkTarget, kernels, aliases, debug, applied);
  const sections = plan.indices.firstParameters + kernels.length;
  const names = createNames(columns.strings, sections + resolution.count + aliases.length);
  const symbols = imageSymbols(plan, names);
  const declarations = createDeclarations(columns.strings, columns.types.count, resolution.count);
  const target = declareText(declarations, targetText);
  declareSymbols(plan, symbols, declarations);
  const numberOf = imageNumbers(plan);
  const relocating = relocateAll(plan, symbols, numberOf, declarations);
  for (const kernel of kernels) {
    const shared = layout.shared.kernels.get(mergedOf[kernel]!);
    putKernel(declarations.rows, numberOf[mergedOf[kernel]!]!, shared?.size ?? 0, shared?.dynamicOffset ?? 0);
  }
  declareDebug(columns, debug, plan.debugIndices, declarations);
  const output = createFile("executable", linkTarget, columns.strings, sections + OTHERS);
  const facts = functionAttributes(columns, resolution, layout, kernels, calls, symbols.elfOf, linkTarget.target.sm);
  if (facts.hasUnknownStacks) onUnknownStacks?.();
  const graph = callGraph(calls, symbols);
  const { sm } = linkTarget.target;
  putHeaderSections(output, bytesOf(names.strings), { file: "executable", sm, debug, symbols, info: facts.ofFile });
  putInfo(output, plan, symbols, facts);
  output.bytes(".nv.callgraph", { ...typeOf("callgraph"), link: SYMBOLS }, bytesIn(graph));
  putRelocations(output, plan, relocating);
  putDebugRelocations(output, debug, plan.debugIndices, symbols.elfOf);
  putOwn(output, plan, symbols, patchBytes(relocating));
  putShared(output, plan);
  putParameters(output, plan);
  for (const { name, bytes } of debug.sections) if (name !== FRAME_NAME) output.bytes(name, UNTYPED_BYTES, bytes);
  const header = { target, version: linkTarget.version, modules: columns.moduleStart.length };
  output.bytes(DECLARATION_SECTION, WORDS, finishDeclarations(declarations, header));
  const buildId = identify === undefined ? undefined : putBuildId(output);
  putExtended(output, symbols.extended);
  const parts = output.finish(segmentRuns(plan));
  if (identify !== undefined) buildId!.set(identify(parts));
  return parts;
}

// ------------------------------------------------------------------------------------------------------------- sections

const typeOf = (row: string) => sectionFields(row, "executable");

/** Writes the attributes of each function: those of a kernel's parameters, and those of its code. */
function putInfo(output: ElfWriter, plan: Plan, symbols: SymbolTable, facts: FunctionAttributes): void {
  const { columns, layout, kernels, indices, linkTarget, resolution } = plan;
  const attributes = kernelAttributes(columns.types, linkTarget.target.sm);
  const bankOf = parameterBanks(columns.types, linkTarget.target.sm);
  const numberOf = new Map(kernels.map((kernel, i) => [kernel, i]));
  const put = output.perFunction(".nv.info.", { ...typeOf("function-info"), link: SYMBOLS });
  // Attributes are stored contiguously, because the file is copied in runs.
  const all = createGrowable(1 << 12);
  const { textSections } = layout;
  const { owner: ownerOf, flags } = columns;
  const putKernel = (kernel: number, typeId: TypeId): void => {
    const start = all.length;
    const bytes = attributes(typeId);
    putBytes(all, bytes, 0, bytes.length);
    if (bankOf(typeId).hasAttribute) setWord(all, start + PARAMETER_SYMBOL, symbols.firstParameterSymbol + kernel);
  };
  const starts = new Int32Array(textSections.length + 1);
  for (let i = 0; i < textSections.length; i++) {
    const owner = ownerOf[textSections[i]!]!;
    const kernel = (flags[owner]! & IS_ENTRY) === 0 ? undefined : numberOf.get(owner);
    if (kernel !== undefined) putKernel(kernel, columns.typeId[owner]!);
    const more = facts.of(resolution.mergedOf[owner]!);
    if (more.length > 0) putBytes(all, more, 0, more.length);
    starts[i + 1] = all.length;
  }
  const { name } = columns;
  const { textIndexOf } = indices;
  for (let i = 0; i < textSections.length; i++) {
    const section = textSections[i]!;
    const start = starts[i]!;
    put(name[ownerOf[section]!]!, textIndexOf[section]!, all.bytes, start, starts[i + 1]! - start);
  }
}

/** The call graph section. Adds prototypes to the names of symbols. */
function callGraph({ direct, addresses }: CallGraph, { elfOf, nameOf }: SymbolTable): Uint32Array {
  const { taken, indirect, uses, prototypeOf } = addresses;
  const pairs = new Uint32Array(direct.length + 2 * (4 + taken.length + indirect.length + uses.length));
  let next = 0;
  const put = (first: number, second: number): void => {
    pairs[next++] = first;
    pairs[next++] = second;
  };
  // Each list is opened by 0 and its negated number.
  put(0, -1);
  for (let i = 0; i < direct.length; i++) pairs[next++] = elfOf[direct[i]!]!;
  put(0, -2);
  for (const row of taken) {
    const prototype = prototypeOf(row);
    put(elfOf[row]!, prototype === undefined ? 0 : nameOf(prototype));
  }
  put(0, -3);
  for (const [caller, prototype] of indirect) put(elfOf[caller]!, nameOf(prototype));
  put(0, -4);
  for (const [user, target] of uses) put(elfOf[user]!, elfOf[target]!);
  return pairs;
}

function putRelocations(output: ElfWriter, plan: Plan, relocating: RelocationOutput): void {
  const { columns, layout, indices, applied: counts } = plan;
  const [records, applied] = [bytesIn(relocating.records), bytesIn(relocating.applied ?? NO_RECORDS)];
  const common = { flags: SHF.INFO_LINK, align: 8, link: SYMBOLS };
  const rel = { ...common, type: SHT.REL, entsize: 16 };
  const rela = { ...common, type: SHT.RELA, entsize: 24 };
  const resolved = { ...common, type: SHT_CUDA.RESOLVED_RELA, entsize: 24 };
  let at = 0;
  let appliedAt = 0;
  const putJoined = (role: DataRole): void => {
    const without = 16 * layout.outputSections[role].rel;
    const withAddend = 24 * layout.outputSections[role].rela;
    const known = counts === undefined ? 0 : 24 * appliedIn(layout.outputSections[role], counts);
    const { name } = sectionShape(roleNames[role], "executable");
    const info = indices.outputSections[role]!;
    if (without > 0) output.bytes(`.rel${name}`, { ...rel, info }, records, at, without);
    if (withAddend > 0) output.bytes(`.rela${name}`, { ...rela, info }, records, at + without, withAddend);
    if (known > 0) output.bytes(`.nv.resolvedrela${name}`, { ...resolved, info }, applied, appliedAt, known);
    at += without + withAddend;
    appliedAt += known;
  };
  before.forEach(putJoined);
  const putRel = output.perFunction(".rel.text.", rel);
  const putRela = output.perFunction(".rela.text.", rela);
  const putResolved = output.perFunction(".nv.resolvedrela.text.", resolved);
  const { textSections } = layout;
  for (let i = 0; i < textSections.length; i++) {
    const section = textSections[i]!;
    const name = columns.name[columns.owner[section]!]!;
    const without = 16 * layout.rel[section]!;
    const withAddend = 24 * layout.rela[section]!;
    const known = counts === undefined ? 0 : 24 * counts[section]!;
    if (without > 0) putRel(name, indices.textIndexOf[section]!, records, at, without);
    if (withAddend > 0) putRela(name, indices.textIndexOf[section]!, records, at + without, withAddend);
    if (known > 0) putResolved(name, indices.textIndexOf[section]!, applied, appliedAt, known);
    at += without + withAddend;
    appliedAt += known;
  }
  behind.forEach(putJoined);
}

const NO_RECORDS = new Uint32Array(0);

/** Writes the object's own sections. `patched`: the bytes of sections with patches. */
function putOwn(
  output: ElfWriter,
  { columns, layout, resolution }: Plan,
  { elfOf }: SymbolTable,
  patched: ReadonlyMap<SectionRow, Uint8Array>,
): void {
  const fileOf = fileFinder(columns);
  const putJoined = (role: DataRole): void => {
    const { inputs, align, size } = layout.outputSections[role];
    if (!isPresent(layout.outputSections[role])) return;
    const { name, type, flags, entsize } = sectionShape(roleNames[role], "executable");
    const how = { type, flags, entsize, align };
    if (role === ROLE.global || role === ROLE.local) {
      output.noBytes(name, how, size);
      return;
    }
    const whole = new Uint8Array(size);
    for (const section of inputs) {
      whole.set(patched.get(section) ?? contentsOf(columns, fileOf(section), section), layout.offset[section]);
    }
    output.bytes(name, how, whole);
  };
  before.forEach(putJoined);
  const put = output.perFunction(".text.", { ...typeOf("text"), link: SYMBOLS });
  const { textSections } = layout;
  const { mergedOf } = resolution;
  const { owner: ownerOf, name, size, align } = columns;
  const putCode = (section: SectionRow): void => {
    const owner = ownerOf[section]!;
    const symbol = elfOf[mergedOf[owner]!]!;
    const own = patched.size === 0 ? undefined : patched.get(section);
    const from = own ?? bytesWithCode(columns, fileOf(section), section);
    const start = own === undefined ? startOfCode(columns, section) : 0;
    put(name[owner]!, symbol, from, start, size[section]!, align[section]!);
  };
  for (let i = 0; i < textSections.length; i++) putCode(textSections[i]!);
  behind.forEach(putJoined);
}

const NOTHING = new Uint8Array(0);

function putShared(output: ElfWriter, { columns, resolution, indices, shared }: Plan): void {
  const common = typeOf("module-shared");
  const put = output.perFunction(".nv.shared.", typeOf("shared"));
  for (const { kernel, align, size } of shared) {
    if (kernel === undefined) {
      output.noBytes(sectionShape("module-shared", "executable").name, { ...common, align }, size);
      continue;
    }
    const symbol = resolution.chosen[kernel]!;
    put(columns.name[symbol]!, indices.textIndexOf[columns.sectionOf[symbol]!]!, NOTHING, -1, size, align);
  }
}

function putParameters(output: ElfWriter, { columns, kernels, indices, linkTarget }: Plan): void {
  const put = output.perFunction(".nv.constant0.", typeOf("parameters"));
  const bankOf = parameterBanks(columns.types, linkTarget.target.sm);
  const sizes = kernels.map((kernel) => {
    const { base, bytes } = bankOf(columns.typeId[kernel]!);
    return base + bytes;
  });
  // Zeros are one array, because the file is copied in runs.
  const zeros = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  kernels.forEach((kernel, i) => {
    put(columns.name[kernel]!, indices.textIndexOf[columns.sectionOf[kernel]!]!, zeros, at, sizes[i]!);
    at += sizes[i]!;
  });
}

/** Runs of own sections that are all writable or all not: first and last index. */
function segmentRuns({ layout, indices, firstOwn }: Plan): readonly SegmentRun[] {
  const firstData = indices.firstText + layout.textSections.length;
  const runs: [first: number, last: number, isWritable: boolean][] = [];
  const add = (first: number, end: number, isWritable: boolean): void => {
    const last = runs.at(-1);
    if (end <= first) return;
    if (last?.[2] === isWritable) last[1] = end - 1;
    else runs.push([first, end - 1, isWritable]);
  };
  add(firstOwn, firstData, false);
  for (const role of behind) {
    const isWritable = (sectionShape(roleNames[role], "executable").flags & SHF.WRITE) !== 0;
    if (isPresent(layout.outputSections[role]))
      add(indices.outputSections[role]!, indices.outputSections[role]! + 1, isWritable);
  }
  add(indices.firstShared, indices.firstParameters, true);
  return runs;
}
