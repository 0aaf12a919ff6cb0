// Declared shared memory of kernels, compared with their sections: docs/format.md, "Declarations".

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { decodeObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import type { KernelInfo, ObjectFile } from "../../lib/object/object.js";
import { moduleText, objectOf } from "../link/build.js";

const object = objectOf(
  "m.ptx",
  moduleText(".visible .entry k() { .shared .b32 s[3]; st.shared.b32 [s], 4; ret; }\n.visible .entry none() { ret; }"),
);
const image = linkObjects([object], {}, createSink())!;

function refusal(file: ObjectFile, changed: Partial<KernelInfo>, kernel = 0): string | undefined {
  const kernels = file.kernels.map((each, i) => (i === kernel ? { ...each, ...changed } : each));
  const read = decodeObject(writeObject({ ...file, kernels }), "m");
  return read.ok ? undefined : read.error.what;
}

test("a kernel of an image has the shared memory of its section, and dynamic memory after it", (t) => {
  const [{ sharedBytes, dynamicSharedOffset }] = image.kernels as [KernelInfo];
  t.deepEqual([sharedBytes, dynamicSharedOffset], [12, 16]);
  t.is(refusal(image, {}), undefined);
  // That of the largest kernel with the same dynamic memory.
  t.is(refusal(image, { dynamicSharedOffset: 48 }), undefined);
  const said = (bytes: number, from: number, has: number, name = "k") =>
    `kernel '${name}' has ${bytes} bytes of shared memory, and dynamic memory from ${from}: its section has ${has} bytes`;
  t.is(refusal(image, { sharedBytes: 2 ** 31 }), said(2 ** 31, 16, 12));
  t.is(refusal(image, { sharedBytes: 0 }), said(0, 16, 12));
  t.is(refusal(image, { dynamicSharedOffset: 8 }), said(12, 8, 12));
  t.is(refusal(image, { sharedBytes: 4 }, 1), said(4, 0, 0, "none"));
});

test("a size that does not fit 32 bits is written as the largest number, for which no launch has room", (t) => {
  const kernels = image.kernels.map((each) => ({ ...each, dynamicSharedOffset: 2 ** 33 + 16 }));
  const read = decodeObject(writeObject({ ...image, kernels: kernels.slice(0, 1) }), "m");
  if (!read.ok) return t.fail(read.error.what);
  t.deepEqual(
    read.value.kernels.map(({ sharedBytes, dynamicSharedOffset }) => [sharedBytes, dynamicSharedOffset]),
    [[12, 2 ** 32 - 1]],
  );
});

test("in an object neither is laid out", (t) => {
  t.is(refusal(object, {}), undefined);
  for (const changed of [{ sharedBytes: 12 }, { dynamicSharedOffset: 16 }])
    t.regex(refusal(object, changed)!, /^kernel 'k' has .* its section has 0 bytes$/);
});
