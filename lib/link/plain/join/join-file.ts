// The object of `-r` (join.ts) as bytes: sections in the order and with the headers of object/file/write.ts. Byte for byte what that
// writes of what relocatable.ts makes.

import { written } from "../../../../formats/bytes/writer.js";
import { SHF, SHT } from "../../../../formats/elf/index.js";
import { targetFacts, writeInfo } from "../../../../formats/cuda/index.js";
import { NO_FACTS } from "../../../object/attributes/code-facts.js";
import { DECLARATION_SECTION } from "../../../object/file/container.js";
import { putKernel, putSection, putSymbol } from "../../../object/file/declaration-rows.js";
import { codeInfo } from "../../../object/attributes/kernel-info.js";
import { bytesOf, createGrowing, createNames, putBytes, setWord } from "../tables/bytes.js";
import { prototypeTexts } from "../image/calls.js";
import { declareDebug, putDebugRelocations } from "../image/debug.js";
import type { PlainDebugLayout } from "../image/debug-layout.js";
import { createDeclaring, declareModules, declareShape, declareText, finishDeclaring, type Declaring } from "../image/declare.js"; // prettier-ignore
import { bytesIn, DEBUG_FRAME, FRAME_NAME, HEADS, howOf, PLAIN_BYTES, putBuildId, putExtended, putHeads, SYMBOLS, WORDS } from "../image/heads.js"; // prettier-ignore
import { moduleInfoBytes } from "../image/facts.js";
import { joinPlain, type PlainJoin } from "./join.js";
import { joinedDebug } from "./join-debug.js";
import { joinedGraph } from "./join-graph.js";
import { joinRelocations, type JoinedRelocations } from "./join-relocate.js";
import { joinedSymbols, numberSymbols, parameterNames, sectionNames, type JoinedIndices, type JoinedParameters, type JoinedSymbols, type SymbolNumbers } from "./join-symbols.js"; // prettier-ignore
import { kernelAttributes, parameterBanks, PARAMETER_SYMBOL } from "../image/kernels.js";
import { piecesLeft } from "../layout/layout.js";
import { createFile, type PlainOutput } from "../image/output.js";
import { contentsOf } from "../tables/contents.js";
import { fileFinder, type PlainGoal } from "../image/plan.js";
import { plainRoles, ROLE } from "../tables/codes.js";
import type { PlainResolution } from "../names/resolve.js";
import { codeIn, FACT, type Tables } from "../tables/tables.js";
import { stripJoin } from "./strip.js";
import { internText } from "../tables/texts.js";

/** Sections besides those that are counted, at most: debug sections with their relocations, declarations, ID, indices. */
const OTHERS = 64;

interface Plan {
  readonly join: PlainJoin;
  readonly goal: PlainGoal;
  readonly relocations: JoinedRelocations;
  readonly parameters: readonly JoinedParameters[];
  readonly indices: JoinedIndices;
  readonly numbers: SymbolNumbers;
  readonly symbols: JoinedSymbols;
  readonly debug: PlainDebugLayout;
  readonly debugIndices: readonly number[];
}

export interface PlainObjectOptions {
  /** What makes of the file's bytes the ID in its note (object/file/build-id.ts), where it is to have one. */
  readonly identify?: (unidentified: readonly Uint8Array[]) => Uint8Array;
  /** Whether lines, .file entries and DWARF are left out (--strip-debug). */
  readonly stripDebug?: boolean;
}

/** The file in parts, which may be of the inputs'. */
export function plainObjectFile(
  given: Tables,
  resolution: PlainResolution,
  goal: PlainGoal,
  { identify, stripDebug = false }: PlainObjectOptions,
): readonly Uint8Array[] {
  const { sm } = goal.target;
  const whole = joinPlain(given, resolution);
  const join = stripDebug ? stripJoin(whole) : whole;
  const { tables } = join;
  const kernels = tables.kernels.filter((row) => join.definitionOf(row) >= 0);
  const bankOf = parameterBanks(tables.shapes, sm);
  const parameters = kernels.map((kernel): JoinedParameters => ({ kernel, ...bankOf(tables.shape[kernel]!) }));
  // These add texts, which the tables of names are made for.
  const debug = joinedDebug(join, kernels, sm);
  const graph = joinedGraph(join, prototypeTexts(tables));
  const targetText = internText(tables.texts, goal.target.name);
  const ofParameters = parameterNames(tables);
  const numbers = numberSymbols(join, kernels.length);
  const pieces = piecesLeft(tables, resolution);
  const relocations = joinRelocations(join, numbers.elfOf, goal.writesRel, pieces);
  const [indices, debugIndices] = indicesOf(join, relocations, kernels.length, debug);
  const sections = indices.firstParameters + kernels.length;
  const names = createNames(tables.texts, sections + join.symbols.length);
  const symbols = joinedSymbols(join, parameters, numbers, indices, ofParameters, names);
  const plan = { join, goal, relocations, parameters, indices, numbers, symbols, debug, debugIndices };

  const output = createFile("relocatable", goal, tables.texts, sections + OTHERS);
  const graphs = graph(numbers.elfOf, symbols.nameOf);
  const { records } = symbols;
  const { firstGlobal } = numbers;
  const info = moduleInfoBytes(tables, join.symbols, numbers.elfOf, []);
  putHeads(output, bytesOf(names.strings), { file: "relocatable", sm, debug, symbols: { records, firstGlobal }, info });
  putInfo(output, plan, graphs.externs);
  output.bytes(".nv.callgraph", { ...howOf("callgraph", "relocatable"), link: SYMBOLS }, bytesIn(graphs.pairs));
  output.bytes(".nv.prototype", { ...howOf("prototype", "relocatable"), link: SYMBOLS }, bytesIn(graphs.prototypes));
  putRelocations(output, plan);
  putDebugRelocations(output, debug, debugIndices, numbers.elfOf);
  putOwn(output, plan);
  putParameters(output, plan);
  for (const { name, bytes } of debug.sections) if (name !== FRAME_NAME) output.bytes(name, PLAIN_BYTES, bytes);
  const declaring = createDeclaring(tables.texts, tables.shapes.count, join.symbols.length);
  const target = declareText(declaring, targetText);
  declare(plan, declaring);
  const header = { target, version: goal.version, modules: tables.moduleStart.length };
  output.bytes(DECLARATION_SECTION, WORDS, finishDeclaring(declaring, header));
  const buildId = identify === undefined ? undefined : putBuildId(output);
  putExtended(output, symbols.extended);
  const parts = output.finish();
  if (identify !== undefined) buildId!.set(identify(parts));
  return parts;
}

function indicesOf(
  { tables, sections }: PlainJoin,
  { relStart, relaStart }: JoinedRelocations,
  kernels: number,
  debug: PlainDebugLayout,
): readonly [JoinedIndices, debugIndices: readonly number[]] {
  let [functions, relocationTables] = [0, 0];
  sections.forEach(({ row }, i) => {
    if (tables.role[row] === ROLE.text) functions++;
    relocationTables += (relStart[i + 1]! > relStart[i]! ? 1 : 0) + (relaStart[i + 1]! > relaStart[i]! ? 1 : 0);
  });
  for (const { records } of debug.sections) if (records.length > 0) relocationTables++;
  const graph = HEADS + 1 + functions;
  // The call graph and the prototypes.
  const firstOwn = graph + 2 + relocationTables;
  const firstParameters = firstOwn + sections.length;
  let next = firstParameters + kernels;
  const debugIndices = debug.sections.map(({ name }) => (name === FRAME_NAME ? DEBUG_FRAME : next++));
  return [{ graph, firstOwn, firstParameters }, debugIndices];
}

/** The ELF section that a symbol of the object stands in. */
const elfSection = ({ join, indices }: Plan, number: number): number =>
  join.sectionOf[number]! < 0 ? 0 : indices.firstOwn + join.sectionOf[number]!;

/** The attributes of each function. */
function putInfo(output: PlainOutput, plan: Plan, externs: ReadonlyMap<number, readonly number[]>): void {
  const { join, goal, numbers, parameters } = plan;
  const { tables, symbols, sections } = join;
  const { sm } = goal.target;
  const { tellsBlockZ } = targetFacts(sm);
  const attributes = kernelAttributes(tables.shapes, sm);
  const kernelAt = new Map(parameters.map(({ kernel }, i) => [join.definitionOf(kernel), i]));
  const put = output.perFunction(".nv.info.", { ...howOf("function-info", "relocatable"), link: SYMBOLS });
  const known: (Uint8Array | undefined)[] = [];
  const ofCode = (facts: number, externs: readonly number[]): Uint8Array => {
    const code = {
      ...NO_FACTS,
      symbol: 0,
      barriers: facts & 0xff,
      readsBlockZ: tellsBlockZ && (facts & FACT.blockZ) !== 0,
      usesMatrices: (facts & FACT.matrices) !== 0,
    };
    return written((into) => writeInfo(into, codeInfo({ code, externs })));
  };
  // One behind the other, because the file is copied in runs.
  const all = createGrowing(1 << 12);
  const functions = sections.filter(({ row }) => tables.role[row] === ROLE.text);
  const starts = functions.map(({ row, owner }) => {
    const start = all.length;
    const kernel = kernelAt.get(owner);
    if (kernel !== undefined) {
      const bytes = attributes(tables.shape[symbols[owner]!]!);
      putBytes(all, bytes, 0, bytes.length);
      if (parameters[kernel]!.isSaid) setWord(all, start + PARAMETER_SYMBOL, numbers.firstParameters + kernel);
    }
    const facts = tables.facts[row]!;
    const missing = externs.get(owner);
    const bytes = missing === undefined ? (known[facts] ??= ofCode(facts, [])) : ofCode(facts, missing);
    putBytes(all, bytes, 0, bytes.length);
    return start;
  });
  functions.forEach(({ owner }, i) => {
    const end = starts[i + 1] ?? all.length;
    put(tables.name[symbols[owner]!]!, elfSection(plan, owner), all.bytes, starts[i]!, end - starts[i]!);
  });
}

/** Puts a section of some name: those of one function have its name behind that. */
function putterOf(output: PlainOutput, prefix: string, how: Parameters<PlainOutput["bytes"]>[1]) {
  const ofRole = sectionNames.map((name, role) =>
    role === ROLE.text || role === ROLE.shared ? output.perFunction(`${prefix}${name}`, how) : undefined,
  );
  return ({ tables, symbols }: PlainJoin, role: number, owner: number, info: number, ...of: BytesOf): number => {
    const [from, start, size] = of;
    if (owner >= 0) return ofRole[role]!(tables.name[symbols[owner]!]!, info, from, start, size);
    return output.bytes(`${prefix}${sectionNames[role]!}`, { ...how, info }, from, start, size);
  };
}

type BytesOf = readonly [from: Uint8Array, start: number, size: number];

function putRelocations(output: PlainOutput, { join, indices, relocations }: Plan): void {
  const { tables, sections } = join;
  const common = { flags: SHF.INFO_LINK, align: 8, link: SYMBOLS };
  const putRel = putterOf(output, ".rel", { ...common, type: SHT.REL, entsize: 16 });
  const putRela = putterOf(output, ".rela", { ...common, type: SHT.RELA, entsize: 24 });
  const [rel, rela] = [bytesIn(relocations.rel), bytesIn(relocations.rela)];
  const { relStart, relaStart } = relocations;
  sections.forEach(({ row, owner }, i) => {
    const role = tables.role[row]!;
    const [without, withAddend] = [relStart[i + 1]! - relStart[i]!, relaStart[i + 1]! - relaStart[i]!];
    const of = indices.firstOwn + i;
    if (without > 0) putRel(join, role, owner, of, rel, 4 * relStart[i]!, 4 * without);
    if (withAddend > 0) putRela(join, role, owner, of, rela, 4 * relaStart[i]!, 4 * withAddend);
  });
}

const NOTHING = new Uint8Array(0);

/** The object's own sections. */
function putOwn(output: PlainOutput, plan: Plan): void {
  const { join, numbers } = plan;
  const { tables, symbols, sections } = join;
  const fileOf = fileFinder(tables);
  const hows = plainRoles.map((role) => howOf(role, "relocatable"));
  const putText = output.perFunction(sectionNames[ROLE.text]!, { ...hows[ROLE.text]!, link: SYMBOLS });
  const putShared = output.perFunction(sectionNames[ROLE.shared]!, hows[ROLE.shared]!);
  for (const { row, owner, size, align } of sections) {
    const role = tables.role[row]!;
    const file = fileOf(row);
    if (role === ROLE.text) {
      const [from, start] = codeIn(tables, file, row);
      putText(tables.name[symbols[owner]!]!, numbers.elfOf[owner]!, from, start, size, align);
    } else if (role === ROLE.shared)
      putShared(tables.name[symbols[owner]!]!, elfSection(plan, owner), NOTHING, -1, size, align);
    else if (role === ROLE.globalInit || role === ROLE.constant)
      output.bytes(sectionNames[role]!, { ...hows[role]!, align }, ...contentsIn(tables, file, row, size));
    else output.noBytes(sectionNames[role]!, { ...hows[role]!, align }, size);
  }
}

/** Where the bytes of data are: in their file, unless something was left out of them. */
function contentsIn(tables: Tables, file: number, row: number, size: number): BytesOf {
  if (tables.moved.has(row)) return [contentsOf(tables, file, row), 0, size];
  return [tables.files[file]!.bytes, tables.at[row]!, size];
}

function putParameters(output: PlainOutput, plan: Plan): void {
  const { tables } = plan.join;
  const put = output.perFunction(".nv.constant0.", howOf("parameters", "relocatable"));
  const most = plan.parameters.reduce((most, { base, bytes }) => Math.max(most, base + bytes), 0);
  const zeros = new Uint8Array(most);
  for (const { kernel, base, bytes } of plan.parameters)
    put(tables.name[kernel]!, elfSection(plan, plan.join.definitionOf(kernel)), zeros, 0, base + bytes);
}

/** Everything in `.ptxkit.decl`. */
function declare(
  { join, relocations, parameters, indices, numbers, debugIndices, debug }: Plan,
  declaring: Declaring,
): void {
  const { rows } = declaring;
  const { tables, symbols, sections, commons, openShapes } = join;
  declareModules(declaring, tables);
  symbols.forEach((row, number) => {
    const common = commons.get(number);
    const from = common?.first ?? row;
    const { module, line, column } = tables;
    const shape = common?.shape ?? openShapes.get(number) ?? tables.shape[row]!;
    const type = declareShape(declaring, tables.shapes, shape);
    const [elf, code, flags] = [numbers.elfOf[number]!, tables.code[row]!, tables.flags[row]!];
    putSymbol(rows, elf, code, flags, type, module[from]!, line[from]!, column[from]!);
  });
  const { runs, runStart } = relocations;
  sections.forEach(({ row, owner }, i) => {
    putSection(rows, indices.firstOwn + i, tables.role[row]!, owner, runs.words, runStart[i]!, runStart[i + 1]!);
  });
  for (const { kernel } of parameters) putKernel(rows, join.definitionOf(kernel), 0, 0);
  declareDebug(tables, debug, debugIndices, declaring);
}
