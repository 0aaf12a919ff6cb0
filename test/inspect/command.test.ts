// ptxkit inspect as a command: statuses, streams, and one JSON document.

import test from "ava";
import { ptxkit } from "../cli/surroundings.js";
import { cubinBytes } from "../formats/recorded.js";
import { linked } from "./own.js";

const files = {
  "k.cubin": cubinBytes("linked.sm_90.cubin"),
  "cut.cubin": cubinBytes("linked.sm_90.cubin").subarray(0, 3000),
  image: linked(),
  "lib.a": "!<arch>\n",
  "device.fatbin": Uint8Array.of(0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0),
  noise: Uint8Array.of(1, 2, 3, 0, 255),
  "bad.ptx": ".version 8.5\n.target sm_80\n.address_size 64\n.global .u32 x = ;\n",
};

test("without views there is a card of the file, and status 0", async (t) => {
  const { status, out, err } = await ptxkit(["inspect", "k.cubin"], { files });
  t.is(status, 0);
  t.is(err, "");
  t.regex(out, /^k\.cubin: linked cubin, 8096 bytes\n/);
  t.regex(out, /target +sm_90/);
  t.regex(out, / k2\n/);
});

test("--json is one document with the program's version, the file, its kind and the views asked for", async (t) => {
  const { status, out } = await ptxkit(["inspect", "image", "--kernels", "--symbols", "--json"], { files });
  t.is(status, 0);
  const document = JSON.parse(out) as Record<string, unknown>;
  t.like(document, { file: "image", kind: "ptxkit-image", damaged: false });
  t.deepEqual(Object.keys(document), [
    "ptxkit",
    "file",
    "kind",
    "target",
    "size",
    "damaged",
    "shortened",
    "symbols",
    "kernels",
    "functions",
  ]);
});

test("a damaged file has status 1, its fault with file and offset, and what could be read", async (t) => {
  const { status, out, err } = await ptxkit(["inspect", "cut.cubin", "--header"], { files });
  t.is(status, 1);
  t.regex(err, /^cut\.cubin:\d+: error: .* \[malformed-file\]\n/);
  t.regex(out, /damaged/);
  t.regex(out, /target +sm_90/);
});

test("what is no known format has status 1, missing files have status 2", async (t) => {
  const answer = async (...args: string[]) => ptxkit(["inspect", ...args], { files });
  t.is((await answer("noise")).status, 1);
  t.is((await answer("device.fatbin")).status, 1);
  t.is((await answer("lib.a")).status, 0);
  t.is((await answer("nowhere")).status, 2);
  t.is((await answer("bad.ptx")).status, 1);
});

test("--disassemble alone is a PTX module; of machine code it is an error", async (t) => {
  const own = await ptxkit(["inspect", "image", "--disassemble"], { files });
  t.is(own.status, 0);
  t.regex(own.out, /^\.version 8\.5\n\.target sm_80\n/);
  const foreign = await ptxkit(["inspect", "k.cubin", "--disassemble"], { files });
  t.is(foreign.status, 1);
  t.regex(foreign.err, /SASS/);
});

test("--cross-check asks elfy, which agrees", async (t) => {
  const { out } = await ptxkit(["inspect", "k.cubin", "--cross-check"], { files });
  t.regex(out, /Cross-check with elfy: no difference/);
});

test("a terminal's width bounds the lines, and colour is asked for or left out", async (t) => {
  const args = ["inspect", "k.cubin", "--sections", "--relocations", "--info", "--kernels", "--layout"];
  const wide = await ptxkit([...args, "--color", "never"], { files, outColumns: 100 });
  t.true(wide.out.split("\n").every((line) => line.length <= 100));
  t.notRegex(wide.out, /\u001b/);
  t.regex((await ptxkit(args, { files, outColumns: 100 })).out, /\u001b\[/);
  t.notRegex((await ptxkit(args, { files })).out, /\u001b/);
});

test("a text without any PTX is not called PTX, whatever is asked of it", async (t) => {
  const files = { "m.c": "int main() { return 0; }\n" };
  for (const view of [[], ["--header"], ["--verify"], ["--json"]]) {
    const { status, err } = await ptxkit(["inspect", "m.c", ...view], { files });
    t.is(status, 1);
    t.true(
      err.startsWith("m.c:1:1: error: this text is no PTX: a module begins with '.version', and here is 'int'"),
      err,
    );
  }
});
