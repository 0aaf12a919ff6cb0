// Definitions and declarations of a module with names that begin with `@` (NVVM IR 1.0 sections 3.1, 3.5 to 3.7, 14.1).

import type { DiagnosticSink } from "../../diag/sink.js";
import type { Ranged } from "../../ptx/source-text.js";
import type { BasicBlock } from "./instruction.js";
import type { Attachment } from "./metadata.js";
import type { Spellings } from "./module.js";
import type { FunctionType, PointerType, Type } from "./type.js";
import type { Argument, Constant } from "./value.js";

export type GlobalValue = GlobalVariable | Function | Alias;

export type Linkage =
  | "external" | "extern_weak" | "private" | "internal" | "available_externally" | "linkonce" | "linkonce_odr" | "weak"
  | "weak_odr" | "appending" | "common" | "dllimport" | "dllexport" | "linker_private" | "linker_private_weak"; // prettier-ignore

/** One attribute as written: `noinline`, `align 8`, `byval(%pair)`, `"target-cpu"="sm_90"`. */
export interface Attribute extends Ranged {
  /** Without quotes; string attributes have `text`. */
  readonly name: string;
  /** `align 8`, `dereferenceable(16)`, `memory(…)` and others keep their argument as text. */
  readonly value?: number | string;
  /** byval, sret, elementtype and similar; undefined if dialect B wrote none. */
  readonly type?: Type;
  /** The value of a string attribute; "" if it has none. */
  readonly text?: string;
}

interface GlobalBase extends Ranged {
  /** Without `@` and quotes, escapes resolved. A numbered one (`@0`) has its number. */
  readonly name: string;
  /** Offset of the name in its declaration. */
  readonly nameStart: number;
  /** Type of its address. */
  readonly type: PointerType;
  readonly linkage: Linkage;
  readonly visibility: "default" | "hidden" | "protected";
  readonly threadLocal: boolean;
  /** The variable's type, or the function's. */
  readonly valueType: Type;
  readonly attachments: readonly Attachment[];
}

export interface GlobalVariable extends GlobalBase {
  readonly kind: "variable";
  /** Declared `constant`, not `global`. */
  readonly constant: boolean;
  readonly externallyInitialized: boolean;
  /** Undefined for a declaration. */
  readonly initializer: Constant | undefined;
  /** Bytes; undefined if not given. */
  readonly align: number | undefined;
  readonly section: string | undefined;
  readonly attributes: readonly Attribute[];
}

export interface Function extends GlobalBase {
  readonly kind: "function";
  readonly valueType: FunctionType;
  readonly arguments: readonly Argument[];
  /** `ccc`, `fastcc`, `ptx_kernel`, `cc 76` as "cc76"; "ccc" by default. */
  readonly convention: string;
  readonly resultAttributes: readonly Attribute[];
  /** One list for each argument. */
  readonly argumentAttributes: readonly (readonly Attribute[])[];
  /** Attribute groups resolved. */
  readonly attributes: readonly Attribute[];
  readonly align: number | undefined;
  readonly section: string | undefined;
  readonly garbageCollector: string | undefined;
  /** Undefined of a declaration. */
  readonly body: LazyBody | undefined;
}

/** A body, in text or bitcode, that is read on demand. */
export interface LazyBody extends Ranged {
  /** Reads it again at each call; undefined after syntax errors, which go to the sink. */
  read(sink: DiagnosticSink): Body | undefined;
}

export interface Body {
  /** The entry block first. */
  readonly blocks: readonly BasicBlock[];
  /** Spellings in the body only; undefined in bitcode. */
  readonly spellings?: Spellings;
}

/** `@a = alias T, ptr @b`, and `ifunc`. */
export interface Alias extends GlobalBase {
  readonly kind: "alias" | "ifunc";
  readonly aliasee: Constant;
}
