// A model from a user's file, and the words in which the time's bound is given.

import test from "ava";
import { gpuFromJson } from "../../lib/timing/gpus/custom-gpu.js";
import { findGpu, gpuModels } from "../../lib/timing/gpus/gpus.js";
import type { GpuModel } from "../../lib/timing/gpus/model.js";
import { timeLimit, type Known } from "../../lib/timing/result/time-limit.js";

test("a file overrides figures of the model that it extends", (t) => {
  const answer = gpuFromJson(`{ "extends": "H100", "name": "mine", "sms": 114, "l2": { "mebibytes": 48 } }`);
  const model = answer.ok ? answer.model : undefined;
  const h100 = findGpu("h100");
  t.deepEqual(model, { ...h100, name: "mine", sms: 114, l2: { ...h100.l2, mebibytes: 48 } } as never);
});

for (const [text, problem] of [
  ["{", /it is not JSON/],
  ["[]", /not a JSON object/],
  [`{ "sms": 3 }`, /"extends" has to name a model: v100/],
  [`{ "extends": "h100", "smss": 3 }`, /no "smss"/],
  [`{ "extends": "h100", "l2": { "mebibytes": -1 } }`, /"l2.mebibytes" has to be a number/],
  [`{ "extends": "h100", "l2": { "partitions": 0 } }`, /"l2.partitions" has to be a whole number of at least 1/],
  [`{ "extends": "h100", "l2": { "ways": 1.5 } }`, /"l2.ways" has to be a whole number of at least 1/],
  [`{ "extends": "h100", "dram": { "gigabytesPerSecond": 0 } }`, /has to be a number above 0/],
  [`{ "extends": "h100", "l2": 3 }`, /"l2" has to be an object/],
  [`{ "extends": "h100", "limits": { "sharedConfigsKiB": ["a"] } }`, /has to be a list of numbers/],
] as const)
  test(`refused: ${text}`, (t) => {
    const answer = gpuFromJson(text);
    t.regex(answer.ok ? "" : answer.problem, problem);
  });

test("each model of ptxkit is accepted as a file that extends itself", (t) => {
  for (const model of gpuModels) {
    const answer = gpuFromJson(JSON.stringify({ extends: model.name, ...model }));
    t.deepEqual(answer, { ok: true, model: JSON.parse(JSON.stringify(model)) as GpuModel });
  }
});

test("the limit of a launch: the exhausted resource, or why there is none", (t) => {
  const idle = Object.fromEntries(
    ["lg_throttle", "mio_throttle", "drain"].map((name) => [name, 0]),
  ) as unknown as Known["stalls"];
  const known = (changes: { compute?: number; memory?: number; blocks?: number; theoretical?: number }): Known =>
    ({
      throughput: { compute: changes.compute ?? 0.1, memory: changes.memory ?? 0.1 },
      stalls: idle,
      blocks: changes.blocks ?? 1000,
      occupancy: { theoretical: changes.theoretical ?? 1 },
    }) as unknown as Known;
  t.is(timeLimit(known({ compute: 0.9, memory: 0.7 }), 132), "compute");
  t.is(timeLimit(known({ memory: 0.9 }), 132), "memory");
  t.is(timeLimit(known({ blocks: 8 }), 132), "launch");
  t.is(timeLimit(known({ theoretical: 0.1 }), 132), "occupancy");
  t.is(timeLimit(known({}), 132), "latency");
});
