// Objects and images with changed bytes, through every command that reads them: each gives a result or a diagnostic,
// never a defect. A sample has some of the changes.

import { fileURLToPath } from "node:url";
import fc from "fast-check";
import test from "ava";
import { rounds } from "../sample.js";
import { ptxkit } from "./surroundings.js";

const folder = fileURLToPath(new URL("../../../testdata/walk/", import.meta.url));
const assembled = async (name: string): Promise<Uint8Array> =>
  (await ptxkit(["as", `${name}.ptx`, "-o", "o"], { folder })).written.get("o")!;
const scale = await assembled("scale");
const table = await assembled("table");
const image = (await ptxkit(["link", "scale.ptx", "table.ptx", "-o", "i"], { folder })).written.get("i")!;

const views = ["header", "sections", "symbols", "relocations", "info", "kernels", "layout", "disassemble"];
const inspect = ["inspect", "damaged", ...views.map((view) => `--${view}`), "--json"];
const run = "run damaged -k scale -g 1 -b 32 -a f32[8]=iota -a u32=8 --max-instructions 10000".split(" ");
const link = ["link", "damaged", "table.o", "-o", "out"];

/** One to four bytes of `original` changed; values like sizes and counts are more frequent. */
const damaged = (original: Uint8Array): fc.Arbitrary<Uint8Array> => {
  const value = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 4, 8, 0x7f, 0x80, 0xfe, 0xff));
  return fc
    .array(fc.tuple(fc.nat(original.length - 1), value), { minLength: 1, maxLength: 4 })
    .map((changes) => changes.reduce((bytes, [at, byte]) => bytes.fill(byte, at, at + 1), original.slice()));
};

const cases = [
  ["an object is linked", scale, link],
  ["an object is inspected", scale, inspect],
  ["an image is inspected", image, inspect],
  ["an image is run", image, run],
] as const;

for (const [what, original, command] of cases) {
  test(`damaged, ${what}: an answer, and never a defect`, async (t) => {
    t.is((await ptxkit(command, { files: { damaged: original, "table.o": table } })).status, 0);
    await fc.assert(
      fc.asyncProperty(damaged(original), async (bytes) => {
        const { status, err } = await ptxkit(command, { files: { damaged: bytes, "table.o": table } });
        t.true(status <= 3, err);
      }),
      { seed: 11, numRuns: rounds(400, 16) },
    );
  });
}

test("a truncated ELF file is called one by every command", async (t) => {
  for (const file of [scale, image])
    for (const size of [4, 20, 63, 400])
      for (const command of [
        ["check", "cut"],
        ["as", "cut"],
        ["link", "cut", "-o", "out"],
        ["inspect", "cut"],
        [...run.slice(0, 1), "cut", ...run.slice(2)],
      ]) {
        const { status, err } = await ptxkit(command, { files: { cut: file.subarray(0, size) } });
        t.is(status, 1, command.join(" "));
        t.regex(err, /^cut:\d+: error: .*truncated ELF file/, command.join(" "));
      }
});

test("code that cannot be read is reported at its offset in the file, by every command", async (t) => {
  const places = async (original: Uint8Array, ...commands: readonly (readonly string[])[]): Promise<void> => {
    const spelled = Buffer.from(original).indexOf("mul.f32");
    const bytes = original.slice().fill(0xff, spelled, spelled + 1);
    const told: number[] = [];
    for (const command of commands) {
      const { status, err } = await ptxkit(command, { files: { damaged: bytes, "table.o": table } });
      t.is(status, 1);
      told.push(Number(/^damaged:(\d+): error: .*has no instruction "\ufffdul/m.exec(err)![1]));
    }
    t.is(new Set(told).size, 1, String(told));
    // The list of opcodes follows the texts.
    t.true(told[0]! > spelled && told[0]! < spelled + 200, `${told} ${spelled}`);
  };
  const verify = ["inspect", "damaged", "--verify"];
  const disassemble = ["inspect", "damaged", "--disassemble"];
  await places(scale, verify, disassemble, ["link", "damaged", "table.o", "--emit", "ptx", "-o", "out"]);
  await places(image, verify, disassemble, run);
});

test("a damaged name in an image's text brings no control character to the terminal", async (t) => {
  const at = Buffer.from(image).indexOf("\0factor\0") + 1;
  const damaged = image.slice().fill(0x1b, at, at + 1);
  const { out } = await ptxkit(["inspect", "damaged", "--disassemble"], { files: { damaged } });
  t.regex(out, /\\x1Bactor/);
  t.notRegex(out, /\x1b/);
});

test("a damaged name of a section brings no control character to the terminal, whatever is shown of it", async (t) => {
  const shown = ["inspect", "damaged", ...views.filter((view) => view !== "disassemble").map((view) => `--${view}`)];
  for (const original of [scale, image]) {
    const beginnings = [
      ...Buffer.from(original)
        .toString("latin1")
        .matchAll(/(?<=\0)\.[\w.]+(?=\0)/g),
    ];
    t.true(beginnings.length > 10);
    for (const { index, 0: name } of beginnings) {
      const { out, err } = await ptxkit(shown, { files: { damaged: original.slice().fill(0x1b, index, index + 1) } });
      t.notRegex(out + err, /\x1b/, name);
    }
  }
});
