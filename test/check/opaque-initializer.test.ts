// Initial values of textures, samplers and surfaces. Verdicts are those of `ptxas -c -arch=sm_75` 13.0.88 on the same text.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { checkSource } from "../../lib/check/check.js";

const said = (declaration: string): readonly string[] => {
  const text = `.version 9.0\n.target sm_75, texmode_independent\n.address_size 64\n${declaration}\n`;
  const sink = createSink();
  checkSource({ name: "m.ptx", bytes: new TextEncoder().encode(text) }, sink);
  return sink.all.map(({ code, message }) => `${code}: ${message}`);
};

const accepted = [
  ".global .texref x = { width = 3, height = 1+2, depth = 1, array_size = 2 };",
  ".global .texref x = { normalized_coords = 2, channel_data_type = 1, channel_order = 1, num_samples = 1 };",
  ".global .texref x = { num_mipmap_levels = 2, filter_mode = 1 };",
  ".global .samplerref x = { force_unnormalized_coords = 7 };",
  ".global .samplerref x = { filter_mode = linear, filter_mode = nearest, addr_mode_0 = 1 };",
  ".global .samplerref x = { addr_mode_0 = wrap, addr_mode_1 = mirror, addr_mode_2 = clamp_ogl };",
  ".global .surfref x = { width = 3, height = -1, depth = wrap, array_size = 2, channel_order = 1 };",
  ".global .texref x = {};",
  ".global .samplerref x[2] = { {filter_mode = linear}, {filter_mode = nearest} };",
];
const refused: readonly (readonly [text: string, says: string])[] = [
  [".global .texref x = { bogus = 1 };", "initializer-type: a .texref has no field 'bogus'"],
  [".global .samplerref x = { width = 3 };", "initializer-type: a .samplerref has no field 'width'"],
  [".global .surfref x = { filter_mode = linear };", "initializer-type: a .surfref has no field 'filter_mode'"],
  [".global .surfref x = { num_samples = 1 };", "initializer-type: a .surfref has no field 'num_samples'"],
  [".global .texref x = { filter_mode = foo };", "initializer-type: 'foo' is not a value of a field"],
  [".global .texref x = 3;", "initializer-shape: the initial value of a .texref must be a list of fields in braces"],
  [".global .texref x = { 3 };", "initializer-type: the initial value of a .texref must name its fields"],
  [".extern .global .texref x = { width = 3 };", "initializer-space: an .extern variable has no initial value"],
];

test("fields of the type are accepted, with numbers and words", (t) => {
  for (const text of accepted) t.deepEqual(said(text), [], text);
});

for (const [text, says] of refused) test(`refused: ${text}`, (t) => t.deepEqual(said(text), [says]));

test("a member of Object.prototype is not a word of a field", (t) => {
  t.is(said(".global .texref x = { width = constructor };").length, 1);
});
