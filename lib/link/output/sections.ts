// Pass: the sections of the image with their bytes, in the order of NVIDIA's files: constants, functions, initialised
// data, other data, shared memory. Relocations are applied or kept here (relocate.ts). Inputs are never changed: bytes that
// are patched are copied first. Symbols are indices of merged symbols unless said otherwise; offsets and sizes are bytes.

import { R_CUDA } from "../../../formats/cuda/index.js";
import type { AppliedRelocation, Placement, Section, SectionRole } from "../../object/object.js";
import { isShared } from "../shared/callgraph.js";
import { isDynamicShared, type Inputs } from "../inputs.js";
import { isDataRole, type DataLayout, type DataRole } from "../layout/layout.js";
import { relocate, type KnownOffset } from "./relocate.js";
import type { Resolution } from "../names/resolve.js";
import type { SharedLayout } from "../shared/shared.js";
import type { KeptText, KeptTexts } from "../layout/texts.js";

export interface LaidOut {
  readonly inputs: Inputs;
  readonly resolution: Resolution;
  readonly texts: KeptTexts;
  readonly data: DataLayout;
  readonly shared: SharedLayout;
  /** Whether sections keep the relocations that were applied. */
  readonly emitRelocations?: boolean;
}

export interface ImageSections {
  readonly sections: readonly Section[];
  /** Where a merged symbol stands. */
  placementOf(symbol: number): Placement;
}

/** `inImage`: the image's number of each merged symbol. */
export function makeSections(laidOut: LaidOut, inImage: Int32Array): ImageSections {
  const { inputs, resolution, texts, data, shared } = laidOut;
  const { merged, mergedOf } = resolution;
  const sections: Section[] = [];
  const put = (role: SectionRole, section: Omit<Section, "role">): number => sections.push({ role, ...section }) - 1;

  const appliedList = (): { readonly applied?: AppliedRelocation[] } =>
    laidOut.emitRelocations === true ? { applied: [] } : {};
  const placeData = dataPlacement(laidOut);
  const known = (symbol: number): number | undefined => {
    const { chosen } = merged[symbol]!;
    if (chosen.symbol.kind !== "variable") return undefined;
    if (chosen.symbol.space === "shared") return shared.offsets.get(symbol);
    return chosen.symbol.space === "global" ? undefined : placeData(symbol)?.offset;
  };
  const sectionOfData = new Map<DataRole, number>();
  const putData = (role: DataRole): void => {
    const { pieces, align, size } = data.joined[role];
    if (size === 0 && pieces.length === 0) return;
    const bytes = role === "global" || role === "local" ? undefined : new Uint8Array(size);
    const kept = appliedList();
    const rest = pieces.flatMap(({ object, section, offset, relocations }) => {
      const own = inputs[object]!.sections[section]!.data;
      if (own !== undefined) bytes?.set(own, offset);
      return relocate(relocations, { data: bytes, base: offset, mergedOf: mergedOf[object]!, inImage, known, ...kept });
    });
    sectionOfData.set(
      role,
      put({ kind: role }, { align, size, ...(bytes === undefined ? {} : { data: bytes }), relocations: rest, ...kept }),
    );
  };

  const sectionOfText = new Map<Section, number>();
  const putText = ({ object, section, symbol }: KeptText): void => {
    const input = inputs[object]!.sections[section]!;
    const dynamic = shared.dynamicOffsetIn.get(symbol);
    const knownHere: KnownOffset = (to) => (isDynamicShared(merged[to]!.chosen.symbol) ? (dynamic ?? 0) : known(to));
    const merging = mergedOf[object]!;
    const isPatched = input.relocations.some(
      (r) => r.type === R_CUDA["64"] && knownHere(merging[r.symbol]!) !== undefined,
    );
    const bytes = isPatched ? input.data && new Uint8Array(input.data) : input.data;
    const kept = appliedList();
    const rest = relocate(input.relocations, {
      data: bytes,
      base: 0,
      mergedOf: merging,
      inImage,
      known: knownHere,
      ...kept,
    });
    sectionOfText.set(
      input,
      put(
        { kind: "text", symbol: inImage[symbol]! },
        {
          align: input.align,
          size: input.size,
          ...(bytes === undefined ? {} : { data: bytes }),
          relocations: rest,
          ...kept,
        },
      ),
    );
  };

  putData("constant");
  for (const text of texts) putText(text);
  putData("global-init");
  putData("global");
  putData("local");
  const sectionOfShared = new Map<number, number>();
  const putShared = (role: SectionRole, align: number, size: number, own: readonly number[]): void => {
    const section = put(role, { align, size, relocations: [] });
    for (const symbol of own) sectionOfShared.set(symbol, section);
  };
  if (shared.common.length > 0)
    putShared({ kind: "shared-module" }, shared.commonAlign, shared.commonSize, shared.common);
  for (const [kernel, { align, size, own }] of shared.kernels)
    if (size > 0) putShared({ kind: "shared", symbol: inImage[kernel]! }, align, size, own);

  return {
    sections,
    placementOf(symbol) {
      const { chosen } = merged[symbol]!;
      const { placement } = chosen.symbol;
      if (isShared(merged[symbol]!)) {
        const section = sectionOfShared.get(symbol);
        if (section === undefined) return { kind: "undefined" };
        return { kind: "section", section, offset: shared.offsets.get(symbol)! };
      }
      const inData = placeData(symbol);
      if (inData !== undefined)
        return { kind: "section", section: sectionOfData.get(inData.role)!, offset: inData.offset };
      if (placement.kind !== "section") return placement;
      const text = inputs[chosen.object]!.sections[placement.section]!;
      return { kind: "section", section: sectionOfText.get(text)!, offset: placement.offset };
    },
  };
}

/** Where each merged symbol stands in the joined data. */
function dataPlacement({ inputs, resolution, data }: LaidOut) {
  return (symbol: number): { readonly role: DataRole; readonly offset: number } | undefined => {
    const { object, symbol: chosen } = resolution.merged[symbol]!.chosen;
    const { placement } = chosen;
    if (placement.kind === "common") return { role: "global", offset: data.commons.get(symbol)! };
    if (placement.kind !== "section") return undefined;
    const { role } = inputs[object]!.sections[placement.section]!;
    if (!isDataRole(role)) return undefined;
    return { role: role.kind, offset: data.offsetOf[object]![placement.section]! + placement.offset };
  };
}
