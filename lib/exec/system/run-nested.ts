// Runs the launches that a grid requested, and their own requests: a grid ends only after its children, and its tail launches
// follow all of them. Iterative, because chains of tail launches are unbounded.

import { InternalError } from "../../base/assert.js";
import type { Process } from "../../load/process.js";
import { hex } from "../operands/access.js";
import type { Fault, LaunchResult } from "../state/result.js";
import type { NestedCopy, NestedFill, NestedLaunch, NestedWork } from "../state/launch.js";
import { inOrder } from "./work.js";

/** A grid that has ended, without its children. */
export interface GridResult {
  readonly result: LaunchResult;
  readonly work: readonly NestedWork[];
}

/** Runs one grid; `issued` is the number of warp instructions before it. */
export type RunGrid = (launch: NestedLaunch, issued: number) => Promise<GridResult>;

interface NestedRequest {
  readonly by: string;
  readonly item: NestedWork;
}

/** Runs what the grid requested. Returns the grid's result combined with those of all that it launched. */
export async function runNested(process: Process, { result, work }: GridResult, run: RunGrid): Promise<LaunchResult> {
  if (work.length === 0 || result.fault !== undefined) return result;
  const requests = (by: string, items: readonly NestedWork[]): NestedRequest[] =>
    inOrder(items)
      .map((item) => ({ by, item }))
      .reverse();
  // A stack: the next item is the last.
  const open = requests(result.kernel, work);
  const printed = [result.printf];
  let { warpInstructions, threadInstructions } = result;
  let nestedLaunches = 0;
  let fault: Fault | undefined;
  for (let next = open.pop(); next !== undefined && fault === undefined; next = open.pop()) {
    const { work: one } = next.item;
    if (one.kind !== "launch") {
      fault = move(process, one, next);
      continue;
    }
    const grid = await run(one, warpInstructions);
    nestedLaunches++;
    warpInstructions += grid.result.warpInstructions;
    threadInstructions += grid.result.threadInstructions;
    printed.push(grid.result.printf);
    fault = grid.result.fault && withParent(grid.result.fault, next);
    open.push(...requests(one.kernel, grid.work));
  }
  return {
    kernel: result.kernel,
    warpInstructions,
    threadInstructions,
    printf: printed.join(""),
    nestedLaunches,
    ...(fault === undefined ? {} : { fault }),
  };
}

const parentLine = ({ by, item }: NestedRequest): string =>
  `launched by block (${item.coordinates.join(", ")}) of ${by}`;

const withParent = (fault: Fault, request: NestedRequest): Fault => ({
  ...fault,
  details: [parentLine(request), ...(fault.details ?? [])],
});

/** Copies or fills; returns a fault if the memory does not exist. */
function move({ memory }: Process, work: NestedCopy | NestedFill, request: NestedRequest): Fault | undefined {
  for (let row = 0; row < work.height; row++) {
    const at = work.to + row * work.toPitch;
    const from = work.kind === "copy" ? work.from + row * work.fromPitch : at;
    for (const address of [at, from]) {
      if (work.width === 0 || memory.find(address, work.width) !== undefined) continue;
      const what = work.kind === "copy" ? "cudaMemcpyAsync" : "cudaMemsetAsync";
      const message = `${what} of ${work.width} bytes at ${hex(address)}: there is no such global memory`;
      return { kind: "illegal-address", message, kernel: request.by, block: request.item.coordinates, address };
    }
    if (work.width === 0) continue;
    const target = bytesAt(memory, at, work.width);
    if (work.kind === "fill") target.fill(work.value);
    else target.set(bytesAt(memory, from, work.width));
  }
  return undefined;
}

function bytesAt(memory: Process["memory"], address: number, size: number): Uint8Array {
  const region = memory.find(address, size);
  if (region === undefined) throw new InternalError("memory that was found is gone");
  return region.bytes.subarray(address - region.base, address - region.base + size);
}
