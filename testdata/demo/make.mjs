// make.mjs: makes again everything here that is made: the modules nvcc compiles, launch.json, expected.json, program.json
// and the picture. Needs nvcc, ptxas and nvlink of CUDA 13.0, and g++; the tests need none of them.
//
//   node make.mjs           make, and check with ptxas and nvlink
//   node make.mjs --check   only say whether what is committed is what would be made
//
// nvcc names static symbols by a hash of the source file's path, so it compiles in a folder of a fixed name.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const work = "/tmp/still-life";
const arch = "sm_80";
const compiled = ["march", "shade", "expose", "engrave", "shapes"];
const handWritten = ["scene", "tally"];
const modules = [...compiled, ...handWritten].map((name) => `${name}.ptx`);
const flags = ["-rdc=true", "-ptx", `-arch=${arch}`, "-O3"];

const bias = 0.8;
const [width, height] = [72, 32];
const camera = {
  eye: [0, 0.5, -3.75],
  right: [1, 0, 0],
  up: [0, 0.984375, 0.176],
  forward: [0, -0.176, 0.984375],
  zoom: 1.75,
};

/** Runs a tool in the work folder, saying so, and returns what it prints; anything it says on standard error is shown. */
const tool = (name, ...args) => {
  console.log(name, ...args);
  return execFileSync(name, args, { cwd: work, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
};

mkdirSync(work, { recursive: true });
for (const file of [
  "still.cuh",
  "host.cpp",
  ...compiled.map((name) => `${name}.cu`),
  ...handWritten.map((name) => `${name}.ptx`),
]) {
  copyFileSync(path.join(here, file), path.join(work, file));
}

const made = new Map();
for (const name of compiled) {
  tool("nvcc", ...flags, `${name}.cu`, "-o", `${name}.ptx`);
  made.set(`${name}.ptx`, readFileSync(path.join(work, `${name}.ptx`), "utf8"));
  // No fused multiply-add but those that are written: without -fmad the module differs in ".rn" only.
  tool("nvcc", "-fmad=false", ...flags, `${name}.cu`, "-o", `${name}.nofmad.ptx`);
  const plain = readFileSync(path.join(work, `${name}.nofmad.ptx`), "utf8").replace(
    /\b(mul|add|sub)\.rn\.f32/g,
    "$1.f32",
  );
  if (plain !== made.get(`${name}.ptx`))
    throw new Error(`${name}.cu: a product and a sum were fused that are not written as fmaf`);
}
for (const module of modules) tool("ptxas", "-c", `-arch=${arch}`, module, "-o", module.replace(".ptx", ".o"));
tool("nvlink", `-arch=${arch}`, ...modules.map((module) => module.replace(".ptx", ".o")), "-o", "still.cubin");

const cameraBytes = new DataView(new ArrayBuffer(60));
[...camera.eye, ...camera.right, ...camera.up, ...camera.forward, camera.zoom].forEach((value, index) =>
  cameraBytes.setFloat32(4 * index, value, true),
);
cameraBytes.setUint32(52, width, true);
cameraBytes.setUint32(56, height, true);
const cameraHex = Buffer.from(cameraBytes.buffer).toString("hex");

const cells = width * height;
const perCell = { grid: [width / 8, height / 8, 1], block: [8, 8, 1] };
const buffer = (name) => ({ buffer: name });
const launch = {
  buffers: {
    depth: { type: "f32", length: cells },
    touched: { type: "u32", length: cells },
    brightness: { type: "f32", length: cells },
    picture: { type: "u8", length: cells },
  },
  symbols: { exposure_bias: { type: "f32", data: [bias] } },
  launches: [
    { kernel: "march", ...perCell, args: [{ bytes: cameraHex }, buffer("depth"), buffer("touched")] },
    {
      kernel: "shade",
      ...perCell,
      args: [{ bytes: cameraHex }, buffer("depth"), buffer("touched"), buffer("brightness")],
    },
    { kernel: "meter", grid: [cells / 256, 1, 1], block: [256, 1, 1], args: [buffer("brightness"), { u32: cells }] },
    { kernel: "expose", grid: [1, 1, 1], block: [32, 1, 1], args: [{ u32: cells }] },
    {
      kernel: "engrave",
      ...perCell,
      sharedBytes: 10 * 10 * 4,
      args: [buffer("brightness"), { u32: width }, { u32: height }, buffer("picture")],
    },
  ],
  outputs: [
    "picture",
    "depth",
    "touched",
    "brightness",
    "symbol:tallies",
    "symbol:histogram",
    "symbol:exposure",
    "symbol:asked@scene.ptx",
    "symbol:asked@tally.ptx",
  ],
};
made.set("launch.json", JSON.stringify(launch, null, 2) + "\n");

tool("g++", "-std=c++17", "-O1", "-ffp-contract=off", "host.cpp", "-o", "host");
made.set("expected.json", tool("./host", cameraHex, String(bias)));
made.set("picture.txt", tool("./host", cameraHex, String(bias), "--picture"));

const program = {
  title: "A still life in ASCII: a ray marcher of seven modules",
  exercises: [
    "functions and variables across modules",
    "weak template instances",
    "common symbols",
    "static symbols of the same name",
    "constant tables",
    "indirect calls through a table of function pointers",
    "pointers in initialisers",
    "pointers cut into bytes by mask()",
    "static and dynamic shared memory",
    "barriers",
    "shuffle, vote and match",
    "atomics",
    "device printf",
    "structures by value",
  ],
  modules,
  arch,
  flags,
};
made.set("program.json", JSON.stringify(program, null, 2) + "\n");

const checking = process.argv.includes("--check");
for (const [file, text] of made) {
  const target = path.join(here, file);
  if (!checking) writeFileSync(target, text);
  else if (readFileSync(target, "utf8") !== text) {
    console.error(`${file} is not what make.mjs makes`);
    process.exitCode = 1;
  }
}
