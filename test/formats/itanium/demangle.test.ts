// Demangled names, compared with c++filt's in testdata/oracle/demangle.json: names of device code, of lambdas, packs
// and pointers to members, and of a C++ library. Also names that are not mangled.

import { readFileSync } from "node:fs";
import test from "ava";
import fc from "fast-check";
import { demangle } from "../../../formats/itanium/index.js";

const record = new URL("../../../../testdata/oracle/demangle.json", import.meta.url);
const { names } = JSON.parse(readFileSync(record, "utf8")) as {
  names: readonly (readonly [mangled: string, demangled: string | null])[];
};

/** c++filt reads these and we do not: expressions, conversions to a template parameter, vectors. */
const unread: ReadonlySet<string> = new Set([
  "_ZZ6powersE12firstOfBlock_",
  "_Z3seqIdJLm0ELm1ELm2EEEiT_St16integer_sequenceImJXT0_EEE",
  "_ZNK1a4TileIfLi4EEcvT_IfEEv",
  "_ZTv0_n24_NSt18basic_stringstreamIwSt11char_traitsIwESaIwEED0Ev",
  "_Z1fDv4_f",
]);

test("names are demangled as c++filt does", (t) => {
  const wrong = names.flatMap(([mangled, expected]) => {
    const ours = demangle(mangled) ?? null;
    return ours === expected || (ours === null && unread.has(mangled)) ? [] : [{ mangled, ours, expected }];
  });
  t.deepEqual(wrong, []);
});

test("any text after _Z gives a result, in bounded time", (t) => {
  const alphabet = fc.constantFrom(..."NESTIJLZKPRFvijfmDpCc0123456789_abx");
  fc.assert(
    fc.property(fc.array(alphabet, { maxLength: 80 }), (letters) => {
      const name = demangle(`_Z${letters.join("")}`);
      return name === undefined || name.length < 1 << 20;
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

test("names with a changed letter give a result", (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(), fc.constantFrom(..."ESTIJNZ_019PKv"), ([mangled], at, letter) => {
      const index = 2 + (at % Math.max(1, mangled.length - 2));
      demangle(mangled.slice(0, index) + letter + mangled.slice(index + 1));
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

test("substitutions that double the name at every step are not demangled", (t) => {
  const doubling = Array.from(
    { length: 40 },
    (_, i) => `FS${(i + 1).toString(36).toUpperCase()}_S${i.toString(36).toUpperCase()}_E`,
  );
  t.is(demangle(`_Z1fPFivE${doubling.join("")}`), undefined);
});

test("nesting deeper than any compiler's is not demangled", (t) => {
  t.is(demangle(`_Z1f${"P".repeat(10000)}i`), undefined);
});
