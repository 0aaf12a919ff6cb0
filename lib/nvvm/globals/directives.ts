// Annotations and attributes of a function as PTX directives after its header (NVVM IR 1.0 section 11.3; PTX ISA section 11.4).

import type { Function } from "../ir/global.js";
import type { Annotations } from "./annotations.js";

/**
 * Directives of a kernel; `sm`: the target's number. Cluster directives need sm_90; older targets drop them silently, as
 * libNVVM does.
 */
export function kernelDirectives(fn: Function, { valueOf }: Annotations, sm: number): readonly string[] {
  const dimensions = (directive: string, stem: string): readonly string[] => {
    const values = ["x", "y", "z"].map((axis) => valueOf(fn, `${stem}${axis}`));
    return values.every((value) => value === undefined)
      ? []
      : [`${directive} ${values.map((value) => value ?? 1).join(", ")}`];
  };
  const single = (directive: string, property: string): readonly string[] => {
    const value = valueOf(fn, property);
    return value === undefined ? [] : [`${directive} ${value}`];
  };
  const cluster = sm < 90 ? [] : dimensions(".reqnctapercluster", "cluster_dim_");
  return [
    ...dimensions(".maxntid", "maxntid"),
    ...dimensions(".reqntid", "reqntid"),
    ...single(".minnctapersm", "minctasm"),
    ...(cluster.length === 0 ? [] : [".explicitcluster"]),
    ...cluster,
    ...(sm < 90 ? [] : single(".maxclusterrank", "maxclusterrank")),
    ...single(".maxnreg", "maxnreg"),
  ];
}

/** Directives of a device function; its prototype has them, too. */
export const functionDirectives = (fn: Function): readonly string[] =>
  fn.valueType.result.kind === "void" && fn.attributes.some(({ name }) => name === "noreturn") ? [".noreturn"] : [];
