// The image of a plain link (../link.ts) as bytes: the sections of sections.ts and image.ts in the order and with the
// headers of object/file/write.ts. Byte for byte what those write.

import { SHF, SHT, SHT_CUDA } from "../../../../formats/elf/index.js";
import { DECLARATION_SECTION } from "../../../object/file/container.js";
import { putKernel } from "../../../object/file/declaration-rows.js";
import { sectionShape } from "../../../object/section-shape.js";
import type { ImageAlias } from "./aliases.js";
import { countApplied } from "./applied.js";
import { bytesOf, createGrowing, createNames, putBytes, setWord } from "../tables/bytes.js";
import { plainCalls, type PlainCalls } from "./calls.js";
import { createDeclaring, declareText, finishDeclaring } from "./declare.js";
import { declareDebug, plainDebug, putDebugRelocations } from "./debug.js";
import { declareSymbols, relocateAll } from "./declared.js";
import { plainFacts, type PlainFacts } from "./facts.js";
import { kernelAttributes, parameterBanks, PARAMETER_SYMBOL } from "./kernels.js";
import { bytesIn, FRAME_NAME, howOf, PLAIN_BYTES, putBuildId, putExtended, putHeads, SYMBOLS, WORDS } from "./heads.js";
import { isJoined, type PlainLayout } from "../layout/layout.js";
import { appliedIn, before, behind, fileFinder, imageNumbers, makePlan, type PlainGoal, type Plan } from "./plan.js";
import { contentsOf } from "../tables/contents.js";
import { IS_ENTRY, plainRoles, ROLE, type DataRole } from "../tables/codes.js";
import { patchBytes, type Relocating } from "./relocate.js";
import type { PlainResolution } from "../names/resolve.js";
import { plainSymbols, type PlainSymbols } from "./symbols.js";
import { bytesWithCode, startOfCode, type SectionRow, type Tables } from "../tables/tables.js";
import type { ShapeId } from "../tables/shapes.js";
import { internText } from "../tables/texts.js";
import { createFile, type PlainOutput, type SegmentRun } from "./output.js";

/** Sections behind those of kernels' parameters, at most: debug sections with their relocations, declarations, ID, indices. */
const OTHERS = 64;

export interface PlainImageOptions {
  /** What makes of the image's bytes the ID in its note (object/file/build-id.ts), where it is to have one. */
  readonly identify?: (unidentified: readonly Uint8Array[]) => Uint8Array;
  /** Whether the image tells which relocations were applied (--emit-relocs). */
  readonly emitRelocations?: boolean;
  /** Told where there are kernels for which no size of stack is known. */
  readonly onUnknownStacks?: () => void;
  /** Symbols behind the others. */
  readonly aliases?: readonly ImageAlias[];
}

export function plainImage(
  tables: Tables,
  resolution: PlainResolution,
  layout: PlainLayout,
  goal: PlainGoal,
  { identify, emitRelocations = false, aliases = [], onUnknownStacks }: PlainImageOptions = {},
): readonly Uint8Array[] {
  const { mergedOf, chosen } = resolution;
  const kernels = tables.kernels.filter((kernel) => chosen[mergedOf[kernel]!] === kernel);
  const targetText = internText(tables.texts, goal.target.name);
  // These add texts, which the tables of names are made for.
  const calls = plainCalls(tables, resolution, layout);
  const debug = plainDebug(tables, resolution, layout, kernels, goal.target.sm);
  const applied = emitRelocations ? countApplied(tables, resolution, layout) : undefined;
  const plan = makePlan(tables, resolution, layout, goal, kernels, aliases, debug, applied);
  const sections = plan.indices.firstParameters + kernels.length;
  const names = createNames(tables.texts, sections + resolution.count + aliases.length);
  const symbols = plainSymbols(tables, resolution, layout, kernels, plan.indices, plan.shared, names, aliases);
  const declaring = createDeclaring(tables.texts, tables.shapes.count, resolution.count);
  const target = declareText(declaring, targetText);
  declareSymbols(plan, symbols, declaring);
  const numberOf = imageNumbers(plan);
  const relocating = relocateAll(plan, symbols, numberOf, declaring);
  for (const kernel of kernels) {
    const shared = layout.shared.kernels.get(mergedOf[kernel]!);
    putKernel(declaring.rows, numberOf[mergedOf[kernel]!]!, shared?.size ?? 0, shared?.dynamicOffset ?? 0);
  }
  declareDebug(tables, debug, plan.debugIndices, declaring);
  const output = createFile("executable", goal, tables.texts, sections + OTHERS);
  const facts = plainFacts(tables, resolution, layout, kernels, calls, symbols.elfOf, goal.target.sm);
  if (facts.hasUnknownStacks) onUnknownStacks?.();
  const graph = callGraph(calls, symbols);
  const { sm } = goal.target;
  putHeads(output, bytesOf(names.strings), { file: "executable", sm, debug, symbols, info: facts.ofFile });
  putInfo(output, plan, symbols, facts);
  output.bytes(".nv.callgraph", { ...shapeOf("callgraph"), link: SYMBOLS }, bytesIn(graph));
  putRelocations(output, plan, relocating);
  putDebugRelocations(output, debug, plan.debugIndices, symbols.elfOf);
  putOwn(output, plan, symbols, patchBytes(relocating));
  putShared(output, plan);
  putParameters(output, plan);
  for (const { name, bytes } of debug.sections) if (name !== FRAME_NAME) output.bytes(name, PLAIN_BYTES, bytes);
  const header = { target, version: goal.version, modules: tables.moduleStart.length };
  output.bytes(DECLARATION_SECTION, WORDS, finishDeclaring(declaring, header));
  const buildId = identify === undefined ? undefined : putBuildId(output);
  putExtended(output, symbols.extended);
  const parts = output.finish(segmentRuns(plan));
  if (identify !== undefined) buildId!.set(identify(parts));
  return parts;
}

// ------------------------------------------------------------------------------------------------------------- sections

const shapeOf = (row: string) => howOf(row, "executable");

/** The attributes of each function: of kernels those of their parameters, and of all what is to be said of their code. */
function putInfo(output: PlainOutput, plan: Plan, symbols: PlainSymbols, facts: PlainFacts): void {
  const { tables, layout, kernels, indices, goal, resolution } = plan;
  const attributes = kernelAttributes(tables.shapes, goal.target.sm);
  const bankOf = parameterBanks(tables.shapes, goal.target.sm);
  const numberOf = new Map(kernels.map((kernel, i) => [kernel, i]));
  const put = output.perFunction(".nv.info.", { ...shapeOf("function-info"), link: SYMBOLS });
  // One behind the other, because the file is copied in runs.
  const all = createGrowing(1 << 12);
  const { texts } = layout;
  const { owner: ownerOf, flags } = tables;
  const putKernel = (kernel: number, shape: ShapeId): void => {
    const start = all.length;
    const bytes = attributes(shape);
    putBytes(all, bytes, 0, bytes.length);
    if (bankOf(shape).isSaid) setWord(all, start + PARAMETER_SYMBOL, symbols.firstParameterSymbol + kernel);
  };
  const starts = new Int32Array(texts.length + 1);
  for (let i = 0; i < texts.length; i++) {
    const owner = ownerOf[texts[i]!]!;
    const kernel = (flags[owner]! & IS_ENTRY) === 0 ? undefined : numberOf.get(owner);
    if (kernel !== undefined) putKernel(kernel, tables.shape[owner]!);
    const more = facts.of(resolution.mergedOf[owner]!);
    if (more.length > 0) putBytes(all, more, 0, more.length);
    starts[i + 1] = all.length;
  }
  const { name } = tables;
  const { textOf } = indices;
  for (let i = 0; i < texts.length; i++) {
    const section = texts[i]!;
    const start = starts[i]!;
    put(name[ownerOf[section]!]!, textOf[section]!, all.bytes, start, starts[i + 1]! - start);
  }
}

/** Adds prototypes to the names of symbols. */
function callGraph({ direct, addresses }: PlainCalls, { elfOf, nameOf }: PlainSymbols): Uint32Array {
  const { taken, indirect, uses, prototypeOf } = addresses;
  const pairs = new Uint32Array(direct.length + 2 * (4 + taken.length + indirect.length + uses.length));
  let next = 0;
  const put = (first: number, second: number): void => {
    pairs[next++] = first;
    pairs[next++] = second;
  };
  // Each list is opened by 0 and its number below 0.
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

function putRelocations(output: PlainOutput, plan: Plan, relocating: Relocating): void {
  const { tables, layout, indices, applied: counts } = plan;
  const [records, applied] = [bytesIn(relocating.records), bytesIn(relocating.applied ?? NO_RECORDS)];
  const common = { flags: SHF.INFO_LINK, align: 8, link: SYMBOLS };
  const rel = { ...common, type: SHT.REL, entsize: 16 };
  const rela = { ...common, type: SHT.RELA, entsize: 24 };
  const resolved = { ...common, type: SHT_CUDA.RESOLVED_RELA, entsize: 24 };
  let at = 0;
  let appliedAt = 0;
  const putJoined = (role: DataRole): void => {
    const without = 16 * layout.joined[role].rel;
    const withAddend = 24 * layout.joined[role].rela;
    const known = counts === undefined ? 0 : 24 * appliedIn(layout.joined[role], counts);
    const { name } = sectionShape(plainRoles[role], "executable");
    const info = indices.joined[role]!;
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
  const { texts } = layout;
  for (let i = 0; i < texts.length; i++) {
    const section = texts[i]!;
    const name = tables.name[tables.owner[section]!]!;
    const without = 16 * layout.rel[section]!;
    const withAddend = 24 * layout.rela[section]!;
    const known = counts === undefined ? 0 : 24 * counts[section]!;
    if (without > 0) putRel(name, indices.textOf[section]!, records, at, without);
    if (withAddend > 0) putRela(name, indices.textOf[section]!, records, at + without, withAddend);
    if (known > 0) putResolved(name, indices.textOf[section]!, applied, appliedAt, known);
    at += without + withAddend;
    appliedAt += known;
  }
  behind.forEach(putJoined);
}

const NO_RECORDS = new Uint32Array(0);

/** The object's own sections. `patched`: the bytes of those that have patches. */
function putOwn(
  output: PlainOutput,
  { tables, layout, resolution }: Plan,
  { elfOf }: PlainSymbols,
  patched: ReadonlyMap<SectionRow, Uint8Array>,
): void {
  const fileOf = fileFinder(tables);
  const putJoined = (role: DataRole): void => {
    const { pieces, align, size } = layout.joined[role];
    if (!isJoined(layout.joined[role])) return;
    const { name, type, flags, entsize } = sectionShape(plainRoles[role], "executable");
    const how = { type, flags, entsize, align };
    if (role === ROLE.global || role === ROLE.local) {
      output.noBytes(name, how, size);
      return;
    }
    const whole = new Uint8Array(size);
    for (const section of pieces) {
      whole.set(patched.get(section) ?? contentsOf(tables, fileOf(section), section), layout.offset[section]);
    }
    output.bytes(name, how, whole);
  };
  before.forEach(putJoined);
  const put = output.perFunction(".text.", { ...shapeOf("text"), link: SYMBOLS });
  const { texts } = layout;
  const { mergedOf } = resolution;
  const { owner: ownerOf, name, size, align } = tables;
  const putCode = (section: SectionRow): void => {
    const owner = ownerOf[section]!;
    const symbol = elfOf[mergedOf[owner]!]!;
    const own = patched.size === 0 ? undefined : patched.get(section);
    const from = own ?? bytesWithCode(tables, fileOf(section), section);
    const start = own === undefined ? startOfCode(tables, section) : 0;
    put(name[owner]!, symbol, from, start, size[section]!, align[section]!);
  };
  for (let i = 0; i < texts.length; i++) putCode(texts[i]!);
  behind.forEach(putJoined);
}

const NOTHING = new Uint8Array(0);

function putShared(output: PlainOutput, { tables, resolution, indices, shared }: Plan): void {
  const common = shapeOf("module-shared");
  const put = output.perFunction(".nv.shared.", shapeOf("shared"));
  for (const { kernel, align, size } of shared) {
    if (kernel === undefined) {
      output.noBytes(sectionShape("module-shared", "executable").name, { ...common, align }, size);
      continue;
    }
    const symbol = resolution.chosen[kernel]!;
    put(tables.name[symbol]!, indices.textOf[tables.place[symbol]!]!, NOTHING, -1, size, align);
  }
}

function putParameters(output: PlainOutput, { tables, kernels, indices, goal }: Plan): void {
  const put = output.perFunction(".nv.constant0.", shapeOf("parameters"));
  const bankOf = parameterBanks(tables.shapes, goal.target.sm);
  const sizes = kernels.map((kernel) => {
    const { base, bytes } = bankOf(tables.shape[kernel]!);
    return base + bytes;
  });
  // One behind the other, because the file is copied in runs.
  const zeros = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  kernels.forEach((kernel, i) => {
    put(tables.name[kernel]!, indices.textOf[tables.place[kernel]!]!, zeros, at, sizes[i]!);
    at += sizes[i]!;
  });
}

/** Runs of own sections that are alike in being writable: first and last index. */
function segmentRuns({ layout, indices, firstOwn }: Plan): readonly SegmentRun[] {
  const firstData = indices.firstText + layout.texts.length;
  const runs: [first: number, last: number, isWritable: boolean][] = [];
  const add = (first: number, end: number, isWritable: boolean): void => {
    const last = runs.at(-1);
    if (end <= first) return;
    if (last?.[2] === isWritable) last[1] = end - 1;
    else runs.push([first, end - 1, isWritable]);
  };
  add(firstOwn, firstData, false);
  for (const role of behind) {
    const isWritable = (sectionShape(plainRoles[role], "executable").flags & SHF.WRITE) !== 0;
    if (isJoined(layout.joined[role])) add(indices.joined[role]!, indices.joined[role]! + 1, isWritable);
  }
  add(indices.firstShared, indices.firstParameters, true);
  return runs;
}
