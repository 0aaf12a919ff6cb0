// Linkage of NVVM IR as PTX directives (NVVM IR 1.0 section 14.1).

import type { Linkage } from "../ir/global.js";

interface LinkageRow {
  /** Before a definition, with the dot; "" if other modules do not see it. */
  readonly defined: string;
  /** Before a declaration; undefined if there is none. */
  readonly declared: ".extern" | undefined;
}

const row = (defined: string, declared?: ".extern"): LinkageRow => ({ defined, declared });

/** libNVVM writes `.common` for common, which PTX allows for `.global` only; the document specifies `.weak`. */
export const linkages: Readonly<Record<Linkage, LinkageRow>> = {
  external: row(".visible", ".extern"),
  extern_weak: row(".weak", ".extern"),
  available_externally: row(".extern", ".extern"),
  linkonce: row(".weak", ".extern"),
  linkonce_odr: row(".weak", ".extern"),
  weak: row(".weak", ".extern"),
  weak_odr: row(".weak", ".extern"),
  common: row(".weak", ".extern"),
  private: row(""),
  internal: row(""),
  linker_private: row(""),
  linker_private_weak: row(".weak"),
  // The verifier refuses it except for llvm.used and similar, which produce no code.
  appending: row(""),
  dllimport: row("", ".extern"),
  dllexport: row(".visible", ".extern"),
};

/** Whether other modules cannot see it. */
export const isLocal = (linkage: Linkage): boolean => linkages[linkage].defined === "" && linkage !== "dllimport";
