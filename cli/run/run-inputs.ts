// Inputs of run and debug: a launch specification or the options of one launch, and the image.

import path from "node:path";
import { linkObjects } from "../../lib/link/link-objects.js";
import type { NameRoot } from "../../lib/link/archives/select-archive.js";
import { readLaunchSpec, type LaunchSpec } from "../../lib/load/launch-spec.js";
import { fitsDeviceMemory } from "../../lib/load/capacity.js";
import type { LinkedImage } from "../../lib/object/object.js";
import type { CommonOptions, Session } from "../options/common.js";
import { withSlowGrowthForFiles } from "../base/engine.js";
import { readSource } from "../inputs/inputs.js";
import { shortLaunch, type ShortLaunch } from "./launch-arguments.js";
import { inputFacts, readInputs, type LinkInputs } from "../inputs/link-inputs.js";
import { withNvvmPlan } from "./nvvm-plan.js";
import type { LinkOptionValues } from "../options/link-options.table.js";
import { locateLibraries, type PlacedInput } from "../inputs/placed-inputs.js";
import { UsageError } from "../base/status.js";

/** The options of one launch, or the file of a specification. */
export interface LaunchWords {
  readonly launch?: string;
  readonly kernel?: string;
  readonly grid?: string;
  readonly block?: string;
  readonly arg?: readonly string[];
  /** Dynamic shared memory in bytes. */
  readonly shared?: number;
  readonly cooperative?: boolean;
}

/** The image in which the specification launches kernels; undefined if an error was reported. */
export async function readImage(
  files: readonly PlacedInput[],
  options: CommonOptions & Pick<LinkOptionValues, "libraryPath">,
  spec: LaunchSpec | undefined,
  session: Session,
): Promise<LinkedImage | undefined> {
  const { host, sink } = session;
  const placed = locateLibraries(files, options, host.exists);
  const planned = withNvvmPlan(options, placed, host);
  const inputs = await withSlowGrowthForFiles([], () =>
    readInputs(placed, session, planned, { roots: launchedNames(spec) }),
  );
  const image = imageOf(inputs, planned, session);
  return image === undefined || sink.errorCount > 0 || !fitsDeviceMemory(image, sink) ? undefined : image;
}

/** The launches that the command line requests: a specification's file, or one launch. */
export type Wanted = { readonly spec: string } | { readonly launch: ShortLaunch };

/** Checks the options of the launch before any file is read, so that a wrong command line is reported first. */
export function wantedLaunch({ launch, kernel, grid, block, arg, shared, cooperative = false }: LaunchWords): Wanted {
  if (launch !== undefined) {
    if (kernel !== undefined || arg !== undefined)
      throw new UsageError(
        "--launch and -k exclude each other",
        "name kernel and arguments in the specification, or leave --launch out",
      );
    if (cooperative)
      throw new UsageError('--cooperative requires -k; in a launch specification, write "cooperative": true');
    return { spec: launch };
  }
  if (kernel === undefined)
    throw new UsageError("specify what to run: --launch SPEC.json, or -k KERNEL -g GRID -b BLOCK");
  if (grid === undefined || block === undefined)
    throw new UsageError("-k needs -g and -b", "give the grid and the block, such as -g 4 -b 256");
  return { launch: { kernel, grid, block, sharedBytes: shared ?? 0, cooperative, arguments: arg ?? [] } };
}

/** The image of the inputs. A single image is loaded directly; everything else is linked. */
function imageOf(inputs: LinkInputs, options: CommonOptions, session: Session): LinkedImage | undefined {
  const { arch } = options;
  if (session.sink.errorCount > 0) return undefined;
  const objects = inputs.objects();
  const [first] = objects;
  if (objects.length === 1 && first?.type === "executable") return first as LinkedImage;
  const target = arch === undefined ? {} : { arch };
  const facts = { ...inputFacts(inputs), ...target };
  return linkObjects(objects, { ...facts, wholeProgram: inputs.isOneModule }, session.sink);
}

export function specification(wanted: Wanted, session: Session): LaunchSpec | undefined {
  const { host, sink } = session;
  if ("launch" in wanted) return shortLaunch(wanted.launch, (file) => host.read(file));
  const folder = wanted.spec === "-" ? "." : path.dirname(wanted.spec);
  return readLaunchSpec(readSource(wanted.spec, session), sink, {
    readFile: (name) => host.read(path.resolve(folder, name)),
  });
}

/** Symbols named by the launch specification. They are roots: archive members that define them are extracted. */
function launchedNames(spec: LaunchSpec | undefined): readonly NameRoot[] {
  if (spec === undefined) return [];
  const { launches, symbols, outputs } = spec;
  const names = [
    ...launches.map(({ kernel }) => kernel),
    ...symbols.map(({ name }) => name),
    ...outputs.flatMap(({ kind, target }) => (kind === "symbol" ? [target] : [])),
  ];
  return names.map((name) => ({ name, by: "the launch" }));
}
