// The LZ4 decoder, on blocks written by hand and damaged ones. test/formats/fatbin has blocks that fatbinary
// compressed.
import test from "ava";
import { decompressLz4Block } from "../../../formats/lz4/index.js";

const bytes = (...parts: readonly (string | number)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Uint8Array.of(part))));

/** A block with its decompressed bytes. */
const right: readonly (readonly [what: string, block: Uint8Array, holds: string])[] = [
  ["nothing", bytes(0), ""],
  ["literals only", bytes(0x50, "hello"), "hello"],
  ["a match", bytes(0x40, "abcd", 4, 0, 0x50, "hello"), "abcdabcdhello"],
  ["a match into itself", bytes(0x2f, "ab", 2, 0, 1, 0x10, "!"), `${"ab".repeat(11)}!`],
  ["one byte repeated", bytes(0x1f, "x", 1, 0, 255, 10, 0x10, "y"), `${"x".repeat(285)}y`],
  ["many literals", bytes(0xf0, 5, "a".repeat(20)), "a".repeat(20)],
];

for (const [what, block, holds] of right) {
  test(`${what}`, (t) => {
    const result = decompressLz4Block(block, holds.length);
    t.is(result.ok ? Buffer.from(result.value).toString() : result.error.what, holds);
    t.false(decompressLz4Block(block, holds.length + 1).ok);
    if (holds !== "") t.false(decompressLz4Block(block, holds.length - 1).ok);
  });
}

const wrong: readonly (readonly [what: string, block: Uint8Array, code: string, offset: number])[] = [
  ["literals past the end", bytes(0x50, "hell"), "truncated", 1],
  ["an offset of 0", bytes(0x10, "a", 0, 0, 0), "out-of-range", 2],
  ["an offset before the start", bytes(0x10, "a", 2, 0, 0), "out-of-range", 2],
  ["half an offset", bytes(0x10, "a", 1), "truncated", 3],
  ["a length without an end", bytes(0xf0, 255, 255), "truncated", 3],
  ["a match too long", bytes(0x1f, "a", 1, 0, 200), "out-of-range", 5],
];

for (const [what, block, code, offset] of wrong) {
  test(`${what} is refused`, (t) => t.like(decompressLz4Block(block, 30), { ok: false, error: { code, offset } }));
}

test("no memory is allocated for more than a block can hold", (t) => {
  t.like(decompressLz4Block(bytes(0x50, "hello"), 2 ** 50), { ok: false, error: { code: "limit" } });
});
