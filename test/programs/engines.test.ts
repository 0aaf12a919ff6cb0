// Every program of testdata on both engines, the fast one compiling all from the start: the same memory, counts, text and
// faults, bit for bit. A sample has one in 16.

import test from "ava";
import { sample } from "../sample.js";
import { linkProgram, programNames, runProgram } from "./program.js";

for (const name of sample(programNames, 16))
  test(`${name} gives the same on both engines`, async (t) => {
    const folder = `programs/${name}`;
    const image = linkProgram(folder);
    const [reference, fast] = [
      (await runProgram(folder, image, { engine: "reference" })).report,
      (await runProgram(folder, image, { engine: "fast", hotAfter: 0 })).report,
    ];
    t.deepEqual(fast.launches, reference.launches);
    t.deepEqual(fast.fault, reference.fault);
    t.is(fast.printf, reference.printf);
    fast.outputs.forEach(({ name: output, bytes }, i) =>
      t.true(Buffer.compare(bytes, reference.outputs[i]!.bytes) === 0, output),
    );
  });
