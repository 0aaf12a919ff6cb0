// The linker's passes, in order, over columns of numbers from the inputs' bytes to the output's bytes
// (object/columns/columns.ts). There are two halves. The first ends with the diagnostics, which are detected as row numbers
// (link/detect/detect.ts); the caller formats them if there are any (link/diagnostics/report.ts). The second makes the output.
// Semantics follow nvlink where it is sound. The result depends only on the inputs, their order and the options. Linear in its
// inputs. docs/linking.md, "How it works".

import { MAX_CONSTANT_BYTES, targetFacts } from "../../formats/cuda/index.js";
import { parseTarget, type Target } from "../isa/requirement.js";
import { knownTarget, type PtxVersion } from "../isa/targets.table.js";
import { imageAliases, type DefinedSymbols } from "./image/aliases.js";
import { withoutIdleLocals } from "./image/applied-relocations.js";
import { collectGarbage } from "./gc/collect.js";
import { imageFile } from "./image/image.js";
import { printableModule } from "./relocatable/emit-ptx.js";
import { relocatableFile } from "./relocatable/relocatable-file.js";
import { layOutImage, type ImageLayout } from "./layout/layout.js";
import { withLineTables } from "./image/line-tables.js";
import {
  isPacked,
  type PackedObject,
  type LinkInput,
  type Dictionary,
} from "../object/columns/packed/packed-object.js";
import type { LinkTarget } from "./image/section-plan.js";
import { openObjectFile, type ObjectElf } from "../object/columns/read/elf-file.js";
import { createObjectReader } from "../object/columns/read/object-reader.js";
import { ROLE } from "../object/columns/codes.js";
import { detectDiagnostics, targetOf } from "./detect/detect.js";
import { inOutputOrder, placeOfUndefined } from "./resolve/output-order.js";
import { assignCodeOwners } from "./resolve/code-owners.js";
import { resolveNames, type ResolvedColumns } from "./resolve/resolve.js";
import { withoutDebug, withStrippedCode } from "./relocatable/strip.js";
import { addressSizeIn, compiledModules, latestVersion, targetsIn } from "../object/columns/modules.js";
import {
  createColumns,
  isVariableAlias,
  relocationsIn,
  type SizedFile,
  type Columns,
} from "../object/columns/columns.js";
import { createStrings, stringOf, type StringId } from "../object/columns/strings.js";
import { aliasOfType, createTypes, type TypeTable } from "../object/columns/types.js";
import { packedFile, unpack } from "../object/columns/packed/unpack.js";
import { isGrowable, translate, type Translation } from "../object/columns/packed/dictionary.js";
import { imageTarget, linksInto, mayBeFor, type Fits } from "./model/targets.js";
import { separateVariables } from "./layout/separate-variables.js";
import { setVisibility } from "./resolve/visibility.js";
import { wrapNames } from "./resolve/wrap.js";
import { DEFAULT_IMAGE_BYTES, staticSharedLimit } from "./layout/limits.js";
import type { LaidOutImage, LimitExcess, LinkOutput, ObjectCounts, ResolvedLink } from "./state/results.js";
import type { PassOptions } from "./state/options.js";

/** The second half, for links without errors. */
export function finishLink(named: ResolvedLink, options: PassOptions): LinkOutput | LimitExcess {
  const { beforeGc, linkTarget, aliases, counts } = named;
  const isImage = options.asText !== true && options.relocatable !== true;
  const ordered = inOrder(
    isImage ? named.afterGc : { ...named.afterGc, columns: compiledModules(named.afterGc.columns) },
    options,
  );
  const stages = { beforeGc, ordered, image: undefined };
  if (options.asText === true) {
    const beyond = options.relocatable === true ? undefined : textExceedsLimits(ordered, linkTarget, options);
    if (beyond !== undefined) return beyond;
    const printed = printableModule(ordered.columns, ordered.resolution, linkTarget, options);
    options.onPass?.("join");
    return { image: [], printed, counts, stages };
  }
  if (options.relocatable === true) {
    const image = relocatableFile(ordered.columns, ordered.resolution, linkTarget, options);
    options.onPass?.("object");
    return { image, counts, stages };
  }
  const arranged = options.symbolOrder === undefined ? ordered : separateVariables(ordered);
  // Modules that were removed completely do not count.
  const last = targetForOutput(ordered.columns, linkTarget.target);
  const layout = layOutImage(arranged.columns, arranged.resolution, last, options, options.wholeProgram);
  options.onPass?.("layout");
  if (imageExceedsLimits(layout, last, options)) return { beyond: { ...arranged, layout, target: last.target } };
  const columns = withOutputOptions(arranged.columns, layout, options);
  const laidOut = { ...arranged, columns, layout, linkTarget: last, aliases };
  let hasUnknownStacks = false;
  const image = imageOf(laidOut, { ...options, onUnknownStacks: () => void (hasUnknownStacks = true) });
  return { image, counts, stages: { ...stages, image: laidOut }, hasUnknownStacks };
}

/** Whether a later link places the `.common` variables: an object keeps them as such, a text does not. */
const keepsCommons = ({ relocatable, asText }: Pick<PassOptions, "relocatable" | "asText">): boolean =>
  relocatable === true && asText !== true;

function inOrder({ columns, resolution }: ResolvedColumns, { relocatable, gcSections }: PassOptions): ResolvedColumns {
  return {
    columns,
    resolution: inOutputOrder(columns, resolution, placeOfUndefined(relocatable === true, gcSections)),
  };
}

/** The first half. `files`: in command-line order, at least one. */
export function resolveLink(files: readonly LinkInput[], options: PassOptions): ResolvedLink {
  const done = options.onPass ?? (() => {});
  const wrapped = wrapNames(readFiles(files), options.wrap ?? []);
  const { relocatable: forLater = false } = options;
  const staysObject = forLater && options.asText !== true;
  // An object of -r keeps the aliases of its inputs.
  const defines = options.hasDefinitions === true || (wrapped.featureCounts.aliases > 0 && !staysObject);
  const { columns, aliases, settledNames, found } =
    (defines ? options.defineNames?.(wrapped) : undefined) ?? undefinedNames(wrapped);
  done("read objects");
  const { arch } = options;
  const target = arch === undefined ? undefined : parseTarget(arch);
  // PTX sources fit any target that their instructions allow.
  const hasUnknownArch = arch !== undefined && !(options.asText === true ? target : target && knownTarget(target.name));
  const asked = hasUnknownArch ? undefined : arch;
  const leading = leadingTarget(columns, options.leader ?? 0);
  const linkTarget = chooseLinkTarget(columns, asked, leading, options);
  const resolution = resolveNames(columns);
  done("resolve");
  const counts = countInputs(columns);
  const beforeGc = { columns, resolution };
  const bases = defines ? aliases.map(({ base }) => base) : aliasedNames(columns);
  const roots = { ...options.roots, forLater, defsym: bases };
  const collecting = { ...options, roots };
  const { unusedRules, ambiguousExports, ...visible } = setVisibility(
    beforeGc,
    options.visibility ?? [],
    keepsCommons(options),
  );
  const seen = options.visibility === undefined ? beforeGc : visible;
  const owned = assignCodeOwners(seen);
  const afterGc = collectGarbage(owned === seen.columns ? seen : { ...seen, columns: owned }, collecting);
  if (options.gcSections === true) done("live");
  const fits = fitsOf(options);
  const pending = detectDiagnostics(
    {
      beforeGc,
      afterGc,
      target: linkTarget.target,
      version: options.ptxVersion ?? linkTarget.version,
      fits,
      hasUnknownArch,
      aliases,
      found,
      unusedRules,
      ambiguousExports,
    },
    { ...options, settled: settledNames },
  );
  return { beforeGc, afterGc, requestedTarget: asked ?? leading, linkTarget, aliases, settledNames, counts, pending };
}

/** The names of the variables that aliases in objects refer to. */
function aliasedNames(columns: Columns): readonly string[] {
  if (columns.featureCounts.aliases === 0) return [];
  const names = new Set<StringId>();
  for (let row = 0; row < columns.firstSymbol.at(-1)!; row++)
    if (isVariableAlias(columns, row)) names.add(aliasOfType(columns.types, columns.typeId[row]!)[0]);
  return Array.from(names, (name) => stringOf(columns.strings, name));
}

/** The result for links without --defsym. */
const undefinedNames = (columns: Columns): DefinedSymbols => ({
  columns,
  aliases: [],
  settledNames: new Set(),
  found: [],
});

function readFiles(inputs: readonly LinkInput[]): Columns {
  const opened = inputs.map(openInput);
  // The dictionary of texts that were assembled in this process contains most names already.
  const types = inputs.map(ownDictionary).find((own) => own !== undefined) ?? createTypes(createStrings());
  const translations = new Map<Dictionary, Translation | undefined>();
  for (const input of inputs)
    if (isPacked(input) && !translations.has(input.dictionary))
      translations.set(input.dictionary, translate(input.dictionary, types));
  const unpackInto = (columns: Columns, i: number, input: PackedObject): void =>
    unpack(columns, i, input, translations.get(input.dictionary));
  if (inputs.every(isPacked)) {
    const columns = createColumns(opened, types);
    inputs.forEach((input, i) => unpackInto(columns, i, input));
    return columns;
  }
  const columns = createColumns(opened, types);
  const reader = createObjectReader(columns);
  inputs.forEach((input, i) => {
    if (isPacked(input)) unpackInto(columns, i, input);
    else reader.read(i, opened[i] as ObjectElf);
  });
  reader.finish();
  return columns;
}

function openInput(input: LinkInput): SizedFile {
  if (input instanceof Uint8Array) return openObjectFile(input);
  return isPacked(input) ? packedFile(input) : input;
}

const ownDictionary = (input: LinkInput): TypeTable | undefined =>
  isPacked(input) && isGrowable(input.dictionary) ? input.dictionary : undefined;

/** A text has no replaced definitions, and its data has no order. */
function textExceedsLimits(
  { columns, resolution }: ResolvedColumns,
  linkTarget: LinkTarget,
  options: PassOptions,
): LimitExcess | undefined {
  const left = { columns, resolution: { ...resolution, replaced: new Map() } };
  const layout = layOutImage(columns, left.resolution, linkTarget);
  return imageExceedsLimits(layout, linkTarget, options)
    ? { beyond: { ...left, layout, target: linkTarget.target } }
    : undefined;
}

/** Whether the image exceeds a limit. */
function imageExceedsLimits(
  { outputSections, shared }: ImageLayout,
  { target }: LinkTarget,
  { maxImageBytes }: PassOptions,
): boolean {
  const constants = outputSections[ROLE.constant].size;
  if (constants > MAX_CONSTANT_BYTES) return true;
  if (outputSections[ROLE.globalInit].size + constants > (maxImageBytes ?? DEFAULT_IMAGE_BYTES)) return true;
  const limit = staticSharedLimit(target);
  for (const { size } of shared.kernels.values()) if (size - shared.systemBytes > limit) return true;
  return false;
}

function imageOf(
  { columns, resolution, layout, linkTarget, aliases }: LaidOutImage,
  options: PassOptions,
): readonly Uint8Array[] {
  const { discardLocals = false, emitRelocations = false } = options;
  const named = discardLocals ? withoutIdleLocals(columns, resolution, layout, emitRelocations) : layout;
  const added = imageAliases(columns, resolution, layout, aliases);
  const image = imageFile(columns, resolution, named, linkTarget, { ...options, aliases: added });
  options.onPass?.("image");
  return image;
}

/** The columns after options that change the image's contents. */
function withOutputOptions(
  columns: Columns,
  { textSections }: ImageLayout,
  { stripDebug, lineTables }: PassOptions,
): Columns {
  if (stripDebug === true) return withStrippedCode(withoutDebug(columns), textSections);
  return lineTables === true ? withLineTables(columns, textSections) : columns;
}

function countInputs(columns: Columns): ObjectCounts {
  const { files, moduleStart, firstSection, firstSymbol } = columns;
  const sections = firstSection.at(-1)!;
  let relocations = 0;
  for (let section = 0; section < sections; section++) relocations += relocationsIn(columns, section);
  return {
    objects: files.length,
    modules: moduleStart.length,
    sections,
    symbols: firstSymbol.at(-1)!,
    relocations,
  };
}

/** The target of the first module of a file, or of the first later module that has one. */
const leadingTarget = (columns: Columns, file: number): string =>
  stringOf(columns.strings, targetsIn(columns, file)[0]!);

/** `asked`: the target of --arch; `leading`: the target of the first module of the leading file. */
function chooseLinkTarget(
  columns: Columns,
  asked: string | undefined,
  leading: string,
  { asText, relocatable }: PassOptions,
): LinkTarget {
  if (asText === true) return textLinkTarget(columns, asked, leading);
  return relocatable === true ? objectLinkTarget(columns, asked, leading) : imageLinkTarget(columns, asked ?? leading);
}

/** `asked`: the name of the image's target. */
const imageLinkTarget = (columns: Columns, asked: string): LinkTarget =>
  targetForOutput(columns, imageTarget(targetOf(asked)));

/** The target with a PTX version that is late enough for it. */
const targetForOutput = (columns: Columns, target: Target): LinkTarget =>
  linkTargetOf(columns, target, Math.max(latestVersion(columns), knownTarget(target.name)?.since ?? 0));

const linkTargetOf = (columns: Columns, target: Target, version: PtxVersion): LinkTarget => ({
  target,
  version,
  writesRel: targetFacts(target.sm).writesRel,
  addressSize: addressSizeIn(columns),
});

/** The targets of all modules. */
const moduleTargets = (columns: Columns): readonly Target[] => {
  const names = new Set(columns.files.flatMap((_, file) => targetsIn(columns, file)));
  return Array.from(names, (name) => targetOf(stringOf(columns.strings, name)));
};

/** The first module target for which all modules can be linked. */
const commonTarget = (targets: readonly Target[]): Target | undefined =>
  targets.find((each) => targets.every((other) => linksInto(other, imageTarget(each))));

/** The target of a merged text. If no target fits all modules, the one against which conflicts are reported. */
function textLinkTarget(columns: Columns, asked: string | undefined, leading: string): LinkTarget {
  const targets = moduleTargets(columns);
  const newest = targets.reduce((last, each) => (each.sm > last.sm ? each : last));
  if (asked === undefined && imageTarget(newest) !== newest)
    return linkTargetOf(columns, newest, latestVersion(columns));
  const first = targetOf(asked ?? leading);
  const fits = fitsOf({ asText: true, arch: asked });
  const candidates = asked === undefined ? [first, commonTarget(targets) ?? first] : [first];
  const linkTargets = candidates.map(imageTarget);
  const fitting = linkTargets.find((linkTarget) => targets.every((each) => fits(each, linkTarget)));
  return targetForOutput(columns, fitting ?? linkTargets[0]!);
}

/** With --arch, PTX may also be for an earlier architecture than the output. */
const fitsOf = ({ asText, arch }: Pick<PassOptions, "asText"> & { readonly arch?: string | undefined }): Fits =>
  asText === true && arch !== undefined ? mayBeFor : linksInto;

/** The target of an object of -r: one that fits all modules, otherwise the requested or leading one. */
function objectLinkTarget(columns: Columns, asked: string | undefined, leading: string): LinkTarget {
  const common = asked === undefined ? commonTarget(moduleTargets(columns)) : undefined;
  if (common === undefined) return imageLinkTarget(columns, asked ?? leading);
  return linkTargetOf(columns, common, latestVersion(columns));
}
