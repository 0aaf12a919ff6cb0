// ptxkit inspect as a command: statuses, streams, and one JSON document.

import { readFileSync } from "node:fs";
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

test("without views, inspect prints a summary of the file, with status 0", async (t) => {
  const { status, out, err } = await ptxkit(["inspect", "k.cubin"], { files });
  t.is(status, 0);
  t.is(err, "");
  t.regex(out, /^k\.cubin: linked cubin, 8096 bytes\n/);
  t.regex(out, /target +sm_90/);
  t.regex(out, / k2\n/);
});

test("--json is one document with the program's version, the file, its kind and the requested views", async (t) => {
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

test("a damaged file has status 1, its fault with file and offset, and the readable parts", async (t) => {
  const { status, out, err } = await ptxkit(["inspect", "cut.cubin", "--header"], { files });
  t.is(status, 1);
  t.regex(err, /^cut\.cubin:\d+: error: .* \[malformed-file\]\n/);
  t.regex(out, /damaged/);
  t.regex(out, /target +sm_90/);
});

test("what is not a known format has status 1, missing files have status 2", async (t) => {
  const answer = async (...args: string[]) => ptxkit(["inspect", ...args], { files });
  t.is((await answer("noise")).status, 1);
  t.is((await answer("device.fatbin")).status, 1);
  t.is((await answer("lib.a")).status, 0);
  t.is((await answer("nowhere")).status, 2);
  t.is((await answer("bad.ptx")).status, 1);
});

test("--disassemble alone prints a PTX module; for machine code it is an error", async (t) => {
  const own = await ptxkit(["inspect", "image", "--disassemble"], { files });
  t.is(own.status, 0);
  t.regex(own.out, /^\.version 8\.5\n\.target sm_80\n/);
  const foreign = await ptxkit(["inspect", "k.cubin", "--disassemble"], { files });
  t.is(foreign.status, 1);
  t.regex(foreign.err, /SASS/);
});

test("--cross-check reads the file with elfy, which agrees", async (t) => {
  const { out } = await ptxkit(["inspect", "k.cubin", "--cross-check"], { files });
  t.regex(out, /Cross-check with elfy: no difference/);
});

test("the terminal's width bounds the lines, and colour is on or off as requested", async (t) => {
  const args = ["inspect", "k.cubin", "--sections", "--relocations", "--info", "--kernels", "--layout"];
  const wide = await ptxkit([...args, "--color", "never"], { files, outColumns: 100 });
  t.true(wide.out.split("\n").every((line) => line.length <= 100));
  t.notRegex(wide.out, /\u001b/);
  t.regex((await ptxkit(args, { files, outColumns: 100 })).out, /\u001b\[/);
  t.notRegex((await ptxkit(args, { files })).out, /\u001b/);
});

test("a text without any PTX is not called PTX, whatever view is requested", async (t) => {
  const files = { "m.c": "int main() { return 0; }\n" };
  for (const view of [[], ["--header"], ["--verify"], ["--json"]]) {
    const { status, err } = await ptxkit(["inspect", "m.c", ...view], { files });
    t.is(status, 1);
    t.true(
      err.startsWith("m.c:1:1: error: this text is not PTX: a module begins with '.version', and here is 'int'"),
      err,
    );
  }
});

test("--list and --compare-images of a PTX file report that it contains nothing, and its faults", async (t) => {
  const files = {
    "good.ptx": ".version 8.5\n.target sm_80\n.address_size 64\n.entry k() { ret; }\n",
    "bad.ptx": ".version 8.5\n.target sm_80\n.address_size 64\n.entry k() { rat; }\n",
    "m.c": "int main() { return 0; }\n",
    "k.ll": readFileSync(new URL("../../../testdata/walk/wave.ll", import.meta.url)),
  };
  for (const name of ["good.ptx", "k.ll"]) {
    const listed = await ptxkit(["inspect", name, "--list"], { files });
    t.deepEqual([listed.status, listed.err], [0, ""], name);
    t.regex(listed.out, /\nNothing inside\.\n$/);
    const compared = await ptxkit(["inspect", name, "--compare-images"], { files });
    t.deepEqual([compared.status, compared.err], [0, ""], name);
    t.regex(compared.out, /\nNo fatbin holds more than one image with kernels\.\n$/);
  }
  for (const option of ["--list", "--compare-images"]) {
    const bad = await ptxkit(["inspect", "bad.ptx", option], { files });
    t.is(bad.status, 1);
    t.regex(bad.err, /^bad\.ptx:4:14: error: /);
    t.regex((await ptxkit(["inspect", "m.c", option], { files })).err, /^m\.c:1:1: error: this text is not PTX/);
  }
});

test("a view that text does not have works for a container", async (t) => {
  const files = { "good.ptx": ".version 8.5\n.target sm_80\n.address_size 64\n.entry k() { ret; }\n" };
  const remedy = async (view: string): Promise<string | undefined> => {
    const { status, err } = await ptxkit(["inspect", "good.ptx", view], { files });
    t.is(status, 2);
    return /\nhelp: (.*)\n/.exec(err)?.[1];
  };
  for (const view of ["--occupancy", "--resource-usage"])
    t.is(await remedy(view), "compile it with ptxas -v, or inspect the cubin that ptxas makes of it");
  t.is(await remedy("--constants"), "make an object of it, which has: ptxkit as good.ptx");
  t.is(await remedy("--debug-line"), "make an image of it, which has: ptxkit link --debug-line good.ptx -o IMAGE");
});

test("--extract of a file without contents says what the file is, with a place in it", async (t) => {
  const files = {
    empty: Uint8Array.of(),
    noise: Uint8Array.of(1, 2, 3, 0, 255),
    "k.cubin": cubinBytes("linked.sm_90.cubin"),
  };
  const answer = async (name: string): Promise<string> => {
    const { status, err } = await ptxkit(["inspect", name, "--extract", "inside"], { files });
    t.is(status, 1);
    return err.split("\n")[0]!;
  };
  t.is(await answer("empty"), "empty:0: error: empty is empty: there is nothing inside [unknown-format]");
  t.regex(await answer("noise"), /^noise:0: error: noise is neither text nor a known binary format: /);
  t.is(
    await answer("k.cubin"),
    "k.cubin:0: error: there is neither PTX nor machine code inside k.cubin [no-such-member]",
  );
});
