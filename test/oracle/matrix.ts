// The resolution matrix as folders of testdata/link/matrix: NAME/{a.ptx, b.ptx, ...} and expect.json, which states what must
// come of them in each order, and what nvlink said. Written by `npm run oracle:link -- --matrix`, read by test/link.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { comparisonOf, type RecordedCase } from "./compare-link.js";
import type { Expectation, MatrixCase } from "./matrix-case.js";
import { matrixCases } from "./matrix-cases.table.js";
import { askNvlink, nvlinkCommand, type Verdict } from "./nvlink.js";
import { testdata } from "./programs.js";

/** expect.json of a folder. */
export interface MatrixFile extends Pick<MatrixCase, "about" | "differs"> {
  readonly expect: readonly Expectation[];
  readonly nvlink?: {
    readonly command: string;
    /** By order: the status, and what it said. */
    readonly verdicts: Readonly<Record<string, Pick<Verdict, "status" | "says">>>;
  };
}

export const matrixFolder = new URL("link/matrix/", testdata);

export const matrixNames = (): readonly string[] => readdirSync(matrixFolder).sort();

export const readMatrixFile = (name: string): MatrixFile =>
  JSON.parse(readFileSync(new URL(`${name}/expect.json`, matrixFolder), "utf8")) as MatrixFile;

export const textsOf = (name: string, order: string): readonly string[] =>
  [...order].map((letter) => readFileSync(new URL(`${name}/${letter}.ptx`, matrixFolder), "utf8"));

/** Writes every folder anew with nvlink's verdicts; returns how many cases differ from nvlink without a reason. */
export function recordMatrix(): number {
  rmSync(matrixFolder, { recursive: true, force: true });
  let unexplained = 0;
  for (const each of matrixCases) {
    const folder = new URL(`${each.name}/`, matrixFolder);
    mkdirSync(folder, { recursive: true });
    for (const [letter, text] of Object.entries(each.modules)) writeFileSync(new URL(`${letter}.ptx`, folder), text);
    const answers = each.unasked === true ? [] : ask(each);
    const differing = answers.filter(({ differences }) => differences.length > 0);
    for (const { order, differences } of differing)
      if (each.differs === undefined) console.log(`${each.name} ${order}: ${differences.join("; ")}`);
    if (differing.length > 0 && each.differs === undefined) unexplained++;
    const verdicts = Object.fromEntries(answers.map(({ order, status, says }) => [order, { status, says }]));
    const { about, differs, expect } = each;
    const file: MatrixFile = {
      about,
      ...(differing.length === 0 || differs === undefined ? {} : { differs }),
      expect,
      ...(answers.length === 0 ? {} : { nvlink: { command: nvlinkCommand, verdicts } }),
    };
    writeFileSync(new URL("expect.json", folder), `${JSON.stringify(file, undefined, 2)}\n`);
  }
  console.log(`matrix: ${matrixCases.length} cases, ${unexplained} differ from nvlink without a reason`);
  return unexplained;
}

function ask({ name, modules, expect }: MatrixCase) {
  const arch = /\.target (sm_\w+)/.exec(modules["a"]!)![1]!;
  return expect.flatMap(({ orders }) =>
    orders.map((order) => {
      const texts = [...order].map((letter) => modules[letter]!);
      const nvlink = askNvlink(texts, arch);
      const recorded: RecordedCase = { name, texts, nvlink };
      return { order, status: nvlink.status, says: nvlink.says, differences: comparisonOf(recorded).differences };
    }),
  );
}
