// Linkage of NVVM IR as PTX directives (NVVM IR 1.0 section 14.1).

import type { Linkage } from "../ir/global.js";

interface LinkageRow {
  /** In front of a definition, with the dot; "" of what other modules do not see. */
  readonly defined: string;
  /** In front of a declaration; undefined where there is none. */
  readonly declared: ".extern" | undefined;
}

const row = (defined: string, declared?: ".extern"): LinkageRow => ({ defined, declared });

/** libNVVM writes `.common` for common, which PTX has for `.global` alone; the document says `.weak`. */
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
  // Refused by the verifier but for llvm.used and kin, of which nothing is made.
  appending: row(""),
  dllimport: row("", ".extern"),
  dllexport: row(".visible", ".extern"),
};

/** Whether other modules cannot see it. */
export const isLocal = (linkage: Linkage): boolean => linkages[linkage].defined === "" && linkage !== "dllimport";
