// The library in browsers (docs/api.md, "In a browser"): the package's bundle imports nothing, other bundlers can use
// it for browsers and Node without configuration, and in headless chromium it links, inspects, runs and times texts.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { build, type BuildOptions } from "esbuild";
import { hasChromium, inChromium } from "./chromium.js";
import { testWith } from "./tools.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The package, bundled into a program that depends on it. */
async function bundled(
  code: string,
  options: BuildOptions,
): Promise<{ readonly imports: readonly string[]; readonly code: string; readonly warnings: number }> {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-bundled-"));
  try {
    mkdirSync(path.join(folder, "node_modules"));
    writeFileSync(path.join(folder, "package.json"), "{}");
    symlinkSync(root, path.join(folder, "node_modules/ptxkit"), "junction");
    const { metafile, outputFiles, warnings } = await build({
      stdin: { contents: code, resolveDir: folder },
      bundle: true,
      write: false,
      metafile: true,
      logLevel: "silent",
      preserveSymlinks: true,
      ...options,
    });
    const imports = Object.values(metafile!.outputs).flatMap((output) => output.imports.map((each) => each.path));
    return { imports, code: outputFiles![0]!.text, warnings: warnings.length };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const entry of ["ptxkit", "ptxkit/browser", "ptxkit/formats/elf"]) {
  test(`${entry} is bundled for browsers and for Node, and imports nothing`, async (t) => {
    const code = `export * from "${entry}"`;
    for (const options of [
      { platform: "browser", format: "esm" },
      { platform: "node", format: "esm" },
      { platform: "node", format: "cjs" },
    ] as const) {
      const { imports, warnings } = await bundled(code, options);
      t.deepEqual(imports, [], JSON.stringify(options));
      t.is(warnings, 0);
    }
  });
}

/** What the page does, as a playground would, and the results as JSON. */
const work = `
import * as ptxkit from "/ptxkit.js";

const head = ".version 8.5\\n.target sm_80\\n.address_size 64\\n";
const kernel = head + \`.extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 arguments);
.extern .global .u32 calls;
.global .align 1 .b8 hello[7] = { 104, 101, 108, 108, 111, 10, 0 };
.visible .entry grow(.param .u64 x, .param .f32 by)
{
  .reg .u64 %p, %step; .reg .u32 %i, %n, %old; .reg .f32 %a, %b; .reg .pred %q; .reg .b64 %text;
  ld.param.u64 %p, [x];
  ld.param.f32 %b, [by];
  mov.u32 %i, %tid.x;
  mul.wide.u32 %step, %i, 4;
  add.u64 %p, %p, %step;
  ld.global.f32 %a, [%p];
  mov.u32 %n, 0;
again:
  fma.rn.f32 %a, %b, 0f3F800000, %a;
  add.u32 %n, %n, 1;
  setp.lt.u32 %q, %n, 2000;
  @%q bra again;
  st.global.f32 [%p], %a;
  atom.global.add.u32 %old, [calls], 1;
  mov.u64 %text, hello;
  cvta.global.u64 %text, %text;
  { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %text; st.param.b64 [a], 0; call (r), vprintf, (f, a); }
  ret;
}
\`;
const counter = head + ".visible .global .u32 calls = 40;\\n";
const llvm = \`target triple = "nvptx64-nvidia-cuda"
define void @seven(i32* %p) {
  store i32 7, i32* %p
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (i32*)* @seven, !"kernel", i32 1}
\`;
const bytes = (text) => new TextEncoder().encode(text);

export default async function work() {
  const sink = ptxkit.createSink();
  const wrong = bytes(head + ".visible .global .u33 x;\\n");
  ptxkit.checkSource({ name: "wrong.ptx", bytes: wrong }, sink);
  const said = ptxkit.renderText(sink.all, { readText: () => wrong });

  const image = ptxkit.linkSources({ "kernel.ptx": kernel, "counter.ptx": counter, "seven.ll": llvm });
  const file = ptxkit.writeObject(image);
  const other = ptxkit.createSink();
  const objects = [kernel, counter].map((text, i) => {
    const { object } = ptxkit.openInput({ name: i + ".ptx", bytes: bytes(text) }, other);
    return ptxkit.openInput({ name: i + ".o", bytes: ptxkit.writeObject(object) }, other).object;
  });
  const again = ptxkit.demand(ptxkit.linkObjects(objects, { name: "again" }, other), other);
  const { inspection } = ptxkit.inspectFile({ name: "image", bytes: file }, { views: [] }, other);

  let printed = "";
  const device = ptxkit.openDevice(image, { threads: 4, onPrint: (more) => (printed += more) });
  const x = device.alloc(Float32Array.of(1, 2, 3, 4));
  const { fault } = await device.launch("grow", { grid: 1, block: 4, args: [x, { f32: 0.5 }] });
  const out = device.alloc(4);
  await device.launch("seven", { grid: 1, block: 1, args: [out] });

  const timed = ptxkit.openDevice(image, { time: ptxkit.timedOn(ptxkit.findGpu("h100")) });
  const { timing } = await timed.launch("grow", { grid: 1, block: 4, args: [timed.alloc(16), { f32: 0.5 }] });

  const spec = {
    buffers: { out: { type: "u32", length: 2 } },
    launches: [{ kernel: "seven", grid: [1], block: [1], args: [{ buffer: "out" }] }],
    outputs: ["out"],
  };
  const asked = ptxkit.demand(ptxkit.readLaunchSpec({ name: "spec.json", bytes: bytes(JSON.stringify(spec)) }, other), other);
  const report = ptxkit.demand(await ptxkit.runSpec(ptxkit.loadImage(image), asked, other), other);
  return {
    said,
    image: file.length > 1000 && ptxkit.renderInspection(inspection).length > 100 && inspection.kind,
    again: again.kernels.length,
    fault: fault?.message,
    grown: [...device.read(x, Float32Array)],
    printed,
    calls: device.read(device.symbol("calls"), Uint32Array)[0],
    seven: device.read(out, Uint32Array)[0],
    isTimed: timing.cycles > 10_000,
    hex: JSON.parse(ptxkit.runJson(report)).outputs.out.hex,
  };
}
`;

testWith(hasChromium)("in chromium texts are checked, linked, inspected, run and timed", async (t) => {
  const { code } = await bundled(`export * from "ptxkit/browser"`, { platform: "browser", format: "esm" });
  t.like(await inChromium(work, { "/ptxkit.js": ["text/javascript", code] }), {
    said: "wrong.ptx:4:18: error: expected a type such as '.u32', found '.u33' [syntax]\n 4 | .visible .global .u33 x;\n   |                  ^~~~\nhelp: did you mean '.u32'?\n",
    image: "ptxkit-image",
    again: 1,
    fault: undefined,
    grown: [1001, 1002, 1003, 1004],
    printed: "hello\n".repeat(4),
    calls: 44,
    seven: 7,
    isTimed: true,
    hex: "0700000000000000",
  });
});
