// Outputs in many parts are written in few, whatever their sizes (cli/files/stream.ts).

import test from "ava";
import { blocksOf } from "../../cli/files/stream.js";

test("blocks hold the bytes of all chunks, and few blocks are small", (t) => {
  const block = 2 ** 20;
  const lists = [
    [],
    [0],
    [1, 2, 3],
    [block],
    [block + 1],
    [5, block, 5],
    [5, block + 1, 5],
    [block - 1, 1, 1],
    [3 * block, 7],
  ];
  lists.push(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 2000));
  for (const sizes of lists) {
    const parts = sizes.map((size, i) => new Uint8Array(size).fill(i + 1));
    const blocks = [...blocksOf(parts)];
    t.true(Buffer.concat(blocks).equals(Buffer.concat(parts)), `${sizes.length}`);
    t.true(blocks.every(({ length }) => length > 0));
    // No two neighbours could have been one.
    for (let i = 1; i < blocks.length; i++) t.true(blocks[i - 1]!.length + blocks[i]!.length > block / 2);
  }
});
