// Measures the cost of a start: CPU time (user and system) of each command on a small input, compared with `node -e 0` in the
// same run. The goals are 1.5 times that for --version and 2.5 times for check. Every round runs all of them in turn, so that
// other work on the machine affects all alike; a row shows the least and the median of all rounds. Needs `npm run build`. Usage:
// node dist/bench/start.js [ROUNDS]

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const rounds = Number(process.argv[2] ?? 20);
const program = fileURLToPath(new URL("../cli/main.js", import.meta.url));
const walk = fileURLToPath(new URL("../../testdata/walk/", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-start-"));
const own = (name: string): string => path.join(folder, name);

const launch = "-k scale -g 1 -b 32 -a f32[8]=iota -a u32=8".split(" ");
/** In this order: later commands read the outputs of earlier ones. */
const commands: readonly (readonly [what: string, words: readonly string[]])[] = [
  ["node -e 0", ["-e", "0"]],
  ["--version", [program, "--version"]],
  ["--help", [program, "--help"]],
  ["check scale.ptx", [program, "check", "scale.ptx"]],
  ["as scale.ptx", [program, "as", "scale.ptx", "-o", own("scale.o")]],
  ["as table.ptx", [program, "as", "table.ptx", "-o", own("table.o")]],
  ["link two objects", [program, "link", own("scale.o"), own("table.o"), "-o", own("scale.img")]],
  ["link two modules", [program, "link", "scale.ptx", "table.ptx", "-o", own("scale.img")]],
  ["inspect an image", [program, "inspect", own("scale.img")]],
  ["run an image", [program, "run", own("scale.img"), ...launch]],
  ["run two modules", [program, "run", "scale.ptx", "table.ptx", ...launch]],
];

interface Cost {
  /** Seconds of CPU time, and of wall time. */
  readonly cpu: number;
  readonly wall: number;
}

/** Runs node once, under the shell's `time`: Node itself reports the CPU time of its own process only. */
function cost(words: readonly string[]): Cost {
  const script = 'TIMEFORMAT="%U %S %R"; time "$@" >/dev/null';
  const { status, stderr } = spawnSync("bash", ["-c", script, "time", process.execPath, ...words], { cwd: walk });
  const lines = stderr.toString().trim().split("\n");
  if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}: ${lines[0]}`);
  const [user, system, wall] = lines.at(-1)!.split(" ").map(Number) as [number, number, number];
  return { cpu: user + system, wall };
}

const costs = commands.map((): Cost[] => []);
for (let round = 0; round < rounds; round++) commands.forEach(([, words], i) => costs[i]!.push(cost(words)));
rmSync(folder, { recursive: true });

const sorted = (of: readonly Cost[], what: keyof Cost): readonly number[] =>
  of.map((each) => each[what]).toSorted((a, b) => a - b);
const least = (of: readonly Cost[], what: keyof Cost): number => sorted(of, what)[0]!;
const median = (of: readonly Cost[], what: keyof Cost): number => sorted(of, what)[of.length >> 1]!;
const milliseconds = (seconds: number): string => (seconds * 1000).toFixed(0).padStart(8);

const node = costs[0]!;
console.log(`${rounds} rounds; milliseconds of CPU time (x node -e 0), and from start to end`);
console.log(`${"".padEnd(18)}    least             median             wall`);
for (const [i, [what]] of commands.entries()) {
  const ratio = (of: typeof least): string => `(${(of(costs[i]!, "cpu") / of(node, "cpu")).toFixed(2)})`.padStart(8);
  const cpu = (of: typeof least): string => `${milliseconds(of(costs[i]!, "cpu"))}${ratio(of)}`;
  console.log(`${what.padEnd(18)} ${cpu(least)} ${cpu(median)} ${milliseconds(median(costs[i]!, "wall"))}`);
}
