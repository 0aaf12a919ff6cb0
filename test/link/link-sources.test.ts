// linkSources() links several files in memory into an image, in one call.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { InputError } from "../../lib/diag/demand.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkSources, type LinkSourcesOptions } from "../../lib/link/link-sources.js";
import { writeObject } from "../../lib/object/file/write.js";

const head = ".version 8.5\n.target sm_80\n.address_size 64\n";
const wants = `${head}.extern .global .u32 there;\n.visible .global .u64 at = there;\n.visible .entry k() { ret; }\n`;
const has = `${head}.visible .global .u32 there = 1;\n`;
const bytesOf = (text: string) => new TextEncoder().encode(text);

test("text and bytes are linked in their order, members of archives by need", (t) => {
  const lib = writeArchive([
    { name: "has.ptx", data: bytesOf(has) },
    { name: "other.ptx", data: bytesOf(`${head}.visible .global .u32 other;\n`) },
  ]);
  const names = ({ symbols }: ReturnType<typeof linkSources>) => symbols.map(({ name }) => name);
  const image = linkSources({ "wants.ptx": wants, "lib.a": lib });
  t.true(names(image).includes("there"));
  t.false(names(image).includes("other"));
  t.true(
    names(linkSources({ "wants.ptx": wants, "lib.a": lib }, { roots: { undefined: ["other"] } })).includes("other"),
  );
  t.deepEqual(
    writeObject(linkSources({ "wants.ptx": bytesOf(wants), "has.ptx": bytesOf(has) })),
    writeObject(linkSources({ "wants.ptx": wants, "has.ptx": has })),
  );
});

test("an option that is undefined has its default", (t) => {
  // A module that is compiled as a whole places dynamic shared memory for the largest alignment.
  const whole = `${head}.extern .shared .align 64 .b8 wide[];\n.extern .shared .align 4 .b8 dyn[];\n.shared .b8 byte;
.visible .entry k() { .reg .u32 %r; mov.u32 %r, dyn; st.shared.u8 [byte], %r; ret; }\n`;
  const linked = (options?: LinkSourcesOptions) => writeObject(linkSources({ "a.ptx": whole }, options));
  t.deepEqual(linked({ wholeProgram: undefined } as unknown as LinkSourcesOptions), linked());
  t.notDeepEqual(linked({ wholeProgram: false }), linked());
});

test("errors of all sources are reported together, with their lines", (t) => {
  const wrong = `${head}.global .u33 x;\n`;
  const error = t.throws(() => linkSources({ "a.ptx": wrong, "b.ptx": wrong }), { instanceOf: InputError });
  t.regex(error.message, /^a\.ptx:4:9: error: .*\n 4 \| \.global \.u33 x;/);
  t.regex(error.message, /^b\.ptx:4:9: error: /m);
});

test("an image among the inputs is refused by name", (t) => {
  const image = writeObject(linkSources({ "has.ptx": has }));
  const error = t.throws(() => linkSources({ "has.img": image }), { instanceOf: InputError });
  t.regex(error.message, /has\.img/);
});

test("warnings go to the given sink, which may raise them to errors", (t) => {
  const doubtful = `${head}.global .u8 flags = 0x1FF;\n`;
  const sink = createSink();
  linkSources({ "a.ptx": doubtful }, { sink });
  t.deepEqual(
    sink.all.map(({ code }) => code),
    ["initializer-truncated"],
  );
  t.throws(() => linkSources({ "a.ptx": doubtful }, { sink: createSink({ warningsAreErrors: true }) }), {
    instanceOf: InputError,
  });
});
