// Which names are functions of the driver, and which uses of them are refused: ours compared with nvlink 13.0, which
// leaves them undefined, and ptxas 13.0, which refuses to take the address of some. With the tools installed,
// PTXKIT_UPDATE=1 npx ava test/link/driver-functions.test.ts writes the record.

import test from "ava";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDriverFunction } from "../../lib/isa/driver-functions.table.js";
import { isDeviceRuntime } from "../../lib/isa/device-runtime.table.js";
import { systemPrototypes } from "../../lib/isa/system-functions.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText } from "./build.js";
import { installed, testWith } from "../tools.js";

interface Facts {
  readonly commands: readonly string[];
  /** Functions that nvlink leaves undefined without an error. It reports the other names that were tried. */
  readonly open: readonly string[];
  readonly undefined: readonly string[];
  /** Variables of those names that nvlink leaves undefined without an error. */
  readonly openVariables: readonly string[];
  /** Functions whose address ptxas refuses to take. */
  readonly withoutAddress: readonly string[];
  /** ptxas's message for a module, without file name and line. */
  readonly says: Readonly<Record<string, string>>;
}

const record = new URL("../../../testdata/oracle/driver-functions.json", import.meta.url);
const extern = (name: string): string => `.extern .func ${name}();`;
const read = (): Facts => JSON.parse(readFileSync(record, "utf8")) as Facts;

/** Similar names, as other versions of the function might have. */
const near = (name: string): readonly string[] => [
  ...["X", "V2", "V3", "_v2", "_ptsz"].map((end) => name + end),
  name.slice(0, -1),
  `_${name}`,
];

/** Names that look like functions of the driver. */
const likely = [
  ...["printf", "puts", "memcpy", "memset", "realloc", "calloc", "abort", "exit", "__assert_fail", "__trap", "clock"],
  ...["cnp", "cnpFoo", "cnpDeviceSynchronize", "cnpMalloc", "cnpFree", "cnpMemcpyAsync", "cnpPeekAtLastError"],
  ...[
    "cudaMalloc",
    "cudaFree",
    "cudaDeviceSynchronize",
    "cudaGetLastError",
    "cudaLaunchDeviceV2",
    "cudaGetParameterBufferV2",
  ],
  ...["cudaGraphCreate", "cudaGraphInstantiate", "__cudaCDP2Malloc", "__cuda_sys", "__cuda_reloc", "__nv_cptr"],
];

const declarations = ".extern .func free(.param .b64 p);\n.extern .func other(.param .b64 p);";
const indirect = "P: .callprototype _ (.param .b64 _);\n{ .param .b64 a; call %d, (a), P; }";
/** Ways in which a module refers to a function of the driver. */
const forms: Readonly<Record<string, string>> = {
  call: ".visible .entry k() { { .param .b64 a; call free, (a); } ret; }",
  "in an initialiser": ".visible .global .u64 t = free;",
  "in one of constants, behind another": ".visible .const .u64 t[2] = { other, free };",
  "in one that nothing uses": ".global .u64 t = free;",
  "a byte of it": ".visible .global .u8 t = 0xff00(free);",
  "in a variable of a function": ".visible .func f() { .global .u64 t = free; .reg .u64 %d; mov.u64 %d, t; ret; }",
  "in code": ".visible .entry k() { .reg .u64 %d; mov.u64 %d, free; ret; }",
  "in code, after another": ".visible .entry k() { .reg .u64 %d; mov.u64 %d, other; mov.u64 %d, free; ret; }",
  "in a function that nothing calls": ".func f() { .reg .u64 %d; mov.u64 %d, free; ret; }",
  "to call it": `.visible .entry k() { .reg .u64 %d; mov.u64 %d, free;\n${indirect} ret; }`,
  "as one of several targets":
    ".visible .entry k(.param .u64 q) { .reg .u64 %d; ld.param.u64 %d, [q];\nT: .calltargets free, other;\n{ .param .b64 a; call %d, (a), T; } ret; }",
};
/** Ways in which a module defines a function of that name. */
const defined: Readonly<Record<string, string>> = {
  "its own in an initialiser": ".visible .func free(.param .b64 p) { ret; }\n.visible .global .u64 t = free;",
  "its own in code":
    ".weak .func free(.param .b64 p) { ret; }\n.visible .entry k() { .reg .u64 %d; mov.u64 %d, free; ret; }",
};
const modules: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(forms).map(([what, text]) => [what, `${declarations}\n${text}`])),
  ...defined,
};

/**
 * What the tools answer; undefined without them. `known` lists functions without an address, which saves a search one
 * by one.
 */
function observe(names: readonly string[], known: readonly string[]): Facts | undefined {
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-driver-"));
  const commands = ["ptxas -c -arch=sm_80 in.ptx -o in.cubin", "nvlink -arch=sm_80 in.cubin -o out"] as const;
  const run = (command: string) => {
    const [tool, ...rest] = command.split(" ");
    return spawnSync(tool!, rest, { cwd: folder, encoding: "utf8" });
  };
  const compiled = (body: string) => {
    writeFileSync(join(folder, "in.ptx"), moduleText(body));
    return run(commands[0]);
  };
  const refused = (body: string): ReadonlySet<string> => {
    compiled(body);
    const { stderr, stdout } = run(commands[1]);
    return new Set(Array.from((stderr + stdout).matchAll(/Undefined reference to '([^']+)'/g), (found) => found[1]!));
  };
  try {
    const calls = names.map((name) => `call ${name};`).join("\n");
    const missing = refused(`${names.map(extern).join("\n")}\n.visible .entry k() {\n${calls}\nret; }`);
    const variables = names.map((name) => `.extern .global .u32 ${name};`).join("\n");
    const loads = names.map((name) => `ld.global.u32 %r, [${name}];\nst.global.u32 [${name}], %r;`).join("\n");
    const missingVariables = refused(`${variables}\n.visible .entry k() {\n.reg .u32 %r;\n${loads}\nret; }`);
    const withoutAddress = [...known];
    for (;;) {
      // ptxas names the first such function.
      const left = names.filter((name) => !withoutAddress.includes(name));
      const list = `.visible .global .u64 t[${left.length}] = { ${left.join(", ")} };`;
      const { status, stderr } = compiled(`${left.map(extern).join("\n")}\n${list}`);
      if (status === 0) break;
      withoutAddress.push(/Cannot take address of function '([^']+)'/.exec(stderr)![1]!);
    }
    return {
      commands,
      open: names.filter((name) => !missing.has(name)),
      undefined: names.filter((name) => missing.has(name)),
      openVariables: names.filter((name) => !missingVariables.has(name)),
      withoutAddress: withoutAddress.toSorted(),
      says: Object.fromEntries(Object.entries(modules).map(([what, body]) => [what, compiled(body).stderr.trim()])),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

testWith(installed("ptxas", "nvlink"))("ptxas and nvlink answer as recorded", (t) => {
  const known = process.env["PTXKIT_UPDATE"] === "1" ? undefined : read();
  const tried = known === undefined ? [...read().open, ...read().undefined] : [...known.open, ...known.undefined];
  const facts = observe(tried.toSorted(), known?.withoutAddress.slice(4) ?? []);
  if (known === undefined) writeFileSync(record, `${JSON.stringify(facts, undefined, 1)}\n`);
  t.deepEqual(facts, known ?? facts);
});

test("the table has every driver function that the tools know, and none of the neighbouring names", (t) => {
  const { open, undefined: missing, openVariables, withoutAddress } = read();
  for (const name of open) t.true(isDriverFunction(name), name);
  for (const name of missing) t.false(isDriverFunction(name), name);
  t.deepEqual(withoutAddress, open);
  t.deepEqual(openVariables, []);
  const tried = new Set([...open, ...missing]);
  for (const name of [...open.flatMap(near), ...likely])
    t.true(tried.has(name) || name.includes("__cuda_syscall"), name);
  for (const name of systemPrototypes[64].keys()) t.true(isDeviceRuntime(name) || open.includes(name), name);
});

for (const [what, body] of Object.entries(modules))
  test(`a driver function, ${what}`, async (t) => {
    const files = { "a.ptx": moduleText(body) };
    const [checked, fromText] = await Promise.all([
      ptxkit(["check", "a.ptx"], { files }),
      ptxkit(["link", "a.ptx", "-o", "out", "--unresolved-symbols", "ignore-all"], { files }),
    ]);
    t.is(fromText.err, checked.err);
    if (read().says[what] === "") {
      t.deepEqual([checked.status, checked.err, fromText.status], [0, "", 0]);
      return;
    }
    t.is(read().says[what], "ptxas fatal   : Cannot take address of function 'free'");
    t.deepEqual([checked.status, fromText.status], [1, 1]);
    const [line, column] = placeOfUse(moduleText(body));
    const message = "'free' is a function of the driver and has no address; it can only be called";
    const [first, ...rest] = checked.err.split("\n");
    t.is(first, `a.ptx:${line}:${column}: error: ${message} [driver-address]`);
    t.true(rest.includes("a.ptx:4:15: note: it is declared here"), checked.err);
    t.true(rest.includes("help: define a function that calls free, and take that one's address"), checked.err);
  });

/** Line and column, from 1, of the last `free`. */
function placeOfUse(text: string): readonly [number, number] {
  const before = text.slice(0, text.lastIndexOf("free")).split("\n");
  return [before.length, before.at(-1)!.length + 1];
}

test("a variable that is called as a driver function is undefined, in ordinary links and others", async (t) => {
  const files = {
    "a.ptx": moduleText(
      ".extern .global .u32 cnpGetDevice;\n.visible .entry k() { .reg .u32 %r; ld.global.u32 %r, [cnpGetDevice]; ret; }",
    ),
  };
  for (const options of [[], ["--wrap", "nobody"]]) {
    const { status, err } = await ptxkit(["link", "a.ptx", "-o", "out", ...options], { files });
    t.is(status, 1);
    t.regex(err, /^a\.ptx:5:\d+: error: undefined symbol: cnpGetDevice \[undefined-symbol\]$/m);
  }
});

test("a name that only resembles a driver function's is undefined", async (t) => {
  const files = { "a.ptx": moduleText(`${extern("cnpFoo")}\n.visible .entry k() { call cnpFoo; ret; }`) };
  for (const options of [[], ["--wrap", "nobody"]]) {
    const { status, err } = await ptxkit(["link", "a.ptx", "-o", "out", ...options], { files });
    t.is(status, 1);
    t.regex(err, /undefined symbol: cnpFoo \[undefined-symbol\]/);
  }
});
