// Differences of two files as text: one image at a time, each change with its old and new value.

import { escapeControls } from "../diag/escape.js";
import type { Change, Diff, PropertyChange } from "../inspect/compare/diff.js";
import type { TextLayout } from "./text-layout.js";

/** Limit of lines for one change; JSON has all. */
const SHOWN_PROPERTIES = 12;

export function diffText(diff: Diff, { style }: TextLayout): string {
  if (diff.count === 0) return "no difference\n";
  const lines = diff.images.flatMap(({ image, changes }) => [
    style("heading", escapeControls(image)),
    ...changes.flatMap((change) => changeLines(change, style)),
    "",
  ]);
  const broken = diff.broken === 0 ? "" : `, ${diff.broken} beyond the ratchet`;
  return `${lines.join("\n")}\n${diff.count} difference${diff.count === 1 ? "" : "s"}${broken}\n`;
}

function changeLines(
  { what, name, demangled, change, properties }: Change,
  style: TextLayout["style"],
): readonly string[] {
  const shown = demangled === undefined ? name : `${name} (${demangled})`;
  return [
    `  ${what} ${style("name", escapeControls(shown))}${change === "changed" ? "" : ` ${change}`}`,
    ...properties.slice(0, SHOWN_PROPERTIES).map((one) => `    ${propertyLine(one)}`),
    ...(properties.length > SHOWN_PROPERTIES
      ? [`    and ${properties.length - SHOWN_PROPERTIES} more (--json has all)`]
      : []),
  ];
}

function propertyLine({ property, before, after, breaks }: PropertyChange): string {
  const rule = breaks === undefined ? "" : `  (${breaks})`;
  if (property === "content") return `content differs${rule}`;
  if (property === "relocation") return before === null ? `+ ${after}` : `- ${before}`;
  return escapeControls(`${property}: ${before ?? "none"} → ${after ?? "none"}${rule}`);
}
