import test from "ava";
import fc from "fast-check";
import { NPY_TYPES, readNpy, writeNpy, type NpyType } from "../../../formats/npy/index.js";
import { mutations } from "../hostile.js";

const encoder = new TextEncoder();

/** A file with this header text and data. */
function file(header: string, data: Uint8Array = new Uint8Array(0), version = 1): Uint8Array {
  const size = Uint8Array.of(header.length & 0xff, header.length >> 8, 0, 0).subarray(0, version === 1 ? 2 : 4);
  const head = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0);
  return Uint8Array.from([...head, ...size, ...encoder.encode(header), ...data]);
}

test("arrays of every type and shape are read back", (t) => {
  const array = fc
    .record({
      type: fc.constantFrom(...(Object.keys(NPY_TYPES) as NpyType[])),
      shape: fc.array(fc.nat({ max: 4 }), { maxLength: 4 }),
    })
    .chain(({ type, shape }) => {
      const size = shape.reduce((product, n) => product * n, NPY_TYPES[type]);
      return fc.record({
        type: fc.constant(type),
        shape: fc.constant(shape),
        data: fc.uint8Array({ minLength: size, maxLength: size }),
      });
    });
  fc.assert(
    fc.property(array, (expected) => {
      const bytes = writeNpy(expected);
      t.is((bytes.length - expected.data.length) % 64, 0);
      t.deepEqual(readNpy(bytes), { ok: true, value: expected });
    }),
  );
});

// python3 -c "import numpy, sys; numpy.save(sys.stdout.buffer, numpy.arange(3, dtype='<f4'))", NumPy 2.4.6
const NUMPY_F4 = file(
  "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }".padEnd(117) + "\n",
  Uint8Array.of(0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40),
);

test("NumPy's files are read, and written again as the same bytes", (t) => {
  const array = readNpy(NUMPY_F4);
  if (!array.ok) return t.fail(array.error.what);
  t.like(array.value, { type: "f4", shape: [3] });
  t.deepEqual(writeNpy(array.value), NUMPY_F4);
});

test("headers may have another order, quotes and spacing, and version 2.0", (t) => {
  const header = `{"shape":(2 , 1L),"fortran_order":False , "descr" : "|u1"}`;
  t.like(readNpy(file(header, Uint8Array.of(7, 8), 2)), { ok: true, value: { type: "u1", shape: [2, 1] } });
  t.like(readNpy(file("{'descr': '<i8', 'fortran_order': False, 'shape': ()}", new Uint8Array(8))), {
    ok: true,
    value: { type: "i8", shape: [] },
  });
});

const plain = (descr: string, fortran = "False", shape = "(1,)") =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}}`;

const refusals: readonly (readonly [string, Uint8Array, { code: string; what?: RegExp }])[] = [
  ["another magic", Uint8Array.of(1, 2, 3), { code: "bad-magic" }],
  ["version 3.0", file(plain("<f4"), new Uint8Array(4), 3), { code: "unsupported", what: /version 3\.0/ }],
  ["big-endian elements", file(plain(">f4"), new Uint8Array(4)), { code: "unsupported", what: /big-endian/ }],
  ["Fortran order", file(plain("<f4", "True"), new Uint8Array(4)), { code: "unsupported", what: /Fortran/ }],
  ["complex numbers", file(plain("<c8"), new Uint8Array(8)), { code: "unsupported", what: /<c8/ }],
  ["a type from Object.prototype", file(plain("<toString"), new Uint8Array(8)), { code: "unsupported" }],
  [
    "structured types",
    file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"),
    { code: "unsupported", what: /structured/ },
  ],
  ["too few bytes", file(plain("<f4"), new Uint8Array(3)), { code: "truncated", what: /4 bytes needed, 3 left/ }],
  ["bytes after the data", file(plain("<f4"), new Uint8Array(5)), { code: "malformed", what: /1 bytes follow/ }],
  [
    "a shape that overflows",
    file(plain("<f4", "False", `(${"9007199254740991,".repeat(30)} 0)`)),
    { code: "truncated" },
  ],
  ["a length beyond 2^53", file(plain("<f4", "False", "(9999999999999999,)")), { code: "out-of-range" }],
  ["a negative length", file(plain("<f4", "False", "(-1,)")), { code: "malformed" }],
  ["65 dimensions", file(plain("<f4", "False", `(${"1,".repeat(65)})`)), { code: "out-of-range" }],
  ["a header without shape", file("{'descr': '<f4', 'fortran_order': False}"), { code: "malformed", what: /shape/ }],
  ["an unfinished header", file("{'descr': '<f4'"), { code: "malformed" }],
  ["code in the header", file("__import__('os')"), { code: "malformed", what: /'\{' expected/ }],
];

for (const [what, bytes, { code, what: message = /./ }] of refusals)
  test(`${what}: refused by name`, (t) => {
    const result = readNpy(bytes);
    if (result.ok) return t.fail("it was read");
    t.is(result.error.code, code);
    t.regex(result.error.what, message);
  });

test("damaged files are refused or read, never a throw", (t) => {
  let read = 0;
  for (const bytes of mutations(NUMPY_F4, 1, 2000)) if (readNpy(bytes).ok) read++;
  t.true(read < 2000);
});

test("data that does not fit its shape is a defect of the caller", (t) => {
  t.throws(() => writeNpy({ type: "f4", shape: [2], data: new Uint8Array(4) }), { instanceOf: RangeError });
});
