// Modules compiled as a whole program: a use of an undefined function is refused, whether code is kept or passed on as
// it is checked. ptxas 13.0 says "Unresolved extern function" for each refused one (`ptxas -arch=sm_80 in.ptx`).

import test from "ava";
import { checkSource } from "../../lib/check/check.js";
import { createSink } from "../../lib/diag/sink.js";

const said = (text: string, apart: boolean): readonly string[] => {
  const sink = createSink();
  checkSource({ name: "a.ptx", bytes: Buffer.from(text) }, sink, apart ? { onCode: () => {} } : {});
  return sink.all.filter(({ severity }) => severity === "error").map(({ message }) => message);
};

const module = (name: string, use: string, version = "3.0"): string =>
  `.version ${version}\n.target sm_30\n.address_size 64\n.extern .func ${name}();\n${use}\n`;
const call = (name: string): string => `.entry k() { call ${name}; ret; }`;

test("a function that a whole module calls and does not define is refused", (t) => {
  const message = (name: string) =>
    `'${name}' is used and defined elsewhere; a module of PTX 3.0 is compiled as a whole`;
  for (const apart of [false, true]) {
    for (const name of ["other", "cnpFoo"]) t.deepEqual(said(module(name, call(name)), apart), [message(name)]);
    t.deepEqual(said(module("other", ".global .u64 t = other;"), apart), [message("other")]);
  }
});

test("a function that is only declared, a driver function, and one that a later module defines are not", (t) => {
  for (const apart of [false, true]) {
    t.deepEqual(said(module("other", ".entry k() { ret; }"), apart), []);
    for (const name of ["vfprintf", "cnpGetDevice", "__cuda_syscall_x"])
      t.deepEqual(said(module(name, call(name)), apart), []);
    t.deepEqual(said(module("other", call("other"), "3.1"), apart), []);
  }
});
