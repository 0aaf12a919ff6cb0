// Turns the exception that stopped a launch into the fault of its result: kernel, block, thread and source line of the cause.
// For a launch that does not end, it adds the locations of all threads. Each host thread of a launch finds at most one fault;
// `faultOf` merges them.

import { isDriverFunction } from "../../isa/driver-functions.table.js";
import { explainFault } from "./explain-fault.js";
import { usesWorkspace } from "./cooperative.js";
import type { KernelFault } from "../state/fault.js";
import type { Fault, FaultKind } from "../state/result.js";
import { inliningPlaces, sourcePlace } from "../machine/source-places.js";
import type { Block, Cluster } from "../state/block.js";
import type { LaunchState } from "../state/launch.js";
import type { Group, Warp } from "../state/warp.js";
import {
  mergeLocations,
  type GroupedLocation,
  locationsOf,
  locationLines,
  threadLocationsOf,
} from "./thread-locations.js";
import { firstLane } from "../machine/warp.js";

/** Faults of the launch as a whole, whose report has the locations of all threads. */
const endless: ReadonlySet<FaultKind> = new Set(["deadlock", "instruction-limit", "interrupted"]);

/** A fault as one host thread finds it. */
export interface FoundFault {
  readonly fault: Fault;
  /** Its cluster; Infinity if no cluster has begun. */
  readonly cluster: number;
  /** For a launch that does not end, the locations of the threads that have begun. */
  readonly places: readonly GroupedLocation[];
}

/**
 * The fault of a launch: that of the first faulting cluster. A limit or an interruption stops all host threads and reports all
 * locations; a deadlock reports those of its cluster, and of clusters that spin on the same host thread.
 */
export function faultOf(found: readonly FoundFault[]): Fault | undefined {
  const [first, ...rest] = [...found].sort((a, b) => a.cluster - b.cluster);
  if (first === undefined) return undefined;
  const { fault } = first;
  const alike = rest.filter((other) => other.fault.kind === fault.kind);
  const places =
    fault.kind === "deadlock" ? first.places : mergeLocations([first, ...alike].flatMap((other) => other.places));
  const details = [...(fault.details ?? []), ...locationLines(places)];
  return {
    ...fault,
    ...(details.length === 0 ? {} : { details }),
    ...(places.length === 0 ? {} : { threadLocations: threadLocationsOf(places) }),
  };
}

/** The fault as the result reports it. `others` are the other clusters that have begun and not ended. */
export function describeFault(
  state: LaunchState,
  number: number,
  cluster: Cluster,
  others: readonly Cluster[],
  error: KernelFault,
): FoundFault {
  const places = endless.has(error.kind) ? locationsOf([cluster, ...others]) : [];
  return { fault: withPlace(state, cluster, places, error), cluster: number, places };
}

function withPlace(
  state: LaunchState,
  cluster: Cluster,
  places: readonly GroupedLocation[],
  fault: KernelFault,
): Fault {
  const { warp, group } = stoppedGroup(cluster, fault.kind);
  const block: Block | undefined = warp?.block ?? cluster.blocks[0];
  const unresolved = fault.address === undefined ? undefined : state.process.unresolvedAt(fault.address);
  const instruction = group?.frame.program.fn.code.instructions[group.pc];
  const inlined =
    group === undefined || instruction === undefined || fault.kind === "deadlock"
      ? []
      : inliningPlaces(group.frame.program.fn, instruction).map(({ file, line }) => `inlined at ${file}:${line}`);
  const details = [...inlined, ...fault.details, ...adviceOn(state, fault.kind)];
  const common = {
    kind: fault.kind,
    message:
      unresolved === undefined ? fault.message : `${fault.message}: '${unresolved.name}', ${whyUndefined(unresolved)}`,
    kernel: state.kernel.name,
    ...(block === undefined ? {} : { block: block.coordinates }),
    ...(details.length === 0 ? {} : { details }),
    ...(fault.remedy === undefined ? {} : { remedy: fault.remedy }),
  };
  const address = fault.address === undefined ? {} : { address: fault.address };
  if (fault.kind === "deadlock")
    return { ...common, ...(places[0] === undefined ? {} : placeOf(places[0])), ...address };
  if (warp === undefined || group === undefined) return common;
  const { fn } = group.frame.program;
  const thread = warp.index * 32 + (fault.lane ?? firstLane(group.mask));
  const [x, y] = state.config.block;
  return {
    ...common,
    thread: [thread % x, Math.floor(thread / x) % y, Math.floor(thread / (x * y))],
    ...(instruction === undefined ? {} : sourcePlace(fn, instruction)),
    ...explainFault(group, fault.lane),
    ...address,
  };
}

/** Functions of the driver need no definition, and many of them (above all, those that start kernels) are not simulated. */
const whyUndefined = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  kind === "function" && isDriverFunction(name)
    ? "a function of the driver that is not simulated"
    : "which no linked module defines";

const placeOf = ({ at: { file, line } }: GroupedLocation): Pick<Fault, "file" | "line"> => ({ file, line });

/** The group that stopped the launch; for a stop from outside, one that could continue. */
function stoppedGroup(
  { running, blocks }: Cluster,
  kind: FaultKind,
): { readonly warp: Warp | undefined; readonly group: Group | undefined } {
  const isRunning = running?.groups.some((group) => group === running.current) === true;
  const candidates = kind === "interrupted" || !isRunning ? blocks.flatMap(({ warps }) => warps) : [];
  for (const warp of candidates) {
    const group = warp.groups.find(({ wait }) => wait === undefined);
    if (group !== undefined) return { warp, group };
  }
  return { warp: running, group: running?.current };
}

function adviceOn({ process, kernel, workspace }: LaunchState, kind: FaultKind): readonly string[] {
  return kind === "trap" && workspace === 0 && usesWorkspace(process, kernel)
    ? ["the kernel uses the workspace of a cooperative launch, but the launch is not cooperative (--cooperative)"]
    : [];
}
