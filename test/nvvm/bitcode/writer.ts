// Writes bitcode for tests: blocks and unabbreviated records, which current assemblers do not write.

/** A record: its code and its values. */
export type Row = readonly [code: number, ...values: (number | bigint)[]];
/** A block: its id, and records and blocks in it. */
export interface Block {
  readonly id: number;
  readonly content: readonly (Row | Block)[];
}

export const block = (id: number, ...content: readonly (Row | Block)[]): Block => ({ id, content });

/** Characters as values of a record. */
export const chars = (text: string): readonly number[] => [...Buffer.from(text)];

const WIDTH = 4;

/** A bitcode file of these blocks. */
export function writeBitcode(...blocks: readonly Block[]): Uint8Array {
  const bits: number[] = [];
  const fixed = (value: bigint | number, width: number): void => {
    for (let i = 0n; i < width; i++) bits.push(Number((BigInt(value) >> i) & 1n));
  };
  const variable = (value: bigint | number, width: number): void => {
    const more = 1n << BigInt(width - 1);
    let left = BigInt(value);
    for (; left >= more; left >>= BigInt(width - 1)) fixed((left % more) | more, width);
    fixed(left, width);
  };
  const align = (): void => {
    while (bits.length % 32 !== 0) bits.push(0);
  };
  const write = ({ id, content }: Block, width: number): void => {
    fixed(1, width);
    variable(id, 8);
    variable(WIDTH, 4);
    align();
    const at = bits.length;
    fixed(0, 32);
    for (const each of content) {
      if ("id" in each) {
        write(each, WIDTH);
        continue;
      }
      const [code, ...values] = each;
      fixed(3, WIDTH);
      variable(code, 6);
      variable(values.length, 6);
      for (const value of values) variable(value, 6);
    }
    fixed(0, WIDTH);
    align();
    const words = (bits.length - at - 32) / 32;
    for (let i = 0; i < 32; i++) bits[at + i] = (words >>> i) & 1;
  };
  for (const each of blocks) write(each, 2);
  const bytes = new Uint8Array(bits.length / 8);
  bits.forEach((bit, i) => (bytes[i >> 3]! |= bit << (i & 7)));
  return Uint8Array.from([0x42, 0x43, 0xc0, 0xde, ...bytes]);
}

/** The bytes in the wrapper of Apple's tools. */
export function wrap(bytes: Uint8Array): Uint8Array {
  const header = new Uint32Array([0x0b17c0de, 0, 20, bytes.length, 7]);
  return Uint8Array.from([...new Uint8Array(header.buffer), ...bytes]);
}
