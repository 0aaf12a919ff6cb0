// Runs the test programs with the sanitizer: what it finds in them, and what it costs against both engines. All of them are right, so
// that each finding is a false alarm, or shows a race that the program leaves in on purpose.
//
//   node dist/bench/sanitize.js [NAME...]

import { linkProgram, programNames, runProgram } from "../test/programs/program.js";

const wanted = process.argv.slice(2);
let alarms = 0;
for (const name of wanted.length > 0 ? wanted : programNames) {
  const folder = `programs/${name}`;
  const image = linkProgram(folder);
  const timed = async (options: Parameters<typeof runProgram>[2]) => {
    const start = performance.now();
    const { report, comparisons } = await runProgram(folder, image, options);
    return { report, wrong: comparisons.some(({ mismatches }) => mismatches > 0), ms: performance.now() - start };
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
