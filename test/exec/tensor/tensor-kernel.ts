// Kernels with tensor memory for tests: 128 threads copy `input` to shared memory, allocate 512 columns, run a body and copy columns out.

import type { DeviceLaunch } from "../../../lib/exec/device/interface.js";
import type { LaunchResult } from "../../../lib/exec/state/result.js";
import { deviceOfModule } from "../kernel.js";

export interface TensorBody {
  /**
   * With the shared address of the input in %s, that of tensor memory in %tm, and that of an mbarrier with one arrival
   * in [%bar]; %one is true in thread 0.
   */
  readonly body: string;
  readonly input?: Uint8Array;
  readonly target?: string;
  readonly group?: 1 | 2;
  readonly isAllocated?: boolean;
}

export interface TensorRun {
  readonly result: LaunchResult;
  /** Words that the body stored at [%out]; each thread of each block has 4096 bytes. */
  readonly out: Int32Array;
}

export const SHARED_BYTES = 65536;

/** Waits for the commit of thread 0. */
export const commitAndWait = (group = 1): string => `
  @%one tcgen05.commit.cta_group::${group}.mbarrier::arrive::one.shared::cluster.b64 [%bar];
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p, [%bar], 0;
  @!%p bra WAIT;
  tcgen05.fence::after_thread_sync;`;

/** Copies `columns` columns, 32 at a time, of the thread's lane to [%out]. */
export const copyOut = (columns: number): string =>
  Array.from({ length: Math.ceil(columns / 32) }, (_, part) => {
    const registers = Array.from({ length: 32 }, (_, i) => `%v${i}`).join(", ");
    return `  add.u32 %x, %tm, ${32 * part}; add.u32 %x, %x, %lanes;
  tcgen05.ld.sync.aligned.32x32b.x32.b32 {${registers}}, [%x];
  tcgen05.wait::ld.sync.aligned;
  ${Array.from({ length: 32 }, (_, i) => `st.global.b32 [%out+${128 * part + 4 * i}], %v${i};`).join(" ")}`;
  }).join("\n");

export async function runTensor(
  { body, input = new Uint8Array(0), target = "sm_100a", group = 1, isAllocated = true }: TensorBody,
  launch: Partial<DeviceLaunch> = {},
): Promise<TensorRun> {
  const alloc = isAllocated
    ? `setp.lt.u32 %p, %t, 32;
  @%p tcgen05.alloc.cta_group::${group}.sync.aligned.shared::cta.b32 [%a], 512;
  bar.sync 0; ld.shared.b32 %tm, [%a];`
    : "";
  const free = isAllocated
    ? `bar.sync 0; setp.lt.u32 %p, %t, 32;
  @%p tcgen05.dealloc.cta_group::${group}.sync.aligned.b32 %tm, 512;`
    : "";
  const device = deviceOfModule(`.version 8.8
.target ${target}
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
  .shared .align 1024 .b8 m[${SHARED_BYTES}]; .shared .align 8 .b8 control[16];
  .reg .b64 %in, %out, %da, %db, %dc, %wide; .reg .pred %p, %q, %one, %yes, %no;
  .reg .b32 %t, %s, %tm, %i, %x, %y, %bar, %a, %lanes, %size, %rank, %v<128>;
  ld.param.u64 %in, [in]; ld.param.u64 %out, [out];
  mov.u32 %t, %tid.x; mov.u32 %s, m; mov.u32 %bar, control; add.u32 %a, %bar, 8;
  and.b32 %s, %s, 0x3ffff; and.b32 %lanes, %t, 0x60; shl.b32 %lanes, %lanes, 16; mov.u32 %rank, %cluster_ctarank;
  setp.eq.u32 %one, %t, 0; setp.eq.u32 %yes, %t, %t; setp.ne.u32 %no, %t, %t;
  shl.b32 %x, %t, 12; mad.lo.u32 %x, %rank, 524288, %x; cvt.u64.u32 %wide, %x; add.u64 %out, %out, %wide;
  mad.lo.u32 %x, %rank, ${SHARED_BYTES}, 0; cvt.u64.u32 %wide, %x; add.u64 %in, %in, %wide;
  shl.b32 %i, %t, 2;
FILL:
  cvt.u64.u32 %wide, %i; add.u64 %wide, %in, %wide; ld.global.b32 %x, [%wide]; mov.u32 %y, m; add.u32 %y, %y, %i;
  st.shared.b32 [%y], %x; add.u32 %i, %i, 512; setp.lt.u32 %p, %i, ${SHARED_BYTES}; @%p bra FILL;
  @%one mbarrier.init.shared::cta.b64 [%bar], 1;
  fence.proxy.async; bar.sync 0;
  ${alloc}
  ${body}
  ${free}
  ret;
}`);
  const blocks = Number(launch.grid ?? 1);
  const shared = new Uint8Array(SHARED_BYTES * blocks);
  shared.set(input);
  const out = device.alloc(524288 * blocks);
  const args = [device.alloc(shared), out];
  const result = await device.launch("k", { grid: 1, block: 128, args, ...launch });
  return { result, out: device.read(out, Int32Array) };
}

/** Instructions that make a descriptor for the address `offset` bytes after the input's first byte. */
export function describe(
  register: string,
  offset: number,
  {
    leading = 0,
    stride = 0,
    mode = 0,
  }: { readonly leading?: number; readonly stride?: number; readonly mode?: number },
): string {
  const high = (BigInt(stride) >> 4n) | (1n << 14n) | (BigInt(mode) << 29n);
  const rest = (high << 32n) | ((BigInt(leading) >> 4n) << 16n);
  return `add.u32 %x, %s, ${offset}; shr.u32 %x, %x, 4; cvt.u64.u32 ${register}, %x; or.b64 ${register}, ${register}, ${rest};`;
}
