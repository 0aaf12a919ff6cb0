// The JSON that commands print, and the launch and sweep specifications of testdata, conform to the schemas in
// docs/schemas, which allow no other keys.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv, type ValidateFunction } from "ajv";
import test from "ava";
import { launchColumns, PROBLEM } from "../lib/report/sweep/sweep-columns.js";
import { ptxkit } from "./cli/surroundings.js";
import { sample } from "./sample.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string): Buffer => readFileSync(`${root}testdata/${name}`);
const json = (text: string): unknown => JSON.parse(text);

function schema(name: string): ValidateFunction {
  const ajv = new Ajv({ allErrors: true, strict: false });
  return ajv.compile(json(readFileSync(`${root}docs/schemas/${name}.schema.json`, "utf8")) as object);
}

const files = {
  "a.cubin": read("inspect/resources/kernels.sm_90.cubin"),
  "b.cubin": read("inspect/resources/kernels.sm_75.cubin"),
  "old.cubin": read("inspect/cubins/early.sm_75.cubin"),
  "gnu.a": read("containers/gnu.a"),
  program: read("containers/program"),
  "scale.ptx": read("walk/scale.ptx"),
  "wave.ll": read("walk/wave.ll"),
};

test("inspect", async (t) => {
  const fits = schema("inspect");
  const views = "--header --sections --symbols --relocations --info --kernels --layout --sizes".split(" ");
  const commands = [
    ...Object.keys(files).map((name) => [name]),
    ...["a.cubin", "old.cubin", "gnu.a", "program"].map((name) => [name, ...views]),
    ["a.cubin", "--resource-usage", "--verify", "-x", ".nv.constant3"],
    ["program", "--loads-on", "sm_90"],
    ["gnu.a", "--verify"],
    ["gnu.a", "--list"],
    ["program", "--compare-images"],
    ["a.cubin", "--occupancy", "--constants", "--debug-line"],
    ["scale.ptx", "--disassemble"],
    ["a.cubin", "gnu.a"],
  ];
  for (const words of commands) {
    const { out, err } = await ptxkit(["inspect", ...words, "--json"], { files });
    t.true(fits(json(out)), `${words.join(" ")}: ${JSON.stringify(fits.errors?.slice(0, 3))} ${err}`);
  }
  t.false(
    fits({
      ptxkit: { version: "1" },
      file: "a",
      kind: "cubin-object",
      size: 1,
      damaged: false,
      shortened: false,
      x: 1,
    }),
  );
});

test("diff", async (t) => {
  const fits = schema("diff");
  const { out } = await ptxkit(["diff", "a.cubin", "b.cubin", "--json"], { files });
  t.true(fits(json(out)), JSON.stringify(fits.errors?.slice(0, 3)));
  t.false(fits({}));
});

const linked = {
  "a.ptx": `.version 8.5
.target sm_80
.address_size 64
.extern .func (.param .b32 r) _ZN3ray5shadeEi(.param .b32 x);
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);
.extern .func (.param .b32 r) absent(.param .b32 x);
.visible .global .u32 table[4] = {1, 2, 3, 4};
.visible .global .u32 unused;
.const .f32 half = 0f3F000000;
.extern .shared .align 4 .b8 dynamic[];
.func again(.param .b32 n) { .param .b32 m; .local .b8 t[8]; { call again, (m); } ret; }
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<3>; .reg .f32 %f; .reg .b64 %a;
  .param .b32 r; .param .b32 x; .shared .align 4 .b32 s[8];
  st.shared.u32 [s], 1;
  st.shared.u32 [dynamic], 1;
  ld.const.f32 %f, [half];
  ld.global.u32 %r1, [table];
  call (r), _ZN3ray5shadeEi, (x);
  call again, (x);
  call (r), absent, (x);
  ret;
}
`,
  "b.ptx": `.version 8.5
.target sm_80
.address_size 64
.weak .global .u32 table[4] = {1, 2, 3, 4};
.visible .func (.param .b32 r) _ZN3ray5shadeEi(.param .b32 x) { ret; }
`,
};

test("link: reports and maps", async (t) => {
  const [reports, map] = [schema("link"), schema("map")];
  const two = ["a.ptx", "b.ptx", "--unresolved-symbols", "ignore-all"];
  const lenient = [...two, "--defsym", "other=table"];
  const reporting =
    "--trace --why-extract - --gc-sections --print-gc-sections --cref --print-dependencies --print-memory-usage --print-call-graph --stats";
  const asked = ["k", "unused", "nowhere"].flatMap((name) => ["--why-live", name, "--trace-symbol", name]);
  const { out, err } = await ptxkit(["link", ...lenient, ...reporting.split(" "), ...asked, "-o", "x.img", "--json"], {
    files: linked,
  });
  const document = json(out) as object;
  t.true(reports(document), JSON.stringify(reports.errors?.slice(0, 3)) + err);
  const { properties } = json(readFileSync(`${root}docs/schemas/link.schema.json`, "utf8")) as { properties: object };
  t.deepEqual(Object.keys(document).toSorted(), Object.keys(properties).toSorted());
  t.false(reports({ trace: [1] }));
  for (const words of [lenient, [...lenient, "--gc-sections"], ["a.ptx", "b.ptx", "-r"], [...two, "--emit", "ptx"]]) {
    const { written, err } = await ptxkit(["link", ...words, "-o", "x", "--map", "x.json"], { files: linked });
    const text = Buffer.from(written.get("x.json") ?? []).toString();
    t.true(map(json(text)), `${words.join(" ")}: ${JSON.stringify(map.errors?.slice(0, 3))} ${err}`);
  }
  t.false(map({ format: "ptxkit-map" }));
});

test("diagnostics", async (t) => {
  const fits = schema("diagnostics");
  for (const words of [
    ["check", "wrong.ptx"],
    ["check", "absent.ptx"],
    ["link", "scale.ptx", "-o", "x.img"],
    ["inspect", "cut.cubin"],
  ]) {
    const { err } = await ptxkit([...words, "--diagnostics", "json"], {
      files: {
        ...files,
        "wrong.ptx": ".version 8.0\n.target sm_80\n.func f() { add.u32 %r1; }",
        "cut.cubin": files["a.cubin"].subarray(0, 3000),
      },
    });
    t.true(fits(json(err)), `${words.join(" ")}: ${JSON.stringify(fits.errors?.slice(0, 3))}`);
    t.true((json(err) as { readonly diagnostics: readonly unknown[] }).diagnostics.length > 0);
  }
});

test("launch specifications", (t) => {
  const fits = schema("launch");
  const programs = readdirSync(`${root}testdata/programs`, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  let count = 0;
  for (const { name } of sample(programs, 8, { name: ({ name }) => name })) {
    const folder = `${root}testdata/programs/${name}`;
    if (!readdirSync(folder).includes("launch.json")) continue;
    t.true(
      fits(json(readFileSync(`${folder}/launch.json`, "utf8"))),
      `${name}: ${JSON.stringify(fits.errors?.slice(0, 3))}`,
    );
    count++;
  }
  t.true(count > 0);
  const launch = { kernel: "k", grid: [1], block: [1] };
  t.true(fits({ launches: [launch] }));
  for (const wrong of [
    {},
    { launches: [{ ...launch, grid: [] }] },
    { launches: [{ ...launch, grids: [1] }] },
    { launches: [{ ...launch, args: [7] }] },
  ])
    t.false(fits(wrong), JSON.stringify(wrong));
});

const racy = `.version 8.5
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .pred %q;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  st.global.u32 [%rd1], %r1;
  setp.gt.u32 %q, %r1, 64;
  @%q st.global.u32 [%rd1+4096], %r1;
  ret;
}
`;

test("run, with a model, a sanitizer and a fault", async (t) => {
  const fits = schema("run");
  const spec = (threads: number): string =>
    JSON.stringify({
      buffers: { x: { type: "u32", length: 4 } },
      launches: [{ kernel: "k", grid: [1], block: [threads], args: [{ buffer: "x" }] }],
      outputs: ["x"],
    });
  const run = { ...files, "k.ptx": racy, "fine.json": spec(64), "faulty.json": spec(128) };
  for (const [how, ...members] of [
    [["--launch", "fine.json"], "launches"],
    [["--launch", "fine.json", "--gpu", "h200"], "launches"],
    [["--launch", "fine.json", "--sanitize"], "findings"],
    [["--launch", "faulty.json", "--gpu", "h200"], "fault"],
  ] as const) {
    const { out, err } = await ptxkit(["run", "k.ptx", ...how, "--json"], { files: run });
    const document = json(out) as Record<string, unknown>;
    t.true(fits(document), `${how.join(" ")}: ${JSON.stringify(fits.errors?.slice(0, 3))} ${err}`);
    for (const member of members) t.true(member in document);
  }
  t.false(fits({ launches: [] }));
});

test("gpus", async (t) => {
  const fits = schema("gpus");
  const { out } = await ptxkit(["gpus", "h200", "--json"], { files });
  t.true(fits(json(out)), JSON.stringify(fits.errors?.slice(0, 3)));
  t.false(fits([{}]));
});

test("sweep specifications", async (t) => {
  const fits = schema("sweep");
  const walk = json(read("walk/sweep.json").toString()) as { readonly launch: object };
  t.true(fits(walk), JSON.stringify(fits.errors?.slice(0, 3)));
  const launch = { kernel: "k", grid: ["=ceil(n / 32)", 1], block: [32], sharedBytes: "=4 * n", args: [{ u32: "=n" }] };
  t.true(fits({ ...walk, launch: { launches: [launch] } }), JSON.stringify(fits.errors?.slice(0, 3)));
  for (const wrong of [
    {},
    { ...walk, gpus: [] },
    { ...walk, runs: 3 },
    { ...walk, parameters: { "a b": [1] } },
    { ...walk, parameters: { cycles: [1] } },
    { ...walk, parameters: { n: ["1"] } },
    { ...walk, launch: { launches: [{ ...launch, grid: ["n"] }] } },
    { ...walk, launch: { ...walk.launch, buffer: {} } },
  ])
    t.false(fits(wrong), JSON.stringify(wrong));
  const { sweepSchema } = (await import(new URL("../../.ci/sweep-schema.mjs", import.meta.url).href)) as {
    sweepSchema: (launch: unknown, reserved: readonly string[]) => unknown;
  };
  const stored = (name: string): unknown => json(readFileSync(`${root}docs/schemas/${name}.schema.json`, "utf8"));
  t.deepEqual(stored("sweep"), sweepSchema(stored("launch"), [...launchColumns, PROBLEM]), "npm run schemas");
});

test("results of sweeps", async (t) => {
  const fits = schema("sweep-results");
  const walk = json(read("walk/sweep.json").toString()) as { readonly parameters: object };
  const small = { ...walk, gpus: ["h200"], parameters: { n: [32, -1], block: [32] } };
  const { out, err } = await ptxkit("sweep s.json --format json".split(" "), {
    files: { ...files, "table.ptx": read("walk/table.ptx"), "s.json": JSON.stringify(small) },
  });
  const document = json(out) as { readonly rows: readonly Readonly<Record<string, unknown>>[] };
  t.true(fits(document), `${JSON.stringify(fits.errors?.slice(0, 3))} ${err}`);
  const [good, failed] = document.rows;
  t.deepEqual(Object.keys(good!), ["gpu", "n", "block", ...launchColumns.slice(1)]);
  t.deepEqual(Object.keys(failed!), ["gpu", "n", "block", PROBLEM]);
  const { cycles: _, ...rest } = good!;
  for (const wrong of [{}, { rows: [rest] }, { rows: [{ ...good, advice: 7 }] }, { rows: [], more: 1 }])
    t.false(fits(wrong), JSON.stringify(wrong));
});
