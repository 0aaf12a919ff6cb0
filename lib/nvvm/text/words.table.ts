// Words of the grammar that are handled uniformly (LLVM Language Reference; LLVM 3.2's for removed ones).

import { flag } from "../ir/instruction.js";
import type { Linkage } from "../ir/global.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const binaryOpcodes = words("add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem");

export const castOpcodes = words(
  "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast",
);

export const comparePredicates = {
  icmp: words("eq ne ugt uge ult ule sgt sge slt sle"),
  fcmp: words("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true"),
} as const;

const fast = flag.nnan | flag.ninf | flag.nsz | flag.arcp | flag.contract | flag.afn | flag.reassoc;

/** Flags between an opcode and its type, as bits. */
export const flagWords: ReadonlyMap<string, number> = new Map([...Object.entries(flag), ["fast", fast]]);

const nowrap = flag.nuw | flag.nsw;

/** The flags that an opcode allows in the newest grammar; opcodes that are not listed allow none. */
export const flagsOf: Readonly<Record<string, number>> = {
  add: nowrap,
  sub: nowrap,
  mul: nowrap,
  shl: nowrap,
  udiv: flag.exact,
  sdiv: flag.exact,
  lshr: flag.exact,
  ashr: flag.exact,
  or: flag.disjoint,
  trunc: nowrap,
  zext: flag.nneg,
  uitofp: flag.nneg | fast,
  sitofp: fast,
  icmp: flag.samesign,
  getelementptr: flag.inbounds | flag.nusw | flag.nuw,
  fadd: fast,
  fsub: fast,
  fmul: fast,
  fdiv: fast,
  frem: fast,
  fneg: fast,
  fcmp: fast,
  fptrunc: fast,
  fpext: fast,
  phi: fast,
  select: fast,
  call: fast,
};

/** Linkages; those of old versions map to LLVM's current ones. */
export const linkages: ReadonlyMap<string, Linkage> = new Map<string, Linkage>([
  ...(
    "external extern_weak private internal available_externally linkonce linkonce_odr weak weak_odr appending common dllimport dllexport linker_private linker_private_weak".split(
      " ",
    ) as Linkage[]
  ).map((name) => [name, name] as const),
  ["linkonce_odr_auto_hide", "linkonce_odr"],
  ["linker_private_weak_def_auto", "linker_private_weak"],
]);

export const visibilities = words("default hidden protected");

export const conventions = words(
  `ccc fastcc coldcc ghccc tailcc swiftcc swifttailcc cfguard_checkcc webkit_jscc anyregcc preserve_mostcc preserve_allcc
  preserve_nonecc cxx_fast_tlscc ptx_kernel ptx_device spir_kernel spir_func amdgpu_kernel amdgpu_vs amdgpu_ls amdgpu_hs
  amdgpu_es amdgpu_gs amdgpu_ps amdgpu_cs amdgpu_cs_chain amdgpu_cs_chain_preserve amdgpu_gfx x86_stdcallcc x86_fastcallcc
  x86_thiscallcc x86_vectorcallcc x86_regcallcc x86_intrcc x86_64_sysvcc win64cc arm_apcscc arm_aapcscc arm_aapcs_vfpcc
  aarch64_vector_pcs aarch64_sve_vector_pcs msp430_intrcc avr_intrcc avr_signalcc intel_ocl_bicc hhvmcc hhvm_ccc riscv_vector_cc
  graalcc m68k_rtdcc`,
);

/** Operations of atomicrmw. */
export const atomicOperations = words(
  `xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin fmaximum fminimum uinc_wrap udec_wrap usub_cond
  usub_sat`,
);

export const orderings = words("unordered monotonic acquire release acq_rel seq_cst");

/** The form of an attribute's argument: none, `(…)` kept as text, a type in parentheses, or a number. */
export type AttributeForm = "none" | "text" | "type" | "number";

const attributesOf = (form: AttributeForm, text: string): readonly (readonly [string, AttributeForm])[] =>
  [...words(text)].map((name) => [name, form] as const);

/** Attributes of parameters, results and functions; the verifier checks where each is allowed. */
export const attributeForms: ReadonlyMap<string, AttributeForm> = new Map([
  ...attributesOf(
    "none",
    `address_safety alwaysinline allocptr allocalign argmemonly builtin cold convergent coro_elide_safe coro_only_destroy_when_complete
    dead_on_return dead_on_unwind disable_sanitizer_instrumentation fn_ret_thunk_extern hot hybrid_patchable immarg inaccessiblemem_or_argmemonly
    inaccessiblememonly inlinehint inreg jumptable minsize mustprogress naked nest noalias nobuiltin nocallback nocapture nocf_check nocreateundeforpoison nodivergencesource
    noduplicate noext nofree noimplicitfloat noinline nomerge nonlazybind nonnull noprofile norecurse noredzone noreturn norecurse nosanitize_bounds
    nosanitize_coverage nosync noundef nounwind null_pointer_is_valid optforfuzzing optnone optsize optdebug presplitcoroutine readnone readonly returned
    returns_twice safestack sanitize_address sanitize_hwaddress sanitize_memory sanitize_memtag sanitize_numerical_stability sanitize_realtime sanitize_realtime_blocking
    sanitize_thread sanitize_type shadowcallstack signext skipprofile speculatable speculative_load_hardening ssp sspreq sspstrong strictfp swiftasync swifterror
    swiftself willreturn writable writeonly zeroext`,
  ),
  ...attributesOf(
    "text",
    "memory range captures initializes nofpclass vscale_range allockind allocsize uwtable dead_on_return denormal_fpenv",
  ),
  ...attributesOf("type", "byval byref sret elementtype preallocated inalloca"),
  ...attributesOf("number", "align alignstack dereferenceable dereferenceable_or_null"),
]);

const since = (version: number, text: string): readonly (readonly [string, number])[] =>
  [...words(text)].map((name) => [name, version] as const);

/** The version of LLVM from which on the printer writes an attribute: 14 if it is later than 7, 20 if later than 14. */
export const attributesSince: ReadonlyMap<string, number> = new Map([
  ...since(
    14,
    `allocalign allocptr byref disable_sanitizer_instrumentation elementtype hot immarg mustprogress nocallback
    nocf_check nofree nomerge noprofile nosanitize_coverage nosync noundef null_pointer_is_valid optforfuzzing preallocated sanitize_memtag shadowcallstack
    swiftasync vscale_range willreturn`,
  ),
  ...since(
    20,
    `address_safety allockind allocptr allocalign captures coro_elide_safe coro_only_destroy_when_complete dead_on_return dead_on_unwind denormal_fpenv
    fn_ret_thunk_extern hybrid_patchable initializes memory nocreateundeforpoison nodivergencesource noext nofpclass nosanitize_bounds optdebug presplitcoroutine range
    sanitize_numerical_stability sanitize_realtime sanitize_realtime_blocking sanitize_type skipprofile writable`,
  ),
]);
