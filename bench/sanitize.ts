// Runs the test programs with the sanitizer: reports its findings, and its CPU time relative to the fast engine. All of the
// programs are correct, so each finding is a false alarm, or a race that the program contains on purpose.
//
//   node dist/bench/sanitize.js [NAME...]
//   node dist/bench/sanitize.js --kernels [NAME...] the kernels of bench/engine.ts: warp instructions per second

import { openDevice } from "../lib/exec/device/device.js";
import { kernelImage, kernels } from "./kernels.js";
import { linkProgram, programNames, runProgram } from "../test/programs/program.js";

const cpuSeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

/** Fraction of the grid for the reference engine, which runs for a second or less. */
const SHARE = 1 / 64;

/**
 * Million warp instructions per second of CPU time, the best of three launches. For each engine, without and with the sanitizer;
 * the latter consists of the screening and the second pass.
 */
async function measureKernels(names: readonly string[]): Promise<void> {
  const words = 16384 * 256;
  const image = kernelImage();
  for (const { kernel, grid, block, n } of kernels) {
    if (names.length > 0 && !names.includes(kernel)) continue;
    const rates: number[] = [];
    for (const options of [
      { engine: "fast" },
      { engine: "reference" },
      { engine: "fast", sanitize: true },
      { engine: "reference", sanitize: true },
    ] as const) {
      const device = openDevice(image);
      const args = [0, 1, 2].map(() => device.alloc(4 * words));
      const shape = options.engine === "fast" ? grid : ([Math.ceil(grid[0] * SHARE), Math.min(grid[1], 4)] as const);
      let best = 0;
      for (let round = 0; round < 3; round++) {
        const start = process.cpuUsage();
        const result = await device.launch(kernel, {
          grid: shape,
          block,
          args: [...args, { type: "u32", value: n }],
          ...options,
        });
        best = Math.max(best, result.warpInstructions / cpuSeconds(start) / 1e6);
      }
      rates.push(best);
    }
    const [fast, reference, screened, reported] = rates as [number, number, number, number];
    console.log(
      `${kernel}: fast ${fast.toFixed(1)}, reference ${reference.toFixed(2)}, screened ${screened.toFixed(1)}, second pass ${reported.toFixed(3)} M/s; screened takes ${(fast / screened).toFixed(1)} times the fast engine's time, the second pass ${(fast / reported).toFixed(0)} times, and ${(reference / reported).toFixed(1)} times the reference engine's`,
    );
  }
}

if (process.argv[2] === "--kernels") {
  await measureKernels(process.argv.slice(3));
  process.exit();
}

const wanted = process.argv.slice(2);
let alarms = 0;
for (const name of wanted.length > 0 ? wanted : programNames) {
  const folder = `programs/${name}`;
  const image = linkProgram(folder);
  const timed = async (options: Parameters<typeof runProgram>[2]) => {
    const start = process.cpuUsage();
    const { report, comparisons } = await runProgram(folder, image, options);
    return { report, wrong: comparisons.some(({ mismatches }) => mismatches > 0), ms: 1000 * cpuSeconds(start) };
  };
  const fast = await timed({});
  try {
    const sanitized = await timed({ sanitize: {} });
    const { findings = [], fault } = sanitized.report;
    alarms += findings.length;
    const cost = (sanitized.ms / fast.ms).toFixed(1);
    console.log(
      `${name}: ${findings.length} findings, ${sanitized.ms.toFixed(0)} ms, ${cost} times the fast engine${sanitized.wrong ? ", WRONG RESULT" : ""}${fault === undefined ? "" : `, fault ${fault.message}`}`,
    );
    for (const { kind, message, file, line, ptx, other, count } of findings.slice(0, 6))
      console.log(
        `  ${kind} ${file}:${line} [${ptx.line} ${ptx.instruction}] ${message} x${count}${other === undefined ? "" : ` / ${other.file}:${other.line} ${other.ptx.instruction}`}`,
      );
  } catch (error) {
    alarms++;
    console.log(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
  }
}
console.log(`${alarms} findings in all`);
