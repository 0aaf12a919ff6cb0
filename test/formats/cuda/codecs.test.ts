// The CUDA codecs: round trips of cases that real files lack, and errors.
import test from "ava";
import fc from "fast-check";
import { written } from "../../../formats/bytes/writer.js";
import {
  decodeFlags,
  decodeInfo,
  EF_CUDA,
  EIATTR,
  EIFMT,
  encodeFlags,
  formatPrototype,
  INFO_ATTRIBUTES,
  knownSection,
  parsePrototype,
  R_CUDA,
  readCallGraph,
  readInfo,
  readPrototypes,
  relocationFacts,
  relocationName,
  RELOCATIONS,
  SECTIONS,
  targetFacts,
  writeInfo,
  type InfoEntry,
  type InfoPayload,
  type Prototype,
  type PrototypeType,
} from "../../../formats/cuda/index.js";
import { writeCallGraph } from "../writers.js";

/** The records as bytes. */
const encode = (entries: readonly InfoEntry[]): Uint8Array => written((writer) => writeInfo(writer, entries));

const u32 = fc.nat({ max: 0xffff_ffff });

test("any attribute with any payload decodes and encodes to the same record", (t) => {
  const record = fc
    .record({
      attribute: fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(...INFO_ATTRIBUTES.map((row) => row.value))),
      format: fc.constantFrom<number>(EIFMT.NVAL, EIFMT.BVAL, EIFMT.HVAL, EIFMT.SVAL),
      payload: fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom(4, 8, 12).chain((n) => fc.uint8Array({ minLength: n, maxLength: n })),
      ),
    })
    .map(({ payload, ...rest }): InfoEntry => {
      const bytes = rest.format === EIFMT.SVAL ? payload : Uint8Array.of(payload[0] ?? 0, payload[1] ?? 0);
      return { ...rest, payload: { kind: "bytes", bytes } };
    });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 20 }), (entries) => {
      const bytes = encode(entries);
      const read = readInfo(bytes, 64);
      if (!read.ok) return t.fail(read.error.what);
      t.is(read.value[0]?.offset ?? 64, 64);
      t.deepEqual(encode(read.value.map(decodeInfo)), bytes);
    }),
  );
});

test("an unknown attribute, or one of unexpected shape, keeps its bytes", (t) => {
  const payload = Uint8Array.of(1, 2, 3);
  for (const attribute of [0xee, 0x17, 0x0a, 0x05])
    t.deepEqual(decodeInfo({ attribute, format: EIFMT.SVAL, payload, offset: 0 }).payload, {
      kind: "bytes",
      bytes: payload,
    });
});

test("a parameter too large for KPARAM_INFO is refused there and fits KPARAM_INFO_V2", (t) => {
  const parameter = { index: 0, ordinal: 0, offset: 0, size: 0x7000, pointeeAlignLog2: 0, pointeeSpace: 0 };
  const one = (attribute: number, payload: InfoPayload) => encode([{ attribute, format: EIFMT.SVAL, payload }]);
  const fits = readInfo(one(EIATTR.KPARAM_INFO_V2, { kind: "parameter-v2", ...parameter }));
  t.like(fits.ok && decodeInfo(fits.value[0]!).payload, parameter);
  t.throws(() => one(EIATTR.KPARAM_INFO, { kind: "parameter", bank: 0x1f, ...parameter }), {
    instanceOf: RangeError,
  });
});

test("truncated attributes, and those of an unknown format, are refused with their place", (t) => {
  t.like(readInfo(Uint8Array.of(4, 5, 12, 0, 1), 8), { ok: false, error: { code: "truncated", offset: 12 } });
  t.like(readInfo(Uint8Array.of(9, 5, 0, 0), 8), { ok: false, error: { code: "malformed", offset: 8 } });
  t.like(readCallGraph(Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0), 8), { ok: false, error: { offset: 8 } });
  t.like(readCallGraph(Uint8Array.of(0, 0, 0, 0, 0xff, 0xff), 8), { ok: false, error: { code: "truncated" } });
  t.like(readPrototypes(Uint8Array.of(1, 0, 0, 0, 2), 8), { ok: false, error: { code: "truncated", offset: 12 } });
});

test("call graphs are read back, with records of unknown number, too", (t) => {
  const symbol = fc.nat({ max: 0x7fff_ffff });
  const pairs = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.array(fc.record<T>(shape), { maxLength: 5 });
  fc.assert(
    fc.property(
      pairs({ caller: symbol, callee: symbol }),
      pairs({ symbol, prototype: symbol }),
      pairs({ caller: symbol, prototype: symbol }),
      pairs({ user: symbol, target: symbol }),
      fc.array(fc.record({ list: fc.constant(7), first: symbol, second: symbol }), { maxLength: 3 }),
      (calls, addressTaken, indirectCalls, addressUses, unknown) => {
        const graph = { calls, addressTaken, indirectCalls, addressUses, unknown };
        t.deepEqual(readCallGraph(written((writer) => writeCallGraph(writer, graph))), { ok: true, value: graph });
      },
    ),
    { numRuns: 50 },
  );
});

test("prototypes are read back, and other strings are refused", (t) => {
  const kind = fc.constantFrom<PrototypeType["kind"][]>(
    ...(["int8", "int16", "int32", "int64", "int128", "float32", "float64"] as const),
  );
  const type: fc.Arbitrary<PrototypeType> = fc.oneof(fc.record({ kind }), fc.record({ kind, count: u32 }));
  const prototype: fc.Arbitrary<Prototype> = fc.record({
    returns: fc.option(type, { nil: undefined }),
    parameters: fc.array(type, { maxLength: 6 }),
  });
  fc.assert(
    fc.property(prototype, (p) => {
      t.deepEqual(parsePrototype(formatPrototype(p)), { ok: true, value: p });
    }),
  );
  t.deepEqual(parsePrototype("#b12if4h"), {
    ok: true,
    value: {
      returns: { kind: "int8", count: 12 },
      parameters: [{ kind: "int32" }, { kind: "float32", count: 4 }, { kind: "int16" }],
    },
  });
  for (const bad of ["", "#", "vi", "#w", "#iv", "#v1", "#i ", "#b99999999999", `#${"i".repeat(1e6)}w`])
    t.like(parsePrototype(bad, 40), { ok: false, error: { code: "malformed", offset: 40 } });
});

test("e_flags of both generations are read back; other ABI versions are unknown", (t) => {
  const old = decodeFlags(7, 0x004b054b);
  t.deepEqual(old, {
    kind: "old",
    sm: 75,
    virtualSm: 75,
    options: EF_CUDA.TEXMODE_UNIFIED | EF_CUDA["64BIT_ADDRESS"],
  });
  t.deepEqual(encodeFlags(old!), { osabi: 0x33, flags: 0x004b054b });
  const current = decodeFlags(8, 0x06006402);
  t.deepEqual(current, { kind: "current", sm: 100, low: 2, top: 6 });
  t.deepEqual(encodeFlags(current!), { osabi: 0x41, flags: 0x06006402 });
  t.is(decodeFlags(0x50, 0x06006402), undefined);
});

test("each relocation type has one number, and the byte families have eight", (t) => {
  const numbers = RELOCATIONS.map((row) => row.value);
  t.is(new Set(numbers).size, numbers.length);
  t.is(new Set(RELOCATIONS.map((row) => row.name)).size, numbers.length);
  t.is(relocationName(91), "R_CUDA_G8_56");
  t.is(relocationName(77), "R_CUDA_8_8");
  t.is(relocationFacts(106)?.shift, 16);
  t.is(R_CUDA.FUNC_DESC_64, 35);
  t.is(relocationName(9999), undefined);
  for (const row of RELOCATIONS) for (const [first, bits] of row.fields) t.true(first + bits <= 128);
});

test("a section is recognised by its longest known prefix", (t) => {
  const roles = [".nv.global.init", ".nv.global", ".nv.shared.reserved.0", ".nv.shared.k", ".nv.info", ".nv.info.k"];
  t.deepEqual(
    roles.map((name) => [knownSection(name)?.facts.role, knownSection(name)?.functionName]),
    [
      ["global-init", undefined],
      ["global", undefined],
      ["reserved-shared", undefined],
      ["shared", "k"],
      ["info", undefined],
      ["function-info", "k"],
    ],
  );
  t.is(knownSection(".text.a.b")?.functionName, "a.b");
  t.is(knownSection(".textual"), undefined);
  t.is(new Set(SECTIONS.map((row) => row.role)).size, SECTIONS.length);
});

test("a target has the properties of its generation, an older one those of sm_75", (t) => {
  t.deepEqual(
    [52, 75, 89, 90, 100, 121].map((sm) => targetFacts(sm).parameterBase),
    [0x160, 0x160, 0x160, 0x210, 0x380, 0x380],
  );
});
