// Control flow: PTX ISA 9.0 section 9.7.12, and the miscellaneous instructions of 9.7.19.

import { InternalError } from "../../base/assert.js";
import type { Operand } from "../../isa/instruction.js";
import { exitLanes } from "../machine/block.js";
import type { Binder } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import { leaveFrame } from "../machine/frame.js";
import { loadShared, saveShared } from "../machine/module-registers.js";
import type { ControlOp } from "../state/step.js";
import type { Group, Warp } from "../state/warp.js";
import { addLanes, firstLane, removeGroup } from "../machine/warp.js";
import { lanesIn } from "../machine/walk.js";
import { call } from "./call.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { nothing } from "./memory.js";

/** Branches the active lanes to `target`; the others fall through. Returns whether the group stays converged. */
function branch(warp: Warp, group: Group, active: number, target: number): boolean {
  if (active === group.mask) {
    group.pc = target;
    return true;
  }
  if (active === 0) {
    group.pc++;
    return true;
  }
  group.mask &= ~active;
  // Before branching: a branch to itself must not join the other lanes.
  group.pc++;
  addLanes(warp, group.frame, target, active, group.penalty);
  return false;
}

function labelTarget(operand: Operand | undefined): number {
  if (operand?.kind !== "label") throw new InternalError("a branch without a label");
  return operand.target;
}

const bra: Reading = () =>
  custom((binder) => {
    const target = labelTarget(binder.operand(0));
    return { control: (warp, group, active) => branch(warp, group, active, target) };
  });

/** brx.idx: lanes diverge to the label that each one's index selects; an index outside the list is a fault. */
const brx: Reading = () =>
  custom((binder) => {
    const index = binder.read(binder.operand(0), 32).word;
    const table = binder.operand(1);
    if (table?.kind !== "table") throw new InternalError("brx.idx without a table");
    const targets = binder.scope.fn.code.branchTargets[table.index]!.targets;
    return {
      control: (warp, group, active) => {
        if (active === 0) {
          group.pc++;
          return true;
        }
        const w = group.frame.unsigned;
        const byTarget = new Map<number, number>();
        for (const lane of lanesIn(active)) {
          const target = targets[w[index + lane]!];
          if (target === undefined)
            throw new KernelFault(
              "trap",
              `brx.idx: index ${w[index + lane]!} is out of range; the table has ${targets.length} labels`,
              {
                lane,
              },
            );
          byTarget.set(target, (byTarget.get(target) ?? 0) | (1 << lane));
        }
        return splitLanes(warp, group, active, byTarget);
      },
    };
  });

/** Branches lanes to several targets at once; inactive ones fall through. Returns whether the group stays converged. */
function splitLanes(warp: Warp, group: Group, active: number, byTarget: ReadonlyMap<number, number>): boolean {
  const { frame, mask, pc, penalty } = group;
  const [first] = byTarget;
  if (active === mask && byTarget.size === 1) {
    group.pc = first![0];
    return true;
  }
  removeGroup(warp, group);
  if (active !== mask) addLanes(warp, frame, pc + 1, mask & ~active, penalty);
  for (const [target, lanes] of byTarget) addLanes(warp, frame, target, lanes, penalty);
  return false;
}

/** The active lanes return to the caller, or exit if there is none. */
export const returnOrExit: ControlOp = (warp, group, active) => {
  const { frame, penalty } = group;
  if (active === 0) {
    group.pc++;
    return true;
  }
  const { parent } = frame;
  if (parent === undefined) return exit(warp, group, active);
  group.mask &= ~active;
  if (group.mask === 0) removeGroup(warp, group);
  else group.pc++;
  // Registers of the module are transferred before the results, as a result may be one of them.
  saveShared(frame, active);
  loadShared(parent, active);
  for (const result of frame.results) result.copy(frame, parent, active);
  const { returnPc } = frame;
  leaveFrame(frame, active);
  addLanes(warp, parent, returnPc, active, penalty);
  return false;
};

const exit: ControlOp = (warp, group, active) => {
  if (active === 0) {
    group.pc++;
    return true;
  }
  group.pc++;
  exitLanes(warp, group, active);
  return false;
};

function stop(message: string): Meaning {
  return custom((binder: Binder) => ({
    control: (_warp, group, active) => {
      if (active === 0) {
        group.pc++;
        return true;
      }
      throw new KernelFault("trap", `${binder.opcode.spelling}: ${message}`, { lane: firstLane(active) });
    },
  }));
}

export const controlMeanings: Meanings = {
  bra,
  "brx.idx": brx,
  call: () => call,
  ret: () => custom(() => ({ control: returnOrExit })),
  exit: () => custom(() => ({ control: exit })),
  trap: () => stop("the kernel gave up"),
  // Without a debugger: an H200 stops the launch.
  brkpt: () => stop("a breakpoint, and no debugger"),
  nanosleep: () => custom(() => ({ lanes: () => {}, spins: true })),
  pmevent: () => nothing,
  setmaxnreg: () => nothing,
  griddepcontrol: () => nothing,
};
