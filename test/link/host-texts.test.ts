// Texts in fatbins and host files are treated as texts: a link of the output of nvcc -dc equals, in bytes and
// diagnostics, a link of files with the names and texts of the entries.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { selectInside } from "../../lib/link/inputs/select.js";
import { startAssembler } from "../../cli/assembly/assembler-thread.js";
import type { Threads } from "../../cli/files/host.js";
import { ptxkit, type Answer, type Surroundings } from "../cli/surroundings.js";
import { containerBytes } from "../formats/containers.js";

/** Names of the texts that a link for sm_90 uses, by file. */
const inside = {
  "scale.o": ["scale.o(1.sm_90.ptx)"],
  "twice.o": ["twice.o(3.sm_90.ptx)"],
  "both.o": ["both.o(1.sm_90.ptx)", "both.o(4.sm_90.ptx)"],
  "twice.speed.fatbin": ["twice.speed.fatbin(3.sm_90.ptx)"],
  "twice.size.fatbin": ["twice.size.fatbin(3.sm_90.ptx)"],
} as const;
type Around = keyof typeof inside;

function textOf(file: Around, name: string): Uint8Array {
  const sink = createSink();
  const found = selectInside({ name: file, bytes: containerBytes(file) }, name.slice(file.length + 1, -1), sink);
  return found!.bytes;
}

const module = (body: string, target = "sm_90"): string =>
  `.version 8.5\n.target ${target}\n.address_size 64\n${body}\n`;
const others = {
  "plain.ptx": module(".visible .global .u32 other = 5;"),
  /** With another .target option than the other texts. */
  "unified.ptx": module(".visible .global .u32 room = 4;", "sm_90, texmode_unified"),
  "again.ptx": module(".visible .func (.param .b32 r) _Z5twicei(.param .b32 a) { ret; }"),
};
const files = {
  ...others,
  ...Object.fromEntries((Object.keys(inside) as Around[]).map((name) => [name, containerBytes(name)])),
};
const texts = {
  ...others,
  ...Object.fromEntries(
    (Object.keys(inside) as Around[]).flatMap((file) => inside[file].map((name) => [name, textOf(file, name)])),
  ),
};

const facts = ({ status, out, err, written }: Answer) => ({
  status,
  out,
  err,
  written: [...written].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]),
});

/** The same link of files, and of the texts in them. */
function links(words: readonly string[], around: Surroundings = {}): Promise<readonly [Answer, Answer]> {
  const spread = words.flatMap((word) => inside[word as Around] ?? [word]);
  return Promise.all([
    ptxkit(["link", ...words], { ...around, files }),
    ptxkit(["link", ...spread], { ...around, files: texts }),
  ]);
}

const lines: readonly (readonly [line: string, status: number])[] = [
  ["scale.o twice.o -o x", 0],
  ["both.o plain.ptx -o x", 0],
  ["plain.ptx scale.o twice.speed.fatbin -o x", 0],
  ["scale.o twice.size.fatbin -o x --gc-sections --print-gc-sections", 0],
  ["scale.o twice.o -o x --arch sm_90 --map m -t --cref -y _Z5twicei", 0],
  ["scale.o twice.o -o x -r", 0],
  ["scale.o twice.o -o x --emit ptx", 0],
  ["scale.o unified.ptx twice.o -o x", 0],
  ["scale.o -o x", 1],
  ["unified.ptx scale.o -o x", 1],
  ["scale.o twice.o again.ptx -o x", 1],
  ["scale.o twice.o again.ptx unified.ptx -o x", 1],
];

for (const [line, status] of lines) {
  test(`link ${line} equals the link of the texts inside`, async (t) => {
    const [host, text] = await links(line.split(" "));
    t.is(host.status, status, host.err);
    t.deepEqual(facts(host), facts(text));
    if (status === 1) t.regex(host.err, /\n *\d+ \| /, "with the line of the text");
  });
}

test("threads assemble them, with equal results", async (t) => {
  let started = 0;
  const threads: Threads = {
    available: () => 2,
    worthwhileBytes: 1,
    start: (options) => Promise.resolve((started++, startAssembler(options))),
  };
  const words = ["scale.o", "twice.o", "-o", "x", "--arch", "sm_100"];
  const [two] = await links([...words, "-j2"], { threads });
  const [one] = await links([...words, "-j1"]);
  t.true(started > 0);
  t.is(one.status, 0, one.err);
  t.deepEqual(facts(two), facts(one));
});

test("lines of a text from standard input are quoted", async (t) => {
  const { status, err } = await ptxkit(["link", "-", "unified.ptx", "-o", "x"], {
    files,
    stdin: containerBytes("scale.o"),
  });
  t.is(status, 1);
  t.regex(err, /^-\(1\.sm_90\.ptx\):\d+:\d+: error: undefined symbol: _Z5twicei.*\n *\d+ \| _Z5twicei/);
});
