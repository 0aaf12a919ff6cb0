// Rules of the file header and of addresses, for cubins and ptxkit's files. docs/format.md, "File header".

import { CUINFO_INDEX, EF_CUDA, OLD_FLAGS } from "../../../formats/cuda/index.js";
import { ELFOSABI, ET, sectionNamed } from "../../../formats/elf/index.js";
import { knownTarget } from "../../isa/targets.table.js";
import { isFromKnownToolkit } from "./cuda-sections.js";
import { named } from "./elf.js";
import type { Rule } from "./rule.js";

const isTargetOf = (sm: number): boolean => sm >= 75 && knownTarget(`sm_${sm}`) !== undefined;
/** Bits 16 to 23 of e_flags. */
const UNUSED_FLAGS = 0x00ff_0000;

/** e_type that `ptxas -ewp` writes. */
const EXTENSIBLE = 0xff00;
const OLD_OPTIONS = OLD_FLAGS.reduce((bits, { value }) => bits | value, 0);

export const cudaHeaderRules: readonly Rule[] = [
  {
    name: "flags",
    about:
      "EI_OSABI, EI_ABIVERSION and e_flags are those of one generation; e_flags has the section index of .note.nv.cuinfo",
    check(subject, report) {
      const { file, cuda, ours } = subject;
      const { osabi, flags } = file.header;
      if (cuda === undefined) return 1;
      const isCurrent = cuda.kind === "current";
      if (osabi !== (isCurrent ? ELFOSABI.CUDA_V2 : ELFOSABI.CUDA))
        report(7, `EI_OSABI 0x${osabi.toString(16)} is not valid with EI_ABIVERSION ${file.header.abiVersion}`);
      if (cuda.kind === "old") {
        const isRight = (cuda.options & EF_CUDA["64BIT_ADDRESS"]) !== 0 && cuda.virtualSm <= cuda.sm;
        if (!isRight || (cuda.options & ~OLD_OPTIONS) !== 0 || cuda.virtualSm === 0 || flags >>> 24 !== 0)
          report(48, `e_flags 0x${(flags >>> 0).toString(16)} do not match any target`);
        return 1;
      }
      const isTarget = isTargetOf(cuda.sm) || (ours && cuda.sm < 75) || !isFromKnownToolkit(subject);
      const isWidth = cuda.low === (cuda.sm >= 100 ? 2 : 4) || (ours && cuda.low === 0);
      if (!isWidth || !isTarget || (!ours && (flags & UNUSED_FLAGS) !== 0))
        report(48, `e_flags 0x${(flags >>> 0).toString(16)} do not match any target`);
      const note = sectionNamed(file, ".note.nv.cuinfo")?.index ?? 0;
      // Older ptxkit files have it under the same section number in another place.
      if (cuda.top !== note && !(ours && cuda.top === CUINFO_INDEX))
        report(51, `e_flags has section ${cuda.top} for .note.nv.cuinfo, which is section ${note}`);
      return 1;
    },
  },
  {
    name: "no-addresses",
    about: "no addresses are assigned: e_entry, sh_addr and p_vaddr are 0",
    check({ file }, report) {
      const { header, sections, segments } = file;
      if (header.entry !== 0n) report(24, `e_entry is ${header.entry}`);
      for (const section of sections)
        if (section.address !== 0n)
          report(section.headerOffset + 16, `${named(section)} has the address ${section.address}`);
      for (const [i, { virtualAddress }] of segments.entries())
        if (virtualAddress !== 0n)
          report(header.programHeaderOffset + i * 56 + 16, `segment ${i} has the address ${virtualAddress}`);
      return sections.length + segments.length;
    },
  },
  {
    name: "file-type",
    about: "e_type is ET_REL (1), ET_EXEC (2), or in output of ptxas -ewp 0xff00",
    check({ file, ours }, report) {
      const { type } = file.header;
      if (type !== ET.REL && type !== ET.EXEC && (type !== EXTENSIBLE || ours)) report(16, `unexpected e_type ${type}`);
      return 1;
    },
  },
];
