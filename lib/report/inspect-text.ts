// An inspection as text: a headline, then one block for each view (lib/inspect). JSON has everything; the text has the most
// important properties, in columns.

import { escapeControls, escapeLines } from "../diag/escape.js";
import type { Inspection, InspectedKind } from "../inspect/inspection.js";
import { archiveBlocks, fatbinBlock, listBlock } from "./inspect-container-text.js";
import { headerBlock, relocationBlocks, sectionsBlock, symbolBlocks } from "./inspect-elf-text.js";
import { functionBlocks } from "./inspect-functions-text.js";
import { hostBlocks } from "./inspect-host-text.js";
import { infoBlocks } from "./inspect-info-text.js";
import { layoutBlocks } from "./inspect-layout-text.js";
import { loadsBlocks } from "./inspect-loads-text.js";
import { nvvmBlock } from "./inspect-nvvm-text.js";
import { containerSizesBlocks, hexBlocks, resourcesBlock, sizesBlocks } from "./inspect-sizes-text.js";
import { constantsBlocks, imagesBlocks, linesBlocks, occupancyBlocks } from "./inspect-resources-text.js";
import { moduleBlock, summaryBlocks } from "./inspect-summary-text.js";
import { crossCheckBlock, insideBlock, verificationBlock } from "./inspect-verify-text.js";
import { plainStyler } from "./style.js";
import type { TextBlock, TextLayout } from "./text-layout.js";

/** The name of each kind in a headline. */
const kindTexts: Readonly<Record<InspectedKind, string>> = {
  ptx: "PTX module",
  nvvm: "NVVM IR module",
  "ptxkit-object": "ptxkit object",
  "ptxkit-image": "ptxkit image",
  "cubin-object": "relocatable cubin",
  "cubin-image": "linked cubin",
  "elf-object": "ELF object",
  "elf-image": "ELF image",
  "pe-object": "COFF object",
  "pe-image": "PE image",
  "macho-object": "Mach-O object",
  "macho-image": "Mach-O image",
  "macho-universal": "universal Mach-O file",
  archive: "archive",
  fatbin: "fatbin",
};

/** The whole text, with line ends. Disassembly has no headline, so that the text is a valid PTX module. */
export function renderInspection(inspection: Inspection, options: Partial<TextLayout> = {}): string {
  const layout: TextLayout = { width: options.width, style: options.style ?? plainStyler };
  const { elements } = inspection;
  if (elements === undefined) return renderOne(inspection, layout);
  const inside =
    elements.length === 0
      ? [`${headline(inspection, layout).join("\n")}\n\nNothing inside has such a view.\n`]
      : elements.map((element) => renderElement(element, layout));
  return [...(shownBlocks(inspection, layout).length > 0 ? [renderOne(inspection, layout)] : []), ...inside].join("\n");
}

/** PTX text of an element has its headline as a comment: several of them together are not a module anyway. */
function renderElement(element: Inspection, layout: TextLayout): string {
  return element.disassembly !== undefined && shownBlocks(element, layout).length === 0
    ? `// ${headline(element, layout)[0]!}\n${renderOne(element, layout)}`
    : renderOne(element, layout);
}

function renderOne(inspection: Inspection, layout: TextLayout): string {
  const blocks = shownBlocks(inspection, layout);
  const disassembly = inspection.disassembly && escapeLines(inspection.disassembly);
  if (blocks.length === 0 && disassembly !== undefined) return disassembly;
  const lines = [headline(inspection, layout), ...blocks].map((block) => block.map((line) => `${line}\n`).join(""));
  return [...lines, ...(disassembly === undefined ? [] : [disassembly])].join("\n");
}

function headline({ file, kind, size, damaged, shortened }: Inspection, { style }: TextLayout): TextBlock {
  const lines = [`${style("heading", escapeControls(file))}: ${kindTexts[kind]}, ${size} bytes`];
  const fault = kind === "ptx" || kind === "nvvm" ? "The text has errors" : "The file is damaged";
  if (damaged) lines.push(style("warning", `${fault}: what follows is what could be read of it.`));
  if (shortened) lines.push(style("warning", "The file describes more than is shown here."));
  return lines;
}

const shownBlocks = (inspection: Inspection, layout: TextLayout): readonly TextBlock[] =>
  viewBlocks(inspection, layout).filter((block) => block.length > 0);

function viewBlocks(inspection: Inspection, layout: TextLayout): readonly TextBlock[] {
  const {
    summary,
    module,
    nvvm,
    archive,
    hosts,
    fatbins,
    header,
    sections,
    symbols,
    relocations,
    info,
    kernels,
    functions,
    resourceUsage,
    sizes,
    occupancy,
    constants,
    debugLine,
    images,
    containerSizes,
    hex,
    list,
    loads,
    crossCheck,
    verification,
    inside,
  } = inspection;
  const isCard = summary !== undefined;
  return [
    ...(summary === undefined ? [] : summaryBlocks(summary, kernels ?? [], functions ?? [], layout)),
    ...(nvvm === undefined ? [] : [nvvmBlock(nvvm, layout)]),
    ...(module === undefined ? [] : [moduleBlock(module, layout)]),
    ...(archive === undefined ? [] : archiveBlocks(archive, layout)),
    ...(hosts === undefined ? [] : hostBlocks(hosts, layout)),
    ...(fatbins === undefined ? [] : [fatbinBlock(fatbins, layout)]),
    ...(header === undefined ? [] : headerBlock(header, layout)),
    ...(sections === undefined ? [] : sectionsBlock(sections, layout)),
    ...(symbols === undefined ? [] : symbolBlocks(symbols, layout)),
    ...(relocations === undefined ? [] : relocationBlocks(relocations, layout)),
    ...(info === undefined ? [] : infoBlocks(info, layout)),
    ...(isCard || kernels === undefined ? [] : functionBlocks({ kernels, functions: functions ?? [] }, layout)),
    ...(inspection.layout === undefined ? [] : layoutBlocks(inspection.layout, layout)),
    ...(resourceUsage === undefined ? [] : [resourcesBlock(resourceUsage, layout)]),
    ...(sizes === undefined ? [] : sizesBlocks(sizes, layout)),
    ...(occupancy === undefined ? [] : occupancyBlocks(occupancy, layout)),
    ...(constants === undefined ? [] : constantsBlocks(constants, layout)),
    ...(debugLine === undefined ? [] : linesBlocks(debugLine, layout)),
    ...(images === undefined ? [] : imagesBlocks(images, layout)),
    ...(containerSizes === undefined ? [] : containerSizesBlocks(containerSizes, layout)),
    ...(list === undefined ? [] : [listBlock(list)]),
    ...(loads === undefined ? [] : loadsBlocks(loads, layout)),
    ...(hex === undefined ? [] : hexBlocks(hex, layout)),
    ...(verification === undefined ? [] : [verificationBlock(verification, layout)]),
    ...(crossCheck === undefined ? [] : [crossCheckBlock(crossCheck, layout)]),
    ...(inside === undefined ? [] : [insideBlock(inside, layout)]),
  ];
}
