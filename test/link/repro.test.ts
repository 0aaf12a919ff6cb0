// --save-repro writes all that is needed to repeat the link with the same output.

import test from "ava";
import { ptxkit, type Surroundings } from "../cli/surroundings.js";

const module = (body: string): string => `.version 8.5\n.target sm_80\n.address_size 64\n${body}\n`;
const files = {
  "k.ptx": module(".extern .global .u32 a, b, c;\n.visible .entry k() { .reg .b64 %a; mov.u64 %a, a; ret; }"),
  "lib/a.ptx": module(".visible .global .u32 a = 1;"),
  "../up/a.ptx": module(".visible .global .u32 b = 2;"),
  "/abs/with blank.ptx": module(".visible .global .u32 c = 3;"),
  "response.txt": '"/abs/with blank.ptx" --map out.map\n-o out/deep.img',
};

/** Saves a link with these arguments in r, and repeats it with only the files of r. */
async function again(args: readonly string[], around: Surroundings) {
  const first = await ptxkit(["link", ...args, "--save-repro", "r"], around);
  const saved = Object.fromEntries(
    [...first.written].flatMap(([name, bytes]) => (name.startsWith("r/") ? [[name.slice(2), bytes]] : [])),
  );
  return { first, saved, second: await ptxkit(["link", "@response.txt"], { files: saved }) };
}

test("a link is repeated from the folder with the same bytes, whatever its inputs were called", async (t) => {
  const around = { files, stdin: module(".visible .global .u32 d = 4;") };
  const args = ["k.ptx", "lib/a.ptx", "../up/a.ptx", "-", "@response.txt", "--arch=sm_86", "-o", "p.img"];
  const { first, saved, second } = await again(args, around);
  t.is(first.status, 0, first.err);
  t.is(second.status, 0, second.err);
  const names = Object.keys(saved).toSorted();
  t.deepEqual(
    names,
    [
      "inputs/1-up_a.ptx",
      "inputs/1-stdin",
      "inputs/1-abs_with_blank.ptx",
      "k.ptx",
      "lib/a.ptx",
      "response.txt",
    ].toSorted(),
  );
  t.deepEqual(second.written.get("p.img"), first.written.get("p.img"));
  t.deepEqual([...second.written.keys()], ["p.img"], "what else the link wrote is not repeated");
});

test("the folder has every file that was read, unchanged, or none", async (t) => {
  const object = (await ptxkit(["as", "k.ptx"], { files })).written.get("k.o")!;
  const { saved, first } = await again(["k.o", "lib/a.ptx", "-o", "p.img", "--ignore-unresolved-symbol", "*"], {
    files: { ...files, "k.o": object },
  });
  t.is(first.status, 0, first.err);
  t.is(Buffer.compare(saved["k.o"]!, object), 0);
  const args = ["link", "k.ptx", "lib/a.ptx", "-o", "p.img", "--ignore-unresolved-symbol", "*", "--save-repro", "r"];
  const { status, written } = await ptxkit(args, { files, unwritable: ["r/lib/a.ptx"] });
  t.is(status, 2);
  t.deepEqual([...written.keys()], []);
});

test("a link is repeated from anywhere", async (t) => {
  const files = {
    "k.ptx": module(".visible .entry k() { ret; }"),
    "../a=b/o.ptx": module(".visible .global .u32 a = 1;"),
  };
  for (const folder of ["r", "../up/r", "/deep/r", "a=b"]) {
    const args = ["link", "k.ptx", "../a=b/o.ptx", "-o", "p.img", "--save-repro", folder];
    const first = await ptxkit(args, { files });
    t.is(first.status, 0, first.err);
    const saved = Object.fromEntries([...first.written].filter(([name]) => name !== "p.img"));
    const second = await ptxkit(["link", `@${folder}/response.txt`], { files: saved });
    t.is(second.status, 0, second.err);
    t.deepEqual([...second.written.keys()], ["p.img"]);
    t.deepEqual(second.written.get("p.img"), first.written.get("p.img"), folder);
  }
});

test("a link that fails is saved, and fails again with the same messages", async (t) => {
  const { first, second } = await again(["k.ptx", "lib/a.ptx", "-o", "p.img"], { files });
  t.is(first.status, 1);
  t.is(second.status, 1);
  t.is(second.err, first.err);
  t.false(first.written.has("p.img"));
});

test("the environment variable does the same, with a folder for each output", async (t) => {
  const environment = { PTXKIT_SAVE_REPRO: "all" };
  const args = ["link", "k.ptx", "lib/a.ptx", "--ignore-unresolved-symbol", "*"];
  const saved = async (...more: readonly string[]): Promise<readonly string[]> => {
    const { written, err, status } = await ptxkit([...args, ...more], { files, environment });
    t.is(status, 0, err);
    return [...written.keys()].filter((name) => name.endsWith("response.txt"));
  };
  t.deepEqual(await saved("-o", "./p 1.img"), ["all/p_1.img/response.txt"]);
  t.deepEqual(await saved("-o", "-"), ["all/out/response.txt"]);
  t.deepEqual(await saved("-o", "p.img", "--save-repro", "r"), ["r/response.txt"]);
  const { written } = await ptxkit([...args, "-o", "p.img"], { files, environment: { PTXKIT_SAVE_REPRO: "" } });
  t.deepEqual([...written.keys()], ["p.img"]);
});
