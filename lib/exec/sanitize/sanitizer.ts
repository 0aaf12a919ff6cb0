// The sanitizer of a process. Unwritten memory and heap blocks outlive launches. Each launch orders its accesses in its own
// state, and is ordered before the next launch.

import type { Process } from "../../load/process.js";
import type { Region } from "../../load/region-list.js";
import type { Instrument } from "../operands/watched.js";
import type { LaunchState } from "../state/launch.js";
import type { LaunchSanitizer } from "../state/sanitizer.js";
import { createLaunchContext, type LaunchContext, type Origin, type ProcessState, UNDEFINED_FROM } from "./context.js";
import { createFindingList, type Finding } from "./finding.js";
import { type Allocations, findLeaks } from "./heap-watch.js";
import { instrument } from "./instrument.js";
import { createLaunchSanitizer } from "./launch-sanitizer.js";
import { createObjects } from "./objects.js";
import { createScreening, type Screening } from "./screening.js";
import { type ColumnOf, createSites } from "./places.js";
import { createValues, undefineRegion } from "./values.js";

export interface SanitizerOptions {
  /** Finds columns of PTX. */
  readonly columnOf?: ColumnOf;
  /** Whether the host reads the buffer after launches; if absent, it reads all. */
  readonly outputs?: (region: Region) => boolean;
  /** Called with each new finding. */
  readonly onFinding?: (finding: Omit<Finding, "count">) => void;
}

export interface Sanitizer {
  /** Makes an instruction's watch while its function is bound. */
  readonly instrument: Instrument;
  begin(launch: LaunchState): LaunchSanitizer;
  /** Names a buffer, for messages. */
  name(region: Region, name: string): void;
  /** Records that nothing has written the buffer yet. */
  undefine(region: Region): void;
  readonly findings: readonly Finding[];
  /** The screening pass on the fast engine, which launches try first. */
  readonly screening: Screening;
  /** Blocks of the device heap that are never freed. */
  leaks(): readonly Finding[];
}

/** Numbers origins of undefined values; equal ones have one number. */
function createOrigins(): Pick<ProcessState, "origin" | "originAt"> {
  const origins: Origin[] = [];
  const numbers = new Map<string, number>();
  return {
    origin(origin) {
      const key = `${origin.space}:${origin.site.index}:${origin.object?.id ?? ""}`;
      const known = numbers.get(key);
      if (known !== undefined) return known;
      origins.push(origin);
      numbers.set(key, origins.length);
      return origins.length;
    },
    originAt: (number) => origins[number - 1],
  };
}

export function createSanitizer(process: Process, options: SanitizerOptions = {}): Sanitizer {
  const sites = createSites(process, options.columnOf);
  const objects = createObjects(process);
  const values = createValues(process.memory);
  const findings = createFindingList(options.onFinding);
  const allocations: Allocations = new Map();
  const raced = new Set<string>();
  const state: ProcessState = {
    raced,
    sites,
    objects,
    values,
    findings,
    ...createOrigins(),
    isOutput: (region) => region.owner === "host" && (options.outputs?.(region) ?? true),
  };
  const contexts = new WeakMap<LaunchState, LaunchContext>();
  let latest: LaunchState | undefined;
  let latestContext: LaunchContext | undefined;
  const contextOf = (launch: LaunchState): LaunchContext => {
    if (launch !== latest) [latest, latestContext] = [launch, contexts.get(launch)!];
    return latestContext!;
  };
  return {
    screening: createScreening(process, objects, values),
    instrument(watched) {
      const watch = instrument(watched);
      return watch && ((warp, group, active) => watch(contextOf(warp.block.launch), warp, group, active));
    },
    begin(launch) {
      const context = createLaunchContext(state, launch);
      contexts.set(launch, context);
      return createLaunchSanitizer(context, allocations, () => contexts.delete(launch));
    },
    name: (region, name) => void objects.bufferNames.set(region.base, name),
    undefine: (region) => undefineRegion(values, region),
    get findings() {
      return findings.without((key) => raced.has(new RegExp(`${UNDEFINED_FROM}(\\d+):`).exec(key)?.[1] ?? ""));
    },
    leaks: () => findLeaks(objects, allocations),
  };
}
