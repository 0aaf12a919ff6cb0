// Names of attributes by their number in bitcode (llvm/Bitcode/LLVMBitCodes.h, AttributeKindCodes, up to LLVM 22).

export const attributeNames: readonly (string | undefined)[] = [
  undefined, "align", "alwaysinline", "byval", "inlinehint", "inreg", "minsize", "naked", "nest", "noalias", "nobuiltin",
  "nocapture", "noduplicate", "noimplicitfloat", "noinline", "nonlazybind", "noredzone", "noreturn", "nounwind", "optsize",
  "readnone", "readonly", "returned", "returns_twice", "signext", "alignstack", "ssp", "sspreq", "sspstrong", "sret",
  "sanitize_address", "sanitize_thread", "sanitize_memory", "uwtable", "zeroext", "builtin", "cold", "optnone", "inalloca",
  "nonnull", "jumptable", "dereferenceable", "dereferenceable_or_null", "convergent", "safestack", "argmemonly",
  "swiftself", "swifterror", "norecurse", "inaccessiblememonly", "inaccessiblemem_or_argmemonly", "allocsize", "writeonly",
  "speculatable", "strictfp", "sanitize_hwaddress", "nocf_check", "optforfuzzing", "shadowcallstack",
  "speculative_load_hardening", "immarg", "willreturn", "nofree", "nosync", "sanitize_memtag", "preallocated", "nomerge",
  "null_pointer_is_valid", "noundef", "byref", "mustprogress", "nocallback", "hot", "noprofile", "vscale_range",
  "swiftasync", "nosanitize_coverage", "elementtype", "disable_sanitizer_instrumentation", "nosanitize_bounds",
  "allocalign", "allocptr", "allockind", "presplitcoroutine", "fn_ret_thunk_extern", "skipprofile", "memory", "nofpclass",
  "optdebug", "writable", "coro_only_destroy_when_complete", "dead_on_unwind", "range", "sanitize_numerical_stability",
  "initializes", "hybrid_patchable", "sanitize_realtime", "sanitize_realtime_blocking", "coro_elide_safe", "noext",
  "nodivergencesource", "sanitize_type", "captures", "dead_on_return", "sanitize_alloc_token", "nocreateundeforpoison",
]; // prettier-ignore

/** Bits of the attribute words before LLVM 3.3; bits 16 to 20 are the logarithm of `align` plus one. */
export const oldAttributeBits: readonly (string | undefined)[] = [
  "zeroext", "signext", "noreturn", "inreg", "sret", "nounwind", "noalias", "byval", "nest", "readnone", "readonly",
  "noinline", "alwaysinline", "optsize", "ssp", "sspreq",
]; // prettier-ignore
