// State of one sanitized launch, which all checks share, and the making of findings.

import type { Region } from "../../load/region-list.js";
import type { Block } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import type { LaunchState } from "../state/launch.js";
import type { AccessedSpace } from "../state/observer.js";
import type { Warp } from "../state/warp.js";
import type { Clock } from "./clock.js";
import { createCells, type Cells } from "./cells.js";
import type { AccessName, Event, Finding, FindingKind, FindingList, Party, Site } from "./finding.js";
import { constantObject, globalObject, type MemoryObject, objectAt, type Objects, sharedObject } from "./objects.js";
import { createOrder, type Order, type WarpOrder } from "./order.js";
import { callersOf } from "../machine/instruction-text.js";
import { partyOf, type Sites } from "./places.js";
import { type AccessRecord, createRecords, type Records } from "./records.js";
import type { AsyncOperation } from "./operations.js";
import type { Target } from "../operands/target.js";
import type { Values } from "./values.js";

/** The source of undefined bits. */
export interface Origin {
  readonly space: AccessedSpace;
  readonly site: Site;
  readonly object: MemoryObject | undefined;
  readonly address: number;
}

/** State that outlives launches. */
export interface ProcessState {
  readonly sites: Sites;
  readonly objects: Objects;
  readonly values: Values;
  readonly findings: FindingList;
  /** Number of an origin, from 1. */
  origin(origin: Origin): number;
  originAt(number: number): Origin | undefined;
  /** Sites that race: if a site reads unwritten values, the race is the cause, and only that is reported. */
  readonly raced: Set<string>;
  /** Whether the host reads the region after launches. */
  isOutput(region: Region): boolean;
}

/** An mbarrier object (mbarrier-watch.ts). */
export interface MbarrierState {
  readonly key: number;
  /** Number of the current phase, from 1; number of the first phase since init; parity of the current one. */
  phase: number;
  readonly first: number;
  parity: number;
  /** The joined clocks of threads that have arrived in the current phase, and those of completed phases. */
  coming: Clock;
  come: Clock;
  isValid: boolean;
  readonly init: Party;
}

export interface LaunchContext extends ProcessState {
  readonly launch: LaunchState;
  readonly order: Order;
  readonly records: Records;
  readonly globalCells: Cells;
  sharedCells(block: Block): Cells;
  /** Operations by warp and kind, by lane: those of the open group, then the committed groups. */
  readonly groups: Map<Warp, Map<string, LaneGroups[]>>;
  /** How many operations each warp has issued, by site. */
  readonly issued: Map<WarpOrder, Map<number, number>>;
  /** Operations with conflicting accesses of which it is not decided yet what is missing: order or a wait. */
  readonly watched: Set<AsyncOperation>;
  readonly mbarriers: Map<Block, Map<number, MbarrierState>>;
  forget(block: Block): void;
}

export interface LaneGroups {
  open: PendingOperation[];
  committed: PendingOperation[][];
}

export interface PendingOperation {
  readonly operation: AsyncOperation;
  /** The operation only reads these bytes, so that a `.read` wait is enough. */
  readonly reads: boolean;
}

/** Most accesses in a cell's list besides the last ones: in shared memory all that matter, in global memory some. */
const MAX_SHARED = 1024;
const MAX_GLOBAL = 16;

export function createLaunchContext(process: ProcessState, launch: LaunchState): LaunchContext {
  const order = createOrder(launch.blocks);
  const records = createRecords(order);
  const shared = new Map<Block, Cells>();
  return {
    ...process,
    launch,
    order,
    records,
    globalCells: createCells(records, MAX_GLOBAL),
    sharedCells(block) {
      let cells = shared.get(block);
      if (cells === undefined) shared.set(block, (cells = createCells(records, MAX_SHARED)));
      return cells;
    },
    groups: new Map(),
    issued: new Map(),
    watched: new Set(),
    mbarriers: new Map(),
    forget(block) {
      shared.delete(block);
    },
  };
}

/** The cells of global memory, or of the block's shared memory. */
export const cellsOf = (context: LaunchContext, { space, block }: Pick<Target, "space" | "block">): Cells =>
  space === "shared" ? context.sharedCells(block) : context.globalCells;

// ------------------------------------------------------------------------------------------------------------- findings

/** A thread at an instruction. */
export interface Actor {
  readonly warp: Warp;
  readonly frame: Frame;
  readonly pc: number;
  lane: number;
}

/** A finding, without the place of the lane. */
export interface Found {
  readonly kind: FindingKind;
  readonly space?: Event["space"];
  readonly message: string;
  readonly remedy: string;
  readonly access?: AccessName;
  readonly bytes?: number;
  readonly object?: MemoryObject | undefined;
  readonly offset?: number;
  readonly address?: number;
  readonly other?: Party | undefined;
  /** Distinguishes causes at one instruction. */
  readonly cause?: string;
}

/** Prefix of the keys of findings about undefined values; the site that read the value follows. */
export const UNDEFINED_FROM = "undefined:";

const threadOf = (warp: Warp, lane: number): number => 32 * warp.index + lane;

/** Index of the call that the frame's function makes, or that made it. */
export const callPc = ({ current }: Warp, frame: Frame): number =>
  current?.frame === frame ? current.pc : frame.returnPc;

export const partyAt = (
  context: LaunchContext,
  warp: Warp,
  lane: number,
  site: Site,
  access: AccessName | undefined,
): Party => partyOf(context.sites, context.launch.config, warp.block.index, threadOf(warp, lane), site, access);

/** The thread of a recorded access. */
export function partyOfRecord(
  { sites, launch }: LaunchContext,
  { key, site }: AccessRecord,
  lane: number,
  access: AccessName,
): Party {
  const block = Math.floor(key / 1024);
  return partyOf(sites, launch.config, block, (key % 1024) + lane, sites.at(site), access);
}

/** Adds a finding, or counts one more of it. */
export function report(context: LaunchContext, actor: Actor, make: () => Found, key: string): void {
  const site = context.sites.of(actor.frame.program.fn, actor.pc);
  reportOnce(context, actor, make, `${site.index}:${key}`);
}

/** The same with a key that names the instructions itself: for pairs, which may come in either order. */
export function reportOnce(context: LaunchContext, actor: Actor, make: () => Found, key: string): void {
  const site = context.sites.of(actor.frame.program.fn, actor.pc);
  context.findings.add(`${context.launch.kernel.name}:${key}`, (): Omit<Finding, "count"> => {
    const found = make();
    const callers = callersOf(actor.frame);
    const { object } = found;
    return {
      kind: found.kind,
      ...(found.space === undefined ? {} : { space: found.space }),
      message: found.message,
      kernel: context.launch.kernel.name,
      ...partyAt(context, actor.warp, actor.lane, site, found.access),
      ...(found.bytes === undefined ? {} : { bytes: found.bytes }),
      ...(object?.name === undefined ? {} : { variable: object.name }),
      ...(object === undefined || found.offset === undefined ? {} : { offset: found.offset }),
      ...(found.address === undefined ? {} : { address: found.address }),
      ...(found.other === undefined ? {} : { other: found.other }),
      remedy: found.remedy,
      ...(callers.length === 0 ? {} : { callers }),
    };
  });
}

/** The object at an address, whatever the address was derived from. */
export function objectAtTarget(
  { objects, launch }: LaunchContext,
  { space, address }: Target,
): MemoryObject | undefined {
  switch (space) {
    case "global":
      return objectAt(objects, globalObject(objects, address));
    case "shared":
      return objectAt(objects, sharedObject(objects, launch, address));
    case "const":
      return objectAt(objects, constantObject(objects, address));
    default:
      return undefined;
  }
}
