// Implements the system functions of isa/system-functions.ts for kernels. Lanes are served in order, which is the order in which
// their lines appear.

import type { Address } from "../../base/brand.js";
import type { SystemFunction } from "../../isa/system-functions.js";
import { KernelFault } from "../state/fault.js";
import { deviceRuntimeCalls } from "./device-runtime.js";
import { readBytes, readString } from "../operands/generic-bytes.js";
import { type SystemCall, littleEndian } from "./system-call.js";
import { formatPrintf } from "./printf.js";
import type { Warp } from "../state/warp.js";
import { lanesIn } from "../machine/walk.js";

/** Device bytes as text: printf copies them unchanged, one character each. */
const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");

/** Bytes of a pointer, a size_t and a long. */
const pointerBytesOf = ({ block }: Warp): 4 | 8 => (block.launch.process.space.bits === 32 ? 4 : 8);

function vprintf({ warp, frame, mask, arguments: [format, block], result }: SystemCall): void {
  for (const lane of lanesIn(mask)) {
    const start = block!(lane);
    const printed = formatPrintf(latin1(readString(frame, lane, format!(lane))), {
      read(offset, bytes) {
        const found = readBytes(frame, lane, start + offset, bytes);
        warp.block.launch.sanitizer?.printed(frame, lane, start + offset, bytes);
        return new DataView(found.buffer, found.byteOffset, bytes);
      },
      string: (address) => latin1(readString(frame, lane, address)),
      pointerBytes: pointerBytesOf(warp),
    });
    warp.block.output.push(printed.text);
    result(lane, littleEndian(printed.count, 4));
  }
}

/** The address is null if the memory's limit is reached, as in CUDA. */
function malloc({ warp, frame, mask, arguments: [size], result }: SystemCall): void {
  const { memory } = warp.block.launch.process;
  for (const lane of lanesIn(mask)) {
    let address = 0;
    try {
      address = memory.allocate(size!(lane), undefined, "heap").base;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    warp.block.launch.sanitizer?.allocated(warp, frame, lane, address, size!(lane));
    result(lane, littleEndian(address, pointerBytesOf(warp)));
  }
}

function free({ warp, frame, mask, arguments: [pointer] }: SystemCall): void {
  for (const lane of lanesIn(mask)) {
    const address = pointer!(lane);
    warp.block.launch.sanitizer?.freed(warp, frame, lane, address);
    if (address !== 0 && !warp.block.launch.process.memory.release(address as Address, "heap"))
      throw new KernelFault("illegal-address", "free of a pointer that malloc did not return", { lane, address });
  }
}

/**
 * Message like CUDA's, FILE:LINE: FUNCTION: block: [..], thread: [..] Assertion `MESSAGE` failed, without block and thread, which
 * the fault has.
 */
function assertfail({ frame, mask, arguments: [message, file, line, name] }: SystemCall): void {
  const [lane] = lanesIn(mask);
  const text = (argument: ((lane: number) => number) | undefined): string =>
    latin1(readString(frame, lane!, argument!(lane!)));
  throw new KernelFault(
    "assert",
    `${text(file)}:${line!(lane!)}: ${text(name)}: assertion \`${text(message)}\` failed`,
    { lane: lane! },
  );
}

export const systemCalls: Readonly<Record<SystemFunction, (call: SystemCall) => void>> = {
  vprintf,
  malloc,
  free,
  __assertfail: assertfail,
  ...deviceRuntimeCalls,
};
