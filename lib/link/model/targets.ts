// Pass: chooses the architecture of the image, and checks that every input may be linked for it. Which targets are compatible was
// measured with nvlink 13.0 for each pair of its targets (testdata/oracle/link/targets.json).

import type { Place } from "../../diag/diagnostic.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import { parseTarget, type Target } from "../../isa/requirement.js";
import { family, knownTarget, type PtxVersion } from "../../isa/targets.table.js";
import type { ModuleOrigin, RelocObject } from "../../object/object.js";

/** Inputs for older architectures count as for this one, which is the oldest that the assembler of CUDA 13 supports. */
const OLDEST_SM = 75;

/** Code for one of these runs on the later ones; other architectures run only their own family's code. */
const ampereAndAda: readonly number[] = [80, 86, 89];

/** Whether code for `input` may go into an image for `image`. */
export function linksInto(input: Target, image: Target): boolean {
  const [from, to] = [imageTarget(input).sm, imageTarget(image).sm];
  if (from === to) return true;
  if (from > to || input.suffix === "a") return false;
  return family(from) === family(to) || (ampereAndAda.includes(from) && ampereAndAda.includes(to));
}

/** Whether PTX for `input` can be compiled for `linkTarget`. Unlike machine code, PTX runs on all later targets. */
export function compilesFor(input: Target, linkTarget: Target): boolean {
  if (input.suffix === "a") return input.sm === linkTarget.sm && linkTarget.suffix === "a";
  if (input.suffix === "f")
    return family(input.sm) === family(linkTarget.sm) && input.sm <= linkTarget.sm && linkTarget.suffix !== "";
  return input.sm <= linkTarget.sm;
}

/** A module from a fatbin, compiled for the link's target if that can run it. */
export function compiledFor(linkTarget: Target | undefined, object: RelocObject): RelocObject {
  if (linkTarget === undefined || linksInto(object.target, linkTarget) || !compilesFor(object.target, linkTarget))
    return object;
  return { ...object, target: linkTarget };
}

/** The target that --arch names; undefined without --arch, or if there is no such target. */
export const linkTargetOf = (arch: string | undefined): Target | undefined =>
  arch === undefined ? undefined : parseTarget(arch);

/** The target of an image for `target`: older ones are replaced by the oldest supported target. */
export function imageTarget(target: Target): Target {
  return target.sm >= OLDEST_SM ? target : { name: `sm_${OLDEST_SM}`, sm: OLDEST_SM, suffix: "" };
}

export interface OutputTarget {
  readonly target: Target;
  /** The latest version of the modules, and late enough for the target. */
  readonly version: PtxVersion;
}

/** The properties of a module for these checks. */
type TargetedModule = Pick<ModuleOrigin, "name" | "version" | "target" | "targetLine" | "addressSize">;

/** A module with its name in messages, and the place of its .target. */
export interface PlacedModule {
  readonly name: string;
  readonly place: Place;
  readonly module: TargetedModule;
}

type Named = PlacedModule;

/** The modules of an input, with their names in messages. */
export const namedModules = ({ name, modules }: TargetedInput): readonly Named[] =>
  modules.map((module) => ({
    name: module.name === name ? module.name : `${module.name} of ${name}`,
    place: targetPlace(name, module),
    module,
  }));

function targetPlace(object: string, { name: file, targetLine: line }: TargetedModule): Place {
  if (line === 0) return { kind: "file", file: object };
  return { kind: "line", file, line, ...(file === object ? {} : { object }) };
}

/** The modules of an object with the targets for which they are linked: embedded PTX may be compiled for a later one. */
export function compiledModules({ modules, target }: RelocObject): readonly ModuleOrigin[] {
  const [only, ...others] = modules;
  return only === undefined || others.length > 0 || only.target.name === target.name ? modules : [{ ...only, target }];
}

/** An input, and its modules with the targets for which they are linked. */
export interface TargetedInput {
  readonly name: string;
  readonly modules: readonly TargetedModule[];
}

/**
 * The image's target; undefined if --arch names an unknown one, which is reported. Also reports modules that do not fit the
 * target.
 */
export function targetFor(
  inputs: readonly TargetedInput[],
  arch: string | undefined,
  sink: DiagnosticSink,
  leader = 0,
  fits: Fits = linksInto,
): Target | undefined {
  const first = inputs.slice(leader).flatMap(namedModules)[0];
  const asked = arch === undefined ? first!.module.target : knownTargetOf(arch);
  if (asked === undefined) {
    sink.report("unknown-target", `${JSON.stringify(arch)} is not a target`, undefined, {
      remedy: "name one like sm_90, sm_90a or sm_100f",
    });
    return undefined;
  }
  const target = imageTarget(asked);
  const modules = inputs.flatMap(namedModules);
  reportMisfits(modules, { target, asked: asked.name, leader: arch === undefined ? first : undefined, fits }, sink);
  return target;
}

function knownTargetOf(arch: string): Target | undefined {
  const target = parseTarget(arch);
  return target === undefined || knownTarget(target.name) === undefined ? undefined : target;
}

interface Chosen {
  readonly target: Target;
  /** The name of the requested target. Targets older than images support are replaced by the oldest. */
  readonly asked: string;
  /** The module whose target was chosen; undefined if --arch specifies it. */
  readonly leader: Named | undefined;
  readonly fits: Fits;
}

/** Reports one error for each target that does not fit, with all its modules. */
function reportMisfits(modules: readonly Named[], { target, asked, leader, fits }: Chosen, sink: DiagnosticSink): void {
  const misfits = new Map<string, Named[]>();
  for (const each of modules) {
    const { name } = each.module.target;
    const known = misfits.get(name);
    if (known !== undefined) known.push(each);
    else if (!fits(each.module.target, target)) misfits.set(name, [each]);
  }
  if (misfits.size === 0) return;
  const remedy = remedyFor(modules, target);
  for (const [wanted, [first, ...others]] of misfits) {
    const odd = leader === undefined ? undefined : outlierOf(modules, [first!, ...others], leader, misfits);
    sink.report(
      "incompatible-target",
      `${first!.name} is for ${wanted}, which cannot be linked for ${target.name}` +
        (odd === undefined ? "" : `; ${odd.name} is the odd one of ${modules.length}`),
      first!.place,
      {
        notes: [
          leader === undefined
            ? { message: `--arch asks for ${asked}` }
            : {
                message: `the first input, ${shortName(leader)}, is for ${leaderText(asked, target)}`,
                place: leader.place,
              },
          ...others.map((each) => ({ message: `${shortName(each)} is for ${wanted} too`, place: each.place })),
        ],
        remedy,
      },
    );
  }
}

/** The module's name: the note's place already names the file. */
const shortName = ({ name, place, module }: Named): string => (place.kind === "line" ? module.name : name);

/** The requested target, and the image's target if that differs. */
const leaderText = (asked: string, { name }: Target): string =>
  asked === name ? asked : `${asked}, linked for ${name}`;

function remedyFor(modules: readonly Named[], target: Target): string {
  const common = commonTarget(modules);
  if (common !== undefined) return `give --arch ${imageTarget(common).name}, which all can be linked for`;
  const linkTargets = [target, imageTarget(newestTarget(modules))];
  const linkTarget = linkTargets.find((one) => modules.every(({ module }) => mayBeFor(module.target, one)));
  return linkTarget === undefined
    ? "compile every module for one target: code for one of these does not run on another"
    : `compile every module for one target, or merge them as PTX, which runs on later ones too: --emit ptx --arch ${linkTarget.name}`;
}

/** The one module that conflicts with all others, if there are more than two and the others can be linked together. */
function outlierOf(
  modules: readonly Named[],
  wrong: readonly Named[],
  leader: Named,
  misfits: ReadonlyMap<string, readonly Named[]>,
): Named | undefined {
  if (modules.length < 3) return undefined;
  const wrongs = [...misfits.values()].flat();
  if (wrongs.length === modules.length - 1) return commonTarget(wrongs) === undefined ? undefined : leader;
  return misfits.size === 1 && wrong.length === 1 ? wrong[0] : undefined;
}

/** The first module target for which all modules can be linked. */
const commonTarget = (modules: readonly Named[]): Target | undefined =>
  modules.find(({ module: { target } }) => modules.every(({ module }) => linksInto(module.target, imageTarget(target))))
    ?.module.target;

/** Whether a module may go into an output for a given target. */
export type Fits = (input: Target, linkTarget: Target) => boolean;

/** The rule for a merged text. */
export const mayBeFor: Fits = (input, linkTarget) => linksInto(input, linkTarget) || compilesFor(input, linkTarget);

const newestTarget = (modules: readonly Named[]): Target =>
  modules.reduce(
    (newest, { module: { target } }) => (target.sm > newest.sm ? target : newest),
    modules[0]!.module.target,
  );
