// The linker reads columns from an object's file, without decoding the object.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { inputPacker } from "../../lib/link/inputs/packed-input.js";
import { openInputs } from "../../lib/link/inputs/open-input.js";
import { isPacked } from "../../lib/object/columns/packed/packed-object.js";
import { writeObject } from "../../lib/object/file/write.js";
import { moduleText, objectOf } from "./build.js";

const bytes = writeObject(objectOf("m.ptx", moduleText(".visible .func f { ret; }")));
const archive = writeArchive([{ name: "m.o", data: bytes }]);

for (const [kind, source] of Object.entries({
  "a file": { name: "m.o", bytes: Buffer.from(bytes) },
  "a member": { name: "lib.a", bytes: archive },
})) {
  test(`an object in ${kind} is read in place`, (t) => {
    const options = { asFiles: true, hold: inputPacker(), arch: "sm_80" };
    const [input] = openInputs(source, createSink(), options);
    const plain = input?.kind === "object" ? input.linkInput : undefined;
    t.not(plain, undefined);
    t.false(isPacked(plain!));
  });
}
