// ptxkit link -j: the image, the reports, the messages and their order are the same for any number of threads. The test
// uses real threads, and starts them for any amount of text. A sample has one in 32 of the folders of testdata/link, of
// the matrix and of the others.

import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { startAssembler, type AssemblerThread } from "../../cli/assembly/assembler-thread.js";
import type { Threads } from "../../cli/files/host.js";
import { sample } from "../sample.js";
import { badModule, goodModule, ptxkit, type Answer, type Surroundings } from "./surroundings.js";

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));

/** Counts the requested threads. A closed thread is reused for the same options, because starting takes time. */
function countedThreads(worthwhileBytes = 1): { readonly threads: Threads; readonly started: () => number } {
  let count = 0;
  return {
    threads: {
      available: () => 3,
      worthwhileBytes,
      start(options) {
        count++;
        const key = JSON.stringify(options);
        const free = idle.get(key) ?? [];
        idle.set(key, free);
        const thread = free.pop() ?? startAssembler(options);
        if (!all.includes(thread)) all.push(thread);
        return Promise.resolve({ ...thread, close: () => Promise.resolve(void free.push(thread)) });
      },
    },
    started: () => count,
  };
}

const all: AssemblerThread[] = [];
const idle = new Map<string, AssemblerThread[]>();
test.after.always(() => Promise.all(all.map((thread) => thread.close())));

const facts = ({ status, out, err, written }: Answer) => ({ status, out, err, written: [...written] });

const module = (body: string): string => `.version 8.5\n.target sm_80\n.address_size 64\n${body}\n`;
const many = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `m${i}.ptx`,
    module(
      `.extern .global .u32 v${(i + 1) % 60};\n.visible .global .u32 v${i} = ${i};\n.global .u64 p = v${(i + 1) % 60};\n` +
        `.visible .entry k${i}() { .reg .b64 %a; mov.u64 %a, v${(i + 1) % 60}; ret; }`,
    ),
  ]),
);

test("an image of many texts, its map and diagnostics are the same for any number of threads", async (t) => {
  const { threads, started } = countedThreads();
  const said = ["--map", "m.json", "-y", "v1", "--cref", "-t", "--dependency-file", "d", "--print-symbol-counts", "c"];
  const args = ["link", ...Object.keys(many), "-o", "x", ...said];
  const one = await ptxkit([...args, "-j", "1"], { files: many, threads });
  t.is(one.status, 0, one.err);
  t.is(started(), 0, "-j 1 begins no thread");
  for (const jobs of ["2", "3"])
    t.deepEqual(facts(await ptxkit([...args, "-j", jobs], { files: many, threads })), facts(one));
  t.is(started(), 1 + 2);
  t.deepEqual(facts(await ptxkit(args, { files: many, threads })), facts(one), "without -j");
});

test("so is one of many NVVM IR modules, with one faulty module, too", async (t) => {
  const { threads, started } = countedThreads();
  const ll = (i: number, sum = "%a, 3"): string =>
    `@v${i} = addrspace(1) global i32 ${i}\ndeclare i32 @f${(i + 1) % 9}(i32)\ndefine i32 @f${i}(i32 %x) {\n` +
    `  %a = call i32 @f${(i + 1) % 9}(i32 %x)\n  %r = add i32 ${sum}\n  ret i32 %r\n}\n`;
  const files = {
    ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`m${i}.ll`, ll(i)])),
    "bad.ll": ll(4, "%a 3"),
  };
  const right = Object.keys(files).filter((name) => name !== "bad.ll");
  for (const inputs of [right, right.with(4, "bad.ll")]) {
    const args = ["link", ...inputs, "-o", "x"];
    const one = await ptxkit([...args, "-j", "1"], { files, threads });
    t.is(one.status, inputs === right ? 0 : 1, one.err);
    t.deepEqual(facts(await ptxkit([...args, "-j", "3"], { files, threads })), facts(one));
  }
  t.true(started() > 0);
  const checked = await ptxkit(["check", ...Object.keys(files)], { files });
  t.is(checked.status, 1);
  t.regex(checked.err, /^bad\.ll:5:19: error: expected ',' and the second operand after '%a' but found '3'/);
});

test("so is one without further outputs, which is linked by columns", async (t) => {
  const { threads, started } = countedThreads();
  const args = ["link", ...Object.keys(many), "-o", "x"];
  const one = await ptxkit([...args, "-j", "1"], { files: many, threads });
  t.is(one.status, 0, one.err);
  t.is(started(), 0);
  for (const jobs of ["2", "3"])
    t.deepEqual(facts(await ptxkit([...args, "-j", jobs], { files: many, threads })), facts(one));
  t.true(started() > 0);
  const mapped = await ptxkit([...args, "--map", "m"], { files: many, threads });
  t.deepEqual(mapped.written.get("x"), one.written.get("x"));
  const shared = { ...many, "m60.ptx": module(".visible .shared .u32 s;") };
  const some = await ptxkit(["link", ...Object.keys(shared), "-o", "x", "-j1"], { files: shared, threads });
  t.is(some.status, 0, some.err);
  t.deepEqual(
    facts(await ptxkit(["link", ...Object.keys(shared), "-o", "x", "-j3"], { files: shared, threads })),
    facts(some),
  );
});

test("errors are reported in the order of inputs, with their lines, whichever thread finds them", async (t) => {
  const { threads, started } = countedThreads();
  const files = {
    ...many,
    "bad1.ptx": badModule(3),
    "bad2.ptx": module(".visible .func f() { add.u32 %r1, %r2; }\n.visible .func g() { bra L; }"),
    "bad3.ptx": ".version 8.5\nhello",
    zeroes: new Uint8Array(64),
    "late.ptx": module(".visible .global .u32 v3 = 7;"),
  };
  const inputs = Object.keys(files).toSorted();
  const more: readonly (readonly string[])[] = [[], ["--werror"], ["absent.ptx", "bad1.ptx"], ["-"]];
  for (const diagnostics of ["text", "json", "sarif"])
    for (const words of sample(more, 8, { name: (each) => `${diagnostics} ${each}` })) {
      const around: Surroundings = { files, threads, stdin: badModule(1) };
      const args = ["link", ...inputs, ...words, "-o", "x", "--diagnostics", diagnostics, "--error-limit", "0"];
      const one = await ptxkit([...args, "-j1"], around);
      t.true(one.status > 0);
      t.deepEqual(facts(await ptxkit([...args, "-j3"], around)), facts(one), `${diagnostics} ${words.join(" ")}`);
    }
  t.true(started() > 0);
});

test("diagnostics of the link quote lines of texts that were released", async (t) => {
  const { threads } = countedThreads();
  const files = { ...many, "m60.ptx": module(".visible .global .u32 v3 = 7;") };
  for (const jobs of ["1", "3"]) {
    const { err } = await ptxkit(["link", ...Object.keys(files), "-o", "x", "-j", jobs], { files, threads });
    t.regex(err, /^m60\.ptx:4:23: error: [^\n]*\[duplicate-symbol\]\n 4 \| \.visible \.global \.u32 v3 = 7;\n/);
  }
});

test("every folder of testdata/link links alike with one thread and with three", async (t) => {
  const { threads, started } = countedThreads();
  const root = path.join(testdata, "link");
  const folders = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(root, name))
    .filter((name) => statSync(name).isDirectory());
  let compared = 0;
  const kind = (folder: string): string => path.dirname(path.relative(root, folder));
  const chosen = sample(folders, 32, { name: (folder) => path.relative(root, folder), kind });
  for (const folder of chosen) {
    const names = readdirSync(folder).filter((name) => name.endsWith(".ptx"));
    if (names.length < 2) continue;
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name))]));
    for (const more of [[], ["-r"], ["--gc-sections", "--print-gc-sections"], ["--emit", "ptx"]]) {
      const args = ["link", ...names, "-o", "x", ...more];
      const [one, three] = [
        await ptxkit([...args, "-j1"], { files, threads }),
        await ptxkit([...args, "-j3"], { files, threads }),
      ];
      t.deepEqual(facts(three), facts(one), `${folder} ${more.join(" ")}`);
      compared++;
    }
  }
  t.true(compared > chosen.length);
  t.true(started() > chosen.length);
});

test("no thread is started for small inputs, or for objects", async (t) => {
  const small = countedThreads(1 << 20);
  t.is(
    (await ptxkit(["link", ...Object.keys(many), "-o", "x", "-j8"], { files: many, threads: small.threads })).status,
    0,
  );
  t.is(small.started(), 0);
  const single = countedThreads();
  t.is(
    (await ptxkit(["link", "a.ptx", "-o", "x", "-j8"], { files: { "a.ptx": goodModule }, threads: single.threads }))
      .status,
    0,
  );
  t.is(single.started(), 0, "one text is for one thread");
  const object = (await ptxkit(["as", "a.ptx", "-o", "a.o"], { files: { "a.ptx": goodModule } })).written.get("a.o")!;
  t.is(
    (await ptxkit(["link", "a.o", "-o", "x", "-j8"], { files: { "a.o": object }, threads: single.threads })).status,
    0,
  );
  t.is(single.started(), 0);
});

test("a defect in another thread is a defect of the program", async (t) => {
  const threads: Threads = {
    available: () => 2,
    worthwhileBytes: 1,
    start: () =>
      Promise.resolve({
        assemble: () => Promise.reject(new Error("the thread has come to an end")),
        close: () => Promise.resolve(),
      }),
  };
  const { status, err, written } = await ptxkit(["link", ...Object.keys(many), "-o", "x", "-j2"], {
    files: many,
    threads,
  });
  t.is(status, 70);
  t.regex(err, /^ptxkit: defect: the thread has come to an end/);
  t.is(written.size, 0);
});
