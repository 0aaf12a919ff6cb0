// The list of the linker's passes, in order, on columns of numbers from the inputs' bytes to the output's bytes (tables/tables.ts). In two
// halves: up to the diagnostics, which are found as numbers of rows (remarks/remarks.ts) and formatted by the caller where there are any
// (tell/tell.ts), and from there to the output. Semantics follow nvlink where it is sound. The result depends on the inputs,
// their order and the options, and on nothing else. Linear in its inputs. docs/linking.md, "How it works".

import { MAX_CONSTANT_BYTES, targetFacts } from "../../../formats/cuda/index.js";
import { parseTarget, type PtxVersion, type Target } from "../../isa/requirement.js";
import { knownTarget } from "../../isa/targets.table.js";
import { DEFAULT_IMAGE_BYTES, staticSharedLimit } from "../layout/limits.js";
import { imageAliases, type PlainAlias, type PlainDefined } from "./image/aliases.js";
import { withoutIdleLocals } from "./image/applied.js";
import { collectPlain, type PlainCollectOptions } from "./live/collect.js";
import { plainImage, type PlainImageOptions } from "./image/image.js";
import { plainPrinted } from "./join/emit.js";
import { plainObjectFile } from "./join/join-file.js";
import { layOutPlain, type PlainLayout } from "./layout/layout.js";
import { withPlainLineTables } from "./image/line-tables.js";
import { isPacked, type PackedObject, type PlainInput, type Vocabulary } from "./packed/packed.js";
import type { PlainGoal } from "./image/plan.js";
import { openPlain, type ElfFrame } from "./read/frame.js";
import { createObjectReader } from "./read/object-reader.js";
import { ROLE } from "./tables/codes.js";
import { findRemarks, targetOf, type PlainRemarks, type RemarkOptions } from "./remarks/remarks.js";
import { inPlainOrder, openPlaceOf } from "./names/output-order.js";
import { withCodeOwners } from "./names/owners.js";
import { resolvePlain, type Collected } from "./names/resolve.js";
import { withoutDebug, withStrippedCode } from "./join/strip.js";
import { addressSizeIn, compiledModules, latestVersion, targetsIn } from "./tables/modules.js";
import { createTables, isAlias, relocationsIn, type SizedFile, type Tables } from "./tables/tables.js";
import { createTexts, textOf, type TextId } from "./tables/texts.js";
import { aliasOfShape, createShapes, type Shapes } from "./tables/shapes.js";
import { sizedPacked, unpack } from "./packed/unpack.js";
import { isOpen, translate, type Translation } from "./packed/vocabulary.js";
import type { DataOrder } from "./layout/data-order.js";
import type { PrintedObject } from "../../object/print/printed.js";
import type { ObjectCounts } from "../reports/stats.js";
import { imageTarget, linksInto, mayBeFor, type Fits } from "../targets.js";
import type { VisibilityRule } from "../names/visibility-rules.js";
import { separatePlain } from "./live/separate.js";
import { setPlainVisibility } from "./image/visibility.js";
import { wrapPlain } from "./names/wrap.js";

export interface PlainOptions extends PlainCollectOptions, RemarkOptions, DataOrder, PlainImageOptions {
  /** The image's target, "sm_90"; unless given that of the first module of the file that leads. */
  readonly arch?: string;
  /** Whether the one input is a module that is compiled as a whole, not linked (../shared/shared.ts). */
  readonly wholeProgram?: boolean;
  /** Number of the file that leads; 0 unless given. */
  readonly leader?: number;
  /** Bytes of initialised data that the image may have. */
  readonly maxImageBytes?: number;
  /** Names whose references mean __wrap_NAME (--wrap). */
  readonly wrap?: readonly string[];
  /** What others see of definitions: of the rules that fit, the last one counts (--export, --localize). */
  readonly visibility?: readonly VisibilityRule[];
  /** Whether lines, .file entries and DWARF are left out (--strip-debug). */
  readonly stripDebug?: boolean;
  /** Whether modules with `.loc` lines alone get a `.debug_line` (--debug-line); of images. */
  readonly lineTables?: boolean;
  /** Whether names of static variables that nothing refers to are left out (--discard-all); of images. */
  readonly discardLocals?: boolean;
  /** Whether the output is to be one PTX module (--emit ptx). */
  readonly asText?: boolean;
  /** What that module says, whatever the inputs do (--ptx-version). */
  readonly ptxVersion?: PtxVersion;
  /** Whether the output is for another link (-r). */
  readonly relocatable?: boolean;
  /** Defines names as others: definePlain of tell/define.ts. Called where --defsym is given or an object has aliases of variables. */
  readonly defineNames?: (tables: Tables) => PlainDefined;
  /** Whether --defsym is given. */
  readonly hasDefinitions?: boolean;
  /** Called after each pass, for timing. */
  readonly onPass?: (pass: string) => void;
}

/** An output; how much went in; and what reports are made of (tell/view.ts). */
export interface PlainLinked {
  /** The output's file in parts, which may be of the objects' files; none where it is a text. */
  readonly image: readonly Uint8Array[];
  /** What is to be printed (join/print.ts), where it is a text. */
  readonly printed?: PrintedObject;
  readonly counts: ObjectCounts;
  readonly settled: PlainSettled;
  /** Whether some kernel of an image has no size of stack that is known to be enough (unknown-stack.ts). */
  readonly hasUnknownStacks?: boolean;
}

/** What is settled when a plain link is done. */
export interface PlainSettled {
  /** What names mean, before anything is dropped. */
  readonly asWritten: Collected;
  /** What is left, with names in the order of the output. */
  readonly left: Collected;
  /** What is in the image; undefined for an object of -r. */
  readonly kept: PlainKept | undefined;
}

export interface PlainKept extends Collected {
  readonly layout: PlainLayout;
  readonly goal: PlainGoal;
  readonly aliases: readonly PlainAlias[];
}

/** What is known of a plain link before anything has its place. */
export interface PlainNamed {
  readonly asWritten: Collected;
  readonly kept: Collected;
  /** The target as it was asked for, and what images for that are for. */
  readonly asked: string;
  readonly goal: PlainGoal;
  /** Names that --defsym gives, and those that it settles. */
  readonly aliases: readonly PlainAlias[];
  readonly settled: ReadonlySet<string>;
  readonly counts: ObjectCounts;
  readonly remarks: PlainRemarks;
}

/** What a link comes to of which there is more than a GPU or the options allow (limits.ts). */
export interface PlainExcess {
  readonly beyond: Collected & { readonly layout: PlainLayout; readonly target: Target };
}

export const isExcess = (result: PlainLinked | PlainExcess): result is PlainExcess => "beyond" in result;

/** For where what was to be said leaves the link right. */
export function finishPlain(named: PlainNamed, options: PlainOptions): PlainLinked | PlainExcess {
  const { asWritten, goal, aliases, counts } = named;
  const isImage = options.asText !== true && options.relocatable !== true;
  const left = inOrder(isImage ? named.kept : { ...named.kept, tables: compiledModules(named.kept.tables) }, options);
  const settled = { asWritten, left, kept: undefined };
  if (options.asText === true) {
    const beyond = options.relocatable === true ? undefined : beyondInText(left, goal, options);
    if (beyond !== undefined) return beyond;
    const printed = plainPrinted(left.tables, left.resolution, goal, options);
    options.onPass?.("join");
    return { image: [], printed, counts, settled };
  }
  if (options.relocatable === true) {
    const image = plainObjectFile(left.tables, left.resolution, goal, options);
    options.onPass?.("object");
    return { image, counts, settled };
  }
  const arranged = options.symbolOrder === undefined ? left : separatePlain(left);
  // Modules of which nothing is left have no say in it.
  const last = goalFor(left.tables, goal.target);
  const layout = layOutPlain(arranged.tables, arranged.resolution, last, options, options.wholeProgram);
  options.onPass?.("layout");
  if (isBeyond(layout, last, options)) return { beyond: { ...arranged, layout, target: last.target } };
  const kept = { ...arranged, tables: shapeTables(arranged.tables, layout, options), layout, goal: last, aliases };
  let hasUnknownStacks = false;
  const image = imageOf(kept, { ...options, onUnknownStacks: () => void (hasUnknownStacks = true) });
  return { image, counts, settled: { ...settled, kept }, hasUnknownStacks };
}

/** What is left, with names in the order of the output. */
/** Whether a later link places the `.common` variables: an object keeps them as such, a text does not. */
const leavesCommons = ({ relocatable, asText }: Pick<PlainOptions, "relocatable" | "asText">): boolean =>
  relocatable === true && asText !== true;

function inOrder({ tables, resolution }: Collected, { relocatable, gcSections }: PlainOptions): Collected {
  return { tables, resolution: inPlainOrder(tables, resolution, openPlaceOf(relocatable === true, gcSections)) };
}

/** Reads files, in command-line order; there is at least one. */
export function settlePlain(files: readonly PlainInput[], options: PlainOptions): PlainNamed {
  const done = options.onPass ?? (() => {});
  const wrapped = wrapPlain(readFiles(files), options.wrap ?? []);
  const { relocatable: forLater = false } = options;
  const staysObject = forLater && options.asText !== true;
  // The object of -r has the aliases of its inputs.
  const defines = options.hasDefinitions === true || (wrapped.rare.aliases > 0 && !staysObject);
  const { tables, aliases, settled, found } =
    (defines ? options.defineNames?.(wrapped) : undefined) ?? undefinedNames(wrapped);
  done("read objects");
  const { arch } = options;
  const target = arch === undefined ? undefined : parseTarget(arch);
  // A text may be for any, as far as it is right for it.
  const hasUnknownArch = arch !== undefined && !(options.asText === true ? target : target && knownTarget(target.name));
  const asked = hasUnknownArch ? undefined : arch;
  const leading = leadingTarget(tables, options.leader ?? 0);
  const goal = goalOf(tables, asked, leading, options);
  const resolution = resolvePlain(tables);
  done("resolve");
  const counts = countTables(tables);
  const asWritten = { tables, resolution };
  const bases = defines ? aliases.map(({ base }) => base) : aliasedNames(tables);
  const roots = { ...options.roots, forLater, defsym: bases };
  const collecting = { ...options, roots };
  const { idle, doubled, ...visible } = setPlainVisibility(asWritten, options.visibility ?? [], leavesCommons(options));
  const seen = options.visibility === undefined ? asWritten : visible;
  const owned = withCodeOwners(seen);
  const kept = collectPlain(owned === seen.tables ? seen : { ...seen, tables: owned }, collecting);
  if (options.gcSections === true) done("live");
  const fits = fitsOf(options);
  const remarks = findRemarks(
    {
      asWritten,
      kept,
      target: goal.target,
      version: options.ptxVersion ?? goal.version,
      fits,
      hasUnknownArch,
      aliases,
      found,
      idle,
      doubled,
    },
    { ...options, settled },
  );
  return { asWritten, kept, asked: asked ?? leading, goal, aliases, settled, counts, remarks };
}

/** The names of the variables that aliases in objects refer to. */
function aliasedNames(tables: Tables): readonly string[] {
  if (tables.rare.aliases === 0) return [];
  const names = new Set<TextId>();
  for (let row = 0; row < tables.firstSymbol.at(-1)!; row++)
    if (isAlias(tables, row)) names.add(aliasOfShape(tables.shapes, tables.shape[row]!)[0]);
  return Array.from(names, (name) => textOf(tables.texts, name));
}

/** Without --defsym. */
const undefinedNames = (tables: Tables): PlainDefined => ({
  tables,
  aliases: [],
  settled: new Set(),
  found: [],
});

function readFiles(inputs: readonly PlainInput[]): Tables {
  const opened = inputs.map(openInput);
  // What texts were assembled with here has most names already.
  const shapes = inputs.map(ownVocabulary).find((own) => own !== undefined) ?? createShapes(createTexts());
  const translations = new Map<Vocabulary, Translation | undefined>();
  for (const input of inputs)
    if (isPacked(input) && !translations.has(input.vocabulary))
      translations.set(input.vocabulary, translate(input.vocabulary, shapes));
  const unpackInto = (tables: Tables, i: number, input: PackedObject): void =>
    unpack(tables, i, input, translations.get(input.vocabulary));
  if (inputs.every(isPacked)) {
    const tables = createTables(opened, shapes);
    inputs.forEach((input, i) => unpackInto(tables, i, input));
    return tables;
  }
  const tables = createTables(opened, shapes);
  const reader = createObjectReader(tables);
  inputs.forEach((input, i) => {
    if (isPacked(input)) unpackInto(tables, i, input);
    else reader.read(i, opened[i] as ElfFrame);
  });
  reader.finish();
  return tables;
}

function openInput(input: PlainInput): SizedFile {
  if (input instanceof Uint8Array) return openPlain(input);
  return isPacked(input) ? sizedPacked(input) : input;
}

const ownVocabulary = (input: PlainInput): Shapes | undefined =>
  isPacked(input) && isOpen(input.vocabulary) ? input.vocabulary : undefined;

/** Of definitions that were replaced a text has nothing, and its data no order. */
function beyondInText(
  { tables, resolution }: Collected,
  goal: PlainGoal,
  options: PlainOptions,
): PlainExcess | undefined {
  const left = { tables, resolution: { ...resolution, replaced: new Map() } };
  const layout = layOutPlain(tables, left.resolution, goal);
  return isBeyond(layout, goal, options) ? { beyond: { ...left, layout, target: goal.target } } : undefined;
}

/** Whether something is more than there may be. */
function isBeyond({ joined, shared }: PlainLayout, { target }: PlainGoal, { maxImageBytes }: PlainOptions): boolean {
  const constants = joined[ROLE.constant].size;
  if (constants > MAX_CONSTANT_BYTES) return true;
  if (joined[ROLE.globalInit].size + constants > (maxImageBytes ?? DEFAULT_IMAGE_BYTES)) return true;
  const limit = staticSharedLimit(target);
  for (const { size } of shared.kernels.values()) if (size - shared.systemBytes > limit) return true;
  return false;
}

function imageOf(
  { tables, resolution, layout, goal, aliases }: PlainKept,
  options: PlainOptions,
): readonly Uint8Array[] {
  const { discardLocals = false, emitRelocations = false } = options;
  const named = discardLocals ? withoutIdleLocals(tables, resolution, layout, emitRelocations) : layout;
  const added = imageAliases(tables, resolution, layout, aliases);
  const image = plainImage(tables, resolution, named, goal, { ...options, aliases: added });
  options.onPass?.("image");
  return image;
}

/** What the image shows of the files. */
function shapeTables(tables: Tables, { texts }: PlainLayout, { stripDebug, lineTables }: PlainOptions): Tables {
  if (stripDebug === true) return withStrippedCode(withoutDebug(tables), texts);
  return lineTables === true ? withPlainLineTables(tables, texts) : tables;
}

function countTables(tables: Tables): ObjectCounts {
  const { files, moduleStart, firstSection, firstSymbol } = tables;
  const sections = firstSection.at(-1)!;
  let relocations = 0;
  for (let section = 0; section < sections; section++) relocations += relocationsIn(tables, section);
  return {
    objects: files.length,
    modules: moduleStart.length,
    sections,
    symbols: firstSymbol.at(-1)!,
    relocations,
  };
}

/** The target of the first module of a file, or of the first behind it that has one. */
const leadingTarget = (tables: Tables, file: number): string => textOf(tables.texts, targetsIn(tables, file)[0]!);

/** `asked`: what --arch says; `leading`: the target of the first module of the file that leads. */
function goalOf(
  tables: Tables,
  asked: string | undefined,
  leading: string,
  { asText, relocatable }: PlainOptions,
): PlainGoal {
  if (asText === true) return textGoal(tables, asked, leading);
  return relocatable === true ? objectGoal(tables, asked, leading) : imageGoal(tables, asked ?? leading);
}

/** `asked`: the image's target by its name. */
const imageGoal = (tables: Tables, asked: string): PlainGoal => goalFor(tables, imageTarget(targetOf(asked)));

function goalFor(tables: Tables, target: Target): PlainGoal {
  const version = Math.max(latestVersion(tables), knownTarget(target.name)?.since ?? 0);
  return { target, version, writesRel: targetFacts(target.sm).writesRel, addressSize: addressSizeIn(tables) };
}

/** The targets of all modules. */
const moduleTargets = (tables: Tables): readonly Target[] => {
  const names = new Set(tables.files.flatMap((_, file) => targetsIn(tables, file)));
  return Array.from(names, (name) => targetOf(textOf(tables.texts, name)));
};

/** The first target of a module that all can be linked for. */
const commonTarget = (targets: readonly Target[]): Target | undefined =>
  targets.find((each) => targets.every((other) => linksInto(other, imageTarget(each))));

/** chooseModuleTarget of ../targets.ts; where nothing fits all, what remarks are made against. */
function textGoal(tables: Tables, asked: string | undefined, leading: string): PlainGoal {
  const targets = moduleTargets(tables);
  const newest = targets.reduce((last, each) => (each.sm > last.sm ? each : last));
  if (asked === undefined && imageTarget(newest) !== newest)
    return {
      target: newest,
      version: latestVersion(tables),
      writesRel: targetFacts(newest.sm).writesRel,
      addressSize: addressSizeIn(tables),
    };
  const first = targetOf(asked ?? leading);
  const fits = fitsOf({ asText: true, arch: asked });
  const candidates = asked === undefined ? [first, commonTarget(targets) ?? first] : [first];
  const goals = candidates.map(imageTarget);
  return goalFor(tables, goals.find((goal) => targets.every((each) => fits(each, goal))) ?? goals[0]!);
}

/** PTX runs on whatever --arch names that is later. */
const fitsOf = ({ asText, arch }: Pick<PlainOptions, "asText"> & { readonly arch?: string | undefined }): Fits =>
  asText === true && arch !== undefined ? mayBeFor : linksInto;

/** chooseObjectTarget of ../targets.ts, likewise. */
function objectGoal(tables: Tables, asked: string | undefined, leading: string): PlainGoal {
  const common = asked === undefined ? commonTarget(moduleTargets(tables)) : undefined;
  if (common === undefined) return imageGoal(tables, asked ?? leading);
  return {
    target: common,
    version: latestVersion(tables),
    writesRel: targetFacts(common.sm).writesRel,
    addressSize: addressSizeIn(tables),
  };
}
