// The object of `-r` (partial-link.ts) as bytes: sections in the order and with the headers of object/file/write.ts. Byte for byte what that
// writes of what relocatable.ts makes.

import { SHF, SHT } from "../../../formats/elf/index.js";
import { targetFacts } from "../../../formats/cuda/index.js";
import { DECLARATION_SECTION } from "../../object/file/container.js";
import { putKernel, putSection, putSymbol } from "../../object/file/declaration-rows.js";
import { bytesOf, createGrowable, createNames, putBytes, setWord } from "../../object/columns/growable-bytes.js";
import { prototypeTexts } from "../image/call-graph.js";
import { declareDebug, putDebugRelocations } from "../image/debug-sections.js";
import type { DebugLayout } from "../image/debug-layout.js";
import { createDeclarations, declareModules, declareType, declareText, finishDeclarations, type Declarations } from "../image/declarations.js"; // prettier-ignore
import { bytesIn, DEBUG_FRAME, FRAME_NAME, HEADER_SECTIONS, howOf, UNTYPED_BYTES, putBuildId, putExtended, putHeaderSections, SYMBOLS, WORDS } from "../image/header-sections.js"; // prettier-ignore
import { codeAttributes, moduleInfoBytes } from "../image/function-attributes.js";
import { linkPartially, type PartialLink } from "./partial-link.js";
import { joinedDebug } from "./debug-sections.js";
import { joinedGraph } from "./call-graph.js";
import { joinRelocations, type JoinedRelocations } from "./relocations.js";
import { joinedSymbols, numberSymbols, parameterNames, sectionNames, type JoinedIndices, type JoinedParameters, type JoinedSymbols, type SymbolNumbers } from "./symbol-table.js"; // prettier-ignore
import { kernelAttributes, parameterBanks, PARAMETER_SYMBOL } from "../image/kernel-attributes.js";
import { keptRanges } from "../layout/layout.js";
import { createFile, type ElfWriter } from "../image/elf-writer.js";
import { contentsOf } from "../../object/columns/contents.js";
import { fileFinder, type LinkTarget } from "../image/section-plan.js";
import { roleNames, ROLE } from "../../object/columns/codes.js";
import type { Resolution } from "../resolve/resolve.js";
import { codeIn, CODE_PROPERTY, type Columns } from "../../object/columns/columns.js";
import { stripJoin } from "./strip.js";
import { internString } from "../../object/columns/strings.js";

/** Sections besides those that are counted, at most: debug sections with their relocations, declarations, ID, indices. */
const OTHERS = 64;

interface Plan {
  readonly join: PartialLink;
  readonly linkTarget: LinkTarget;
  readonly relocations: JoinedRelocations;
  readonly parameters: readonly JoinedParameters[];
  readonly indices: JoinedIndices;
  readonly numbers: SymbolNumbers;
  readonly symbols: JoinedSymbols;
  readonly debug: DebugLayout;
  readonly debugIndices: readonly number[];
}

export interface RelocatableOptions {
  /** What makes of the file's bytes the ID in its note (object/file/build-id.ts), where it is to have one. */
  readonly identify?: (unidentified: readonly Uint8Array[]) => Uint8Array;
  /** Whether lines, .file entries and DWARF are left out (--strip-debug). */
  readonly stripDebug?: boolean;
}

/** The file in parts, which may be of the inputs'. */
export function relocatableFile(
  given: Columns,
  resolution: Resolution,
  linkTarget: LinkTarget,
  { identify, stripDebug = false }: RelocatableOptions,
): readonly Uint8Array[] {
  const { sm } = linkTarget.target;
  const whole = linkPartially(given, resolution);
  const join = stripDebug ? stripJoin(whole) : whole;
  const { columns } = join;
  const kernels = columns.kernels.filter((row) => join.definitionOf(row) >= 0);
  const bankOf = parameterBanks(columns.types, sm);
  const parameters = kernels.map((kernel): JoinedParameters => ({ kernel, ...bankOf(columns.typeId[kernel]!) }));
  // These add texts, which the string tables are made for.
  const debug = joinedDebug(join, kernels, sm);
  const graph = joinedGraph(join, prototypeTexts(columns));
  const targetText = internString(columns.strings, linkTarget.target.name);
  const ofParameters = parameterNames(columns);
  const numbers = numberSymbols(join, kernels.length);
  const ranges = keptRanges(columns, resolution);
  const relocations = joinRelocations(join, numbers.elfOf, linkTarget.writesRel, ranges);
  const [indices, debugIndices] = indicesOf(join, relocations, kernels.length, debug);
  const sections = indices.firstParameters + kernels.length;
  const names = createNames(columns.strings, sections + join.symbols.length);
  const symbols = joinedSymbols(join, parameters, numbers, indices, ofParameters, names);
  const plan = { join, linkTarget, relocations, parameters, indices, numbers, symbols, debug, debugIndices };

  const output = createFile("relocatable", linkTarget, columns.strings, sections + OTHERS);
  const graphs = graph(numbers.elfOf, symbols.nameOf);
  const { records } = symbols;
  const { firstGlobal } = numbers;
  const info = moduleInfoBytes(columns, join.symbols, numbers.elfOf, []);
  putHeaderSections(output, bytesOf(names.strings), {
    file: "relocatable",
    sm,
    debug,
    symbols: { records, firstGlobal },
    info,
  });
  putInfo(output, plan, graphs.externs);
  output.bytes(".nv.callgraph", { ...howOf("callgraph", "relocatable"), link: SYMBOLS }, bytesIn(graphs.pairs));
  output.bytes(".nv.prototype", { ...howOf("prototype", "relocatable"), link: SYMBOLS }, bytesIn(graphs.prototypes));
  putRelocations(output, plan);
  putDebugRelocations(output, debug, debugIndices, numbers.elfOf);
  putOwn(output, plan);
  putParameters(output, plan);
  for (const { name, bytes } of debug.sections) if (name !== FRAME_NAME) output.bytes(name, UNTYPED_BYTES, bytes);
  const declarations = createDeclarations(columns.strings, columns.types.count, join.symbols.length);
  const target = declareText(declarations, targetText);
  declare(plan, declarations);
  const header = { target, version: linkTarget.version, modules: columns.moduleStart.length };
  output.bytes(DECLARATION_SECTION, WORDS, finishDeclarations(declarations, header));
  const buildId = identify === undefined ? undefined : putBuildId(output);
  putExtended(output, symbols.extended);
  const parts = output.finish();
  if (identify !== undefined) buildId!.set(identify(parts));
  return parts;
}

function indicesOf(
  { columns, sections }: PartialLink,
  { relStart, relaStart }: JoinedRelocations,
  kernels: number,
  debug: DebugLayout,
): readonly [JoinedIndices, debugIndices: readonly number[]] {
  let [functions, relocationTables] = [0, 0];
  sections.forEach(({ row }, i) => {
    if (columns.role[row] === ROLE.text) functions++;
    relocationTables += (relStart[i + 1]! > relStart[i]! ? 1 : 0) + (relaStart[i + 1]! > relaStart[i]! ? 1 : 0);
  });
  for (const { records } of debug.sections) if (records.length > 0) relocationTables++;
  const graph = HEADER_SECTIONS + 1 + functions;
  // The call graph and the prototypes.
  const firstOwn = graph + 2 + relocationTables;
  const firstParameters = firstOwn + sections.length;
  let next = firstParameters + kernels;
  const debugIndices = debug.sections.map(({ name }) => (name === FRAME_NAME ? DEBUG_FRAME : next++));
  return [{ graph, firstOwn, firstParameters }, debugIndices];
}

/** The ELF section that a symbol of the object stands in. */
const elfSection = ({ join, indices }: Plan, number: number): number =>
  join.outputSectionOf[number]! < 0 ? 0 : indices.firstOwn + join.outputSectionOf[number]!;

/** The attributes of each function. */
function putInfo(output: ElfWriter, plan: Plan, externs: ReadonlyMap<number, readonly number[]>): void {
  const { join, linkTarget, numbers, parameters } = plan;
  const { columns, symbols, sections } = join;
  const { sm } = linkTarget.target;
  const { tellsBlockZ } = targetFacts(sm);
  const attributes = kernelAttributes(columns.types, sm);
  const kernelAt = new Map(parameters.map(({ kernel }, i) => [join.definitionOf(kernel), i]));
  const put = output.perFunction(".nv.info.", { ...howOf("function-info", "relocatable"), link: SYMBOLS });
  const known: (Uint8Array | undefined)[] = [];
  // One behind the other, because the file is copied in runs.
  const all = createGrowable(1 << 12);
  const functions = sections.filter(({ row }) => columns.role[row] === ROLE.text);
  const starts = functions.map(({ row, owner }) => {
    const start = all.length;
    const kernel = kernelAt.get(owner);
    if (kernel !== undefined) {
      const bytes = attributes(columns.typeId[symbols[owner]!]!);
      putBytes(all, bytes, 0, bytes.length);
      if (parameters[kernel]!.isSaid) setWord(all, start + PARAMETER_SYMBOL, numbers.firstParameters + kernel);
    }
    const bits = columns.codeProperties[row]! & (tellsBlockZ ? ~0 : ~CODE_PROPERTY.blockZ);
    const missing = externs.get(owner);
    const bytes = missing === undefined ? (known[bits] ??= codeAttributes(bits, [])) : codeAttributes(bits, missing);
    putBytes(all, bytes, 0, bytes.length);
    return start;
  });
  functions.forEach(({ owner }, i) => {
    const end = starts[i + 1] ?? all.length;
    put(columns.name[symbols[owner]!]!, elfSection(plan, owner), all.bytes, starts[i]!, end - starts[i]!);
  });
}

/** Puts a section of some name: those of one function have its name behind that. */
function putterOf(output: ElfWriter, prefix: string, how: Parameters<ElfWriter["bytes"]>[1]) {
  const ofRole = sectionNames.map((name, role) =>
    role === ROLE.text || role === ROLE.shared ? output.perFunction(`${prefix}${name}`, how) : undefined,
  );
  return ({ columns, symbols }: PartialLink, role: number, owner: number, info: number, ...of: BytesOf): number => {
    const [from, start, size] = of;
    if (owner >= 0) return ofRole[role]!(columns.name[symbols[owner]!]!, info, from, start, size);
    return output.bytes(`${prefix}${sectionNames[role]!}`, { ...how, info }, from, start, size);
  };
}

type BytesOf = readonly [from: Uint8Array, start: number, size: number];

function putRelocations(output: ElfWriter, { join, indices, relocations }: Plan): void {
  const { columns, sections } = join;
  const common = { flags: SHF.INFO_LINK, align: 8, link: SYMBOLS };
  const putRel = putterOf(output, ".rel", { ...common, type: SHT.REL, entsize: 16 });
  const putRela = putterOf(output, ".rela", { ...common, type: SHT.RELA, entsize: 24 });
  const [rel, rela] = [bytesIn(relocations.rel), bytesIn(relocations.rela)];
  const { relStart, relaStart } = relocations;
  sections.forEach(({ row, owner }, i) => {
    const role = columns.role[row]!;
    const [without, withAddend] = [relStart[i + 1]! - relStart[i]!, relaStart[i + 1]! - relaStart[i]!];
    const of = indices.firstOwn + i;
    if (without > 0) putRel(join, role, owner, of, rel, 4 * relStart[i]!, 4 * without);
    if (withAddend > 0) putRela(join, role, owner, of, rela, 4 * relaStart[i]!, 4 * withAddend);
  });
}

const NOTHING = new Uint8Array(0);

/** The object's own sections. */
function putOwn(output: ElfWriter, plan: Plan): void {
  const { join, numbers } = plan;
  const { columns, symbols, sections } = join;
  const fileOf = fileFinder(columns);
  const hows = roleNames.map((role) => howOf(role, "relocatable"));
  const putText = output.perFunction(sectionNames[ROLE.text]!, { ...hows[ROLE.text]!, link: SYMBOLS });
  const putShared = output.perFunction(sectionNames[ROLE.shared]!, hows[ROLE.shared]!);
  for (const { row, owner, size, align } of sections) {
    const role = columns.role[row]!;
    const file = fileOf(row);
    if (role === ROLE.text) {
      const [from, start] = codeIn(columns, file, row);
      putText(columns.name[symbols[owner]!]!, numbers.elfOf[owner]!, from, start, size, align);
    } else if (role === ROLE.shared)
      putShared(columns.name[symbols[owner]!]!, elfSection(plan, owner), NOTHING, -1, size, align);
    else if (role === ROLE.globalInit || role === ROLE.constant)
      output.bytes(sectionNames[role]!, { ...hows[role]!, align }, ...contentsIn(columns, file, row, size));
    else output.noBytes(sectionNames[role]!, { ...hows[role]!, align }, size);
  }
}

/** Where the bytes of data are: in their file, unless something was left out of them. */
function contentsIn(columns: Columns, file: number, row: number, size: number): BytesOf {
  if (columns.keptRanges.has(row)) return [contentsOf(columns, file, row), 0, size];
  return [columns.files[file]!.bytes, columns.contentsAt[row]!, size];
}

function putParameters(output: ElfWriter, plan: Plan): void {
  const { columns } = plan.join;
  const put = output.perFunction(".nv.constant0.", howOf("parameters", "relocatable"));
  const most = plan.parameters.reduce((most, { base, bytes }) => Math.max(most, base + bytes), 0);
  const zeros = new Uint8Array(most);
  for (const { kernel, base, bytes } of plan.parameters)
    put(columns.name[kernel]!, elfSection(plan, plan.join.definitionOf(kernel)), zeros, 0, base + bytes);
}

/** Everything in `.ptxkit.decl`. */
function declare(
  { join, relocations, parameters, indices, numbers, debugIndices, debug }: Plan,
  declarations: Declarations,
): void {
  const { rows } = declarations;
  const { columns, symbols, sections, commons, undefinedTypes } = join;
  declareModules(declarations, columns);
  symbols.forEach((row, number) => {
    const common = commons.get(number);
    const from = common?.first ?? row;
    const { module, line, column } = columns;
    const typeId = common?.typeId ?? undefinedTypes.get(number) ?? columns.typeId[row]!;
    const type = declareType(declarations, columns.types, typeId);
    const [elf, code, flags] = [numbers.elfOf[number]!, columns.code[row]!, columns.flags[row]!];
    putSymbol(rows, elf, code, flags, type, module[from]!, line[from]!, column[from]!);
  });
  const { runs, runStart } = relocations;
  sections.forEach(({ row, owner }, i) => {
    putSection(rows, indices.firstOwn + i, columns.role[row]!, owner, runs.words, runStart[i]!, runStart[i + 1]!);
  });
  for (const { kernel } of parameters) putKernel(rows, join.definitionOf(kernel), 0, 0);
  declareDebug(columns, debug, debugIndices, declarations);
}
