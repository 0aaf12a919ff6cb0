import { fileURLToPath } from "node:url";
import test from "ava";
import { ptxkit } from "./surroundings.js";

const folder = fileURLToPath(new URL("../../../testdata/walk/", import.meta.url));

test("a sweep has a row for each model and parameter, and goes on where a journal ends", async (t) => {
  const first = await ptxkit("sweep sweep.json -j 1 -o out.ndjson".split(" "), { folder });
  t.is(first.status, 0, first.err);
  const textOf = (name: string): string => new TextDecoder().decode(first.written.get(name));
  const rows = textOf("out.ndjson")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  t.deepEqual(
    rows.map(({ gpu, n, block, gridShape }) => [gpu, n, block, gridShape].join(" ")),
    ["a100", "h100"].flatMap((gpu) => [
      `${gpu} 32 32 1x1x1`,
      `${gpu} 32 64 1x1x1`,
      `${gpu} 256 32 8x1x1`,
      `${gpu} 256 64 4x1x1`,
    ]),
  );
  const [head, one, two] = textOf("out.ndjson.journal").split("\n");
  const files = { "out.ndjson.journal": [head, one, two, ""].join("\n") };
  const second = await ptxkit("sweep sweep.json -j 1 -o out.ndjson".split(" "), { folder, files });
  t.regex(second.err, /2 of 8 runs are in out\.ndjson\.journal/);
  t.deepEqual(second.written.get("out.ndjson"), first.written.get("out.ndjson"));
});

test("a launch that fits no run is reported once, with its place in the specification, before any run", async (t) => {
  const launchAt = (launch: string): string =>
    `{ "inputs": ["scale.ptx", "table.ptx"],\n  "gpus": ["t4", "a100"],\n  "launch": ${launch} }`;
  for (const [launch, said] of [
    ["{}", /^s\.json:3:13: error: the specification has no launches /],
    [
      '{\n "launches": [{ "kernel": "scle", "grid": [1], "block": [1] }] }',
      /^s\.json:4:27: error: there is no kernel 'scle' /,
    ],
    [
      '{\n "launches": [{ "kernel": "scale", "grid": [1], "block": [2000] }] }',
      /^s\.json:4:59: error: block's x must be /,
    ],
    [
      '{\n "launches": [{ "kernel": "scale", "gird": [1], "grid": [1], "block": [1] }] }',
      /^s\.json:4:36: error: a launch has an unknown member 'gird'/,
    ],
    [
      '{\n "launches": [{ "kernel": "scale", "grid": [1], "block": [1], "args": [{ "buffer": "é" }] }] }',
      /^s\.json:4:84: error: there is no buffer 'é'/,
    ],
  ] as const) {
    const { status, out, err } = await ptxkit(["sweep", "s.json"], { folder, files: { "s.json": launchAt(launch) } });
    t.deepEqual([status, out], [1, ""], launch);
    t.regex(err, said);
    t.is(err.match(/ error: /g)?.length, 1, err);
  }
});

test("an error in a specification is reported, and a run that fails is a row", async (t) => {
  const wrong = await ptxkit(["sweep", "s.json"], { folder, files: { "s.json": "{}" } });
  t.is(wrong.status, 1);
  t.regex(wrong.err, /s\.json.*"inputs" has to be a list of files/);
  for (const [text, said] of [
    ['{\n "inputs": [', /^s\.json:2:13: error: it is not JSON /],
    ["", /^s\.json:1:1: error: it is not JSON /],
    [
      '{\n "inputs": ["a.ptx"],\n "gpus": ["h201"],\n "launch": {}\n}',
      /^s\.json:3:11: error: there is no GPU model 'h201' .*\n.*\n.*\nhelp: did you mean 'h200'\?/,
    ],
    [
      '{"inputs": ["a.ptx"], "gpus": ["h200"],\n "launch": {"grid": ["=m"]}}',
      /^s\.json:2:22: error: "launch\.grid\[0\]": "=m": there is no parameter 'm' /,
    ],
  ] as const)
    t.regex((await ptxkit(["sweep", "s.json"], { folder, files: { "s.json": text } })).err, said);
  const spec = {
    inputs: ["scale.ptx", "table.ptx"],
    gpus: ["t4"],
    parameters: { block: [32, 2048] },
    launch: { launches: [{ kernel: "scale", grid: [1], block: ["=block"], args: [{ u64: 0 }, { u32: 0 }] }] },
  };
  const failed = await ptxkit(["sweep", "s.json", "-j", "1"], { folder, files: { "s.json": JSON.stringify(spec) } });
  t.is(failed.status, 3, failed.err);
  t.regex(failed.out, /\r\nt4,2048,.*block's x must be/);
  const unknown = await ptxkit(["sweep", "s.json"], {
    folder,
    files: { "s.json": JSON.stringify({ ...spec, gpus: ["t5"] }) },
  });
  t.is(unknown.status, 2);
});
