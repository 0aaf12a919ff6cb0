// The findings of --verify and --cross-check as text, for a file and the files inside it.

import { escapeControls } from "../diag/escape.js";
import type { Verification } from "../inspect/verify/verify.js";
import type { VerifiedElement } from "../inspect/verify/verify-inside.js";
import type { TextBlock, TextLayout } from "./text-layout.js";
import { renderTable } from "./table.js";

export function verificationBlock({ rules }: Verification, { style }: TextLayout): TextBlock {
  const found = findingsOf({ rules });
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  return [
    `${style("heading", "Rules")}: ${rules.length} held, ${found === 0 ? "none broken" : `${found} findings`}`,
    ...rules.map(({ rule, checked, findings, about }) => {
      const verdict = findings > 0 ? style("warning", `${findings} broken`) : `${checked} checked`;
      return `  ${rule.padEnd(width)}  ${verdict.padEnd(14)}  ${about}`;
    }),
  ];
}

const findingsOf = ({ rules }: Pick<Verification, "rules">): number =>
  rules.reduce((sum, { findings }) => sum + findings, 0);

export function crossCheckBlock(differences: readonly string[], { style }: TextLayout): TextBlock {
  const heading = style("heading", "Cross-check with elfy");
  return differences.length === 0
    ? [`${heading}: no difference`]
    : [heading, ...differences.map((difference) => `  ${escapeControls(difference)}`)];
}

export function insideBlock(elements: readonly VerifiedElement[], layout: TextLayout): TextBlock {
  const heading = layout.style("heading", "Inside");
  const verified = elements.filter(({ verification }) => verification !== null).length;
  const isAsked = elements.some(({ crossCheck }) => crossCheck !== undefined);
  const table = renderTable(
    [
      { title: "ELEMENT", role: "name" },
      { title: "KIND" },
      { title: "RULES", align: "right" },
      { title: "FINDINGS", align: "right" },
      ...(isAsked ? [{ title: "ELFY" }] : []),
    ],
    elements.map(({ name, kind, verification, crossCheck }) => [
      name,
      kind ?? "unreadable",
      verification === null ? "none" : `${verification.rules.length}`,
      verification === null ? "" : `${findingsOf(verification)}`,
      ...(isAsked ? [crossCheck === undefined ? "" : differenceText(crossCheck.length)] : []),
    ]),
    { ...layout, indent: 2 },
  );
  return [`${heading}: ${verified} of ${elements.length} held against the rules of their kind`, ...table];
}

const differenceText = (count: number): string => (count === 0 ? "agrees" : `${count} otherwise`);
