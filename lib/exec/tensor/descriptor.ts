// Locates the bytes of shared memory that a wgmma reads: matrix descriptors and swizzles, PTX ISA 9.0 section 9.7.15.5.1.2, as
// recorded on an H200 (testdata/hardware/h200/tensor/descriptors.json). All bits of a descriptor that are not named here are
// ignored.

/** Fields of a descriptor, in bytes but for the base offset, which counts units of 128. */
export interface Descriptor {
  readonly start: number;
  readonly leading: number;
  readonly stride: number;
  readonly baseOffset: number;
  /** 0: none; 1, 2, 3: patterns of 128, 64 and 32 bytes. */
  readonly mode: number;
}

export function readDescriptor(low: number, high: number): Descriptor {
  return {
    start: (low & 0x3fff) << 4,
    leading: ((low >>> 16) & 0x3fff) << 4,
    stride: (high & 0x3fff) << 4,
    baseOffset: (high >>> 17) & 7,
    mode: high >>> 30,
  };
}

/** Bytes of a row of the pattern, by mode. */
const rowBytes = [16, 128, 64, 32] as const;

/**
 * Address in the shared window of the element at `r` (row of A, column of B) and `k`, of `bytes` bytes. Neither the sum nor the
 * address wraps.
 */
export function elementAddress(
  { start, leading, stride, baseOffset, mode }: Descriptor,
  isTransposed: boolean,
  r: number,
  k: number,
  bytes: number,
): number {
  const row = rowBytes[mode]!;
  let offset;
  if (!isTransposed) {
    const along = k * bytes;
    offset = (r >> 3) * stride + (r & 7) * row + Math.floor(along / row) * leading + (along % row);
  } else {
    const beside = row / bytes;
    const [across, down] = mode === 0 ? [stride, leading] : [leading, stride];
    offset = Math.floor(r / beside) * across + (k >> 3) * down + (k & 7) * row + (r % beside) * bytes;
  }
  const address = start + offset;
  // The pattern repeats at absolute addresses; the base offset shifts it.
  return address ^ ((((address >> 7) - baseOffset) & (row / 16 - 1)) << 4);
}
