// The table of link options agrees with Commander's names, with itself and with the linker's options.

import { Command } from "commander";
import test from "ava";
import { addLinkOptions, linkerFields, localFlags, outputKind, writtenFiles } from "../../cli/options/link-options.js";
import { GROUPS, LINK_OPTIONS, type LinkOptionName, type LinkOptionRow } from "../../cli/options/link-options.table.js";
import { linkOptions } from "../../lib/link/options.js";

const rows = Object.entries<LinkOptionRow>(LINK_OPTIONS);
const command = new Command("link");
for (const group of Object.keys(GROUPS)) addLinkOptions(command, group as keyof typeof GROUPS);

test("each row has the key that Commander gives its value", (t) => {
  const names = command.options.map((option) => option.attributeName());
  t.deepEqual(
    [...new Set(names)],
    rows.map(([name]) => name),
  );
});

test("rows name options that exist", (t) => {
  for (const [name, { conflicts = [], noEffect, sets = [] }] of rows) {
    for (const other of [...conflicts, ...(noEffect?.unless ?? []), ...(noEffect?.with ?? [])])
      t.true(other in LINK_OPTIONS, `${name}: ${other}`);
    for (const field of sets) t.true(field in linkOptions, `${name}: ${field}`);
  }
});

test("options are mapped to the linker's fields and to outputs", (t) => {
  const given = (...words: readonly string[]) => {
    const fresh = new Command("link");
    for (const group of Object.keys(GROUPS)) addLinkOptions(fresh, group as keyof typeof GROUPS);
    fresh.parse(words, { from: "user" });
    return fresh.opts<Partial<Record<LinkOptionName, never>>>();
  };
  t.deepEqual(linkerFields(given("-o", "a")), {});
  t.deepEqual(linkerFields(given("-s", "--wrap=f", "--wrap=g")), {
    stripDebug: true,
    discardLocals: true,
    wrap: ["f", "g"],
  });
  t.deepEqual(linkerFields(given("--export=a*", "--localize=b", "--export=c")).visibility, [
    { to: "export", pattern: "a*" },
    { to: "localize", pattern: "b" },
    { to: "export", pattern: "c" },
  ]);
  t.deepEqual(writtenFiles(given("-o", "a", "--map=b", "--why-extract=-")), [
    ["-o", "a"],
    ["--map", "b"],
  ]);
  t.deepEqual([given("-o", "a"), given("-r"), given("--emit=ptx"), given("-r", "--emit=ptx")].map(outputKind), [
    "image",
    "object",
    "ptx",
    "open ptx",
  ]);
  t.true(localFlags.has("--remap-inputs") && localFlags.has("--map") && !localFlags.has("--output"));
});
