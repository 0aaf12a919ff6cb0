import test from "ava";
import fc from "fast-check";
import { decoding } from "../../../formats/bytes/malformed.js";
import { ByteReader } from "../../../formats/bytes/reader.js";
import {
  readSleb128,
  readVarS,
  readVarS64,
  readVarU,
  readVarU64,
  writeSleb128,
  writeVarS,
  writeVarS64,
  writeVarU,
  writeVarU64,
} from "../../../formats/bytes/varint.js";
import { ByteWriter } from "../../../formats/bytes/writer.js";

function written<T>(write: (writer: ByteWriter, value: T) => void, value: T): Uint8Array {
  const writer = new ByteWriter();
  write(writer, value);
  return writer.finish();
}

function roundTrip<T>(
  write: (writer: ByteWriter, value: T) => void,
  read: (reader: ByteReader, what: string) => T,
): (value: T) => boolean {
  return (value) => {
    const reader = new ByteReader(written(write, value));
    return Object.is(read(reader, "value"), value) && reader.remaining === 0;
  };
}

const unsigned64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const signed64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test("every value is read back as it was written, with nothing left over", (t) => {
  fc.assert(fc.property(fc.maxSafeNat(), roundTrip(writeVarU, readVarU)));
  fc.assert(fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), roundTrip(writeVarS, readVarS)));
  fc.assert(fc.property(unsigned64, roundTrip(writeVarU64, readVarU64)));
  fc.assert(fc.property(signed64, roundTrip(writeVarS64, readVarS64)));
  fc.assert(fc.property(signed64, roundTrip<bigint>(writeSleb128, readSleb128)));
  for (const edge of [0, 127, 128, 2 ** 32, Number.MAX_SAFE_INTEGER]) t.true(roundTrip(writeVarU, readVarU)(edge));
  for (const edge of [2 ** 52 - 1, -(2 ** 52)]) t.true(roundTrip(writeVarS, readVarS)(edge));
});

test("numbers and bigints of one value have one encoding", (t) => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (n) => {
      t.deepEqual(written(writeVarU, n), written(writeVarU64, BigInt(n)));
    }),
  );
});

test("the encodings are those of DWARF 5, section 7.6", (t) => {
  t.deepEqual([...written(writeVarU, 12857)], [0xb9, 0x64]);
  t.deepEqual([...written<number>(writeSleb128, -129)], [0xff, 0x7e]);
  t.deepEqual([...written<number>(writeSleb128, 127)], [0xff, 0x00]);
  t.deepEqual([...written(writeVarS, -1)], [0x01]);
});

test("a reader refuses what its width cannot hold, and accepts padding within it", (t) => {
  const endless = new Uint8Array(20).fill(0xff);
  const read = (reads: (r: ByteReader, what: string) => unknown, bytes: Uint8Array) =>
    decoding(() => reads(new ByteReader(bytes, 100), "count"));
  for (const reads of [readVarU, readVarU64, readVarS, readVarS64, readSleb128]) {
    const result = read(reads, endless);
    t.like(result, { ok: false, error: { code: "out-of-range", offset: 100 } });
  }
  t.like(read(readVarU, Uint8Array.of(0x80)), { ok: false, error: { code: "truncated", offset: 101 } });
  t.like(read(readVarU, Uint8Array.of(0x85, 0x80, 0x80, 0x00)), { ok: true, value: 5 });
});

test("a writer refuses what is not an integer of its width", (t) => {
  t.throws(() => written(writeVarU, -1), { instanceOf: RangeError });
  t.throws(() => written(writeVarU, 0.5), { instanceOf: RangeError });
  t.throws(() => written(writeVarU64, 2n ** 64n), { instanceOf: RangeError });
  t.throws(() => written(writeVarS64, 2n ** 63n), { instanceOf: RangeError });
});
