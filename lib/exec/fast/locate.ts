// Functions of generated code that locate the bytes of four lanes which are neither adjacent nor at one address.

import { CodeWriter, type Local, type ValueType } from "../../../formats/wasm/index.js";
import { CLUSTER_STRIDE, FIRST_WINDOW_HIGH, WINDOW, type WindowSpace } from "../../load/address-space.js";
import { CONTEXT, REGION_BYTES, SITE, SITE_BYTES } from "./context.table.js";

/** Numbers of the functions, in the order of `createLocates`. */
export const LOCATE = { locate64: 3, locate32: 4, locateGeneric: 5, locateRecent: 6 } as const;

const RESULT_TYPES: readonly ValueType[] = ["v128", "i32"];

/**
 * locate64(context, addresses of lanes 0 and 1, of 2 and 3, offset, region's base, size and place in the arena, bytes, lanes,
 * site): returns places in the arena, and 1; or 0 if a lane is in no known region, or not aligned. Lanes outside the mask get a
 * place that may be read.
 */
function locate64(): CodeWriter {
  const code = new CodeWriter(["i32", "v128", "v128", "i64", "i64", "i32", "i32", "i32", "i32", "i32"], RESULT_TYPES);
  const [context, low, high, offset, base, size, place, bytes, lanes, site] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const apart = code.local("v128");
  const a = code.local("v128");
  const b = code.local("v128");
  const offsets = code.local("v128");
  const bad = code.local("i32");
  code.get(offset!).op("i64x2.splat").set(apart);
  code.get(low!).get(apart).op("i64x2.add").tee(low!);
  code.get(base!).op("i64x2.splat").tee(a).op("i64x2.sub").set(b);
  code.get(high!).get(apart).op("i64x2.add").tee(high!).get(a).op("i64x2.sub").set(a);
  code.get(b).get(a).shuffleWords([0, 2, 4, 6]).set(offsets);
  pushInside(code, offsets, size!, bytes!);
  code.get(b).get(a).shuffleWords([1, 3, 5, 7]).words(0).op("i32x4.eq", "v128.and");
  pushBad(code, lanes!, bad);
  code.if();
  code.get(context!).get(low!).get(high!).get(offsets).get(place!).op("i32x4.splat", "i32x4.add");
  code.get(bytes!).get(lanes!).get(bad).get(site!).call(LOCATE.locateRecent).op("return", "end");
  code.get(offsets).get(place!).op("i32x4.splat", "i32x4.add");
  pushPlaces(code, context!, lanes!);
  code.i32(1);
  return code;
}

/** locate32(context, addresses, offset, size, place in the arena, bytes, lanes): the same for 32-bit addresses in one region. */
function locate32(): CodeWriter {
  const code = new CodeWriter(["i32", "v128", "i32", "i32", "i32", "i32", "i32"], RESULT_TYPES);
  const [context, addresses, offset, size, place, bytes, lanes] = [0, 1, 2, 3, 4, 5, 6];
  const bad = code.local("i32");
  code.get(addresses!).get(offset!).op("i32x4.splat", "i32x4.add").set(addresses!);
  pushInside(code, addresses!, size!, bytes!);
  pushBad(code, lanes!, bad);
  code.if().get(addresses!).i32(0).op("return", "end");
  code.get(addresses!).get(place!).op("i32x4.splat", "i32x4.add");
  pushPlaces(code, context!, lanes!);
  code.i32(1);
  return code;
}

/**
 * locateGeneric(context, addresses of lanes 0 and 1, of 2 and 3, offset, bytes, lanes, site, first lane, 0 for stores and else
 * -1): as locate64, but each lane is in the window of its address or in the region that the site caches. The site records whether
 * all lanes accessed shared memory.
 */
function locateGeneric(): CodeWriter {
  const code = new CodeWriter(["i32", "v128", "v128", "i64", "i32", "i32", "i32", "i32", "i32"], RESULT_TYPES);
  const [context, low, high, offset, bytes, lanes, site, first, isLoad] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  const vectors = ["a", "b", "words", "windows", "offsets", "sizes", "places", "here"] as const;
  const { a, b, words, windows, offsets, sizes, places, here } = code.named("v128", vectors);
  const [record, bad] = [code.local("i32"), code.local("i32")];
  code.get(offset).op("i64x2.splat").set(a);
  code.get(low).get(a).op("i64x2.add").set(low);
  code.get(high).get(a).op("i64x2.add").set(high);
  code.get(low).get(high).shuffleWords([1, 3, 5, 7]).set(windows);
  pushRecord(code, context, site);
  code.set(record);
  // Offsets in the region; its size counts as 0 for lanes whose difference has a high word.
  code.get(record).memory("v128.load64_splat", SITE.base).set(a);
  code.get(low).get(a).op("i64x2.sub").set(b);
  code.get(high).get(a).op("i64x2.sub").set(a);
  code.get(b).get(a).shuffleWords([0, 2, 4, 6]).set(offsets);
  code.get(record).memory("v128.load32_splat", SITE.size);
  code.get(b).get(a).shuffleWords([1, 3, 5, 7]).words(0).op("i32x4.eq", "v128.and").set(sizes);
  code.get(record).memory("v128.load32_splat", SITE.offset).set(places);
  code.get(record).i32(0).memory("i32.store", SITE.isShared);
  code.get(windows).words(FIRST_WINDOW_HIGH).op("i32x4.ge_u", "v128.any_true").if();
  code.get(low).get(high).shuffleWords([0, 2, 4, 6]).set(words);
  const window = (space: WindowSpace, pushSize: () => void, pushPlace: () => void): void => {
    code.get(windows).words(WINDOW[space]).op("i32x4.eq").set(here);
    code.get(words).get(offsets).get(here).op("v128.bitselect").set(offsets);
    pushSize();
    code.get(sizes).get(here).op("v128.bitselect").set(sizes);
    pushPlace();
    code.get(places).get(here).op("v128.bitselect").set(places);
  };
  const field = (name: keyof typeof CONTEXT) => (): void =>
    void code.get(context).memory("v128.load32_splat", CONTEXT[name]);
  const readable = (name: keyof typeof CONTEXT) => (): void =>
    void code.get(context).memory("i32.load", CONTEXT[name]).get(isLoad).op("i32.and", "i32x4.splat");
  window("const", readable("constantsSize"), field("constants"));
  window("param", readable("parametersSize"), field("parameters"));
  window("local", field("localTop"), () => {
    pushStacks(code, context, first);
  });
  // Shared memory of the block itself: addresses contain its rank.
  code.get(words).get(context).memory("v128.load32_splat", CONTEXT.rank).i32(Math.log2(CLUSTER_STRIDE));
  code.op("i32x4.shl", "i32x4.sub").set(words);
  window("shared", field("sharedSize"), field("shared"));
  code.get(record).get(here).op("i32x4.bitmask").get(lanes).op("i32.and").get(lanes).op("i32.eq");
  code.memory("i32.store", SITE.isShared).op("end");
  pushInsideOf(code, offsets, sizes, bytes);
  code.get(offsets).get(places).op("i32x4.add").set(places);
  pushBad(code, lanes, bad);
  code.if();
  code.get(context).get(low).get(high).get(places).get(bytes).get(lanes).get(bad).get(site);
  code.call(LOCATE.locateRecent).op("return", "end");
  code.get(places);
  pushPlaces(code, context, lanes);
  code.i32(1);
  return code;
}

/**
 * locateRecent(context, addresses of lanes 0 and 1, of 2 and 3, places, bytes, lanes, lanes without a place, site): returns
 * places in recently used regions, and 1; or 0 if one of the lanes is in none of them. If all lanes are in one region, the site
 * caches it.
 */
function locateRecent(): CodeWriter {
  const code = new CodeWriter(["i32", "v128", "v128", "v128", "i32", "i32", "i32", "i32"], RESULT_TYPES);
  const [context, low, high, places, bytes, lanes, rest, site] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const { a, b, offsets, sizes, inside } = code.named("v128", ["a", "b", "offsets", "sizes", "inside"]);
  const { region, end, found } = code.named("i32", ["region", "end", "found"]);
  code.get(context).memory("i32.load", CONTEXT.metRegions).set(region);
  code.get(context).memory("i32.load", CONTEXT.metEnd).set(end);
  code.block().loop();
  code.get(region).get(end).op("i32.eq").brIf(1);
  code.get(region).memory("v128.load64_splat", SITE.base).set(a);
  code.get(low).get(a).op("i64x2.sub").set(b);
  code.get(high).get(a).op("i64x2.sub").set(a);
  code.get(b).get(a).shuffleWords([0, 2, 4, 6]).set(offsets);
  code.get(b).get(a).shuffleWords([1, 3, 5, 7]).words(0).op("i32x4.eq");
  code.get(region).memory("v128.load32_splat", SITE.size).op("v128.and").set(sizes);
  pushInsideOf(code, offsets, sizes, bytes);
  code.tee(inside).op("i32x4.bitmask").get(rest).op("i32.and").tee(found).if();
  code.get(offsets).get(region).memory("v128.load32_splat", SITE.offset).op("i32x4.add");
  code.get(places).get(inside).op("v128.bitselect").set(places);
  code.get(found).get(lanes).op("i32.eq").if();
  pushRecord(code, context, site);
  code.get(region).memory("v128.load").memory("v128.store").op("end");
  code.get(rest).get(found).op("i32.xor").tee(rest).op("i32.eqz").if();
  code.get(places);
  pushPlaces(code, context, lanes);
  code.i32(1).op("return", "end", "end");
  code.get(region).i32(REGION_BYTES).op("i32.add").set(region).br(0).op("end", "end");
  code.get(context).get(low).memory("v128.store", CONTEXT.missed);
  code
    .get(context)
    .get(high)
    .memory("v128.store", CONTEXT.missed + 16);
  code.get(context).get(rest).memory("i32.store", CONTEXT.missedLanes);
  code.get(context).get(site).memory("i32.store", CONTEXT.missedSite);
  code.get(places).i32(0);
  return code;
}

function pushRecord(code: CodeWriter, context: Local, site: Local): void {
  code.get(context).memory("i32.load", CONTEXT.sites).get(site).i32(SITE_BYTES).op("i32.mul", "i32.add");
}

/** Pushes the addresses of four lanes' local memory. */
export function pushStacks(code: CodeWriter, context: Local, first: Local): void {
  code.get(first).op("i32x4.splat").v128([0, 1, 2, 3]).op("i32x4.add");
  code.get(context).memory("v128.load32_splat", CONTEXT.localStride).op("i32x4.mul");
  code.get(context).memory("v128.load32_splat", CONTEXT.local).op("i32x4.add");
}

/** Pushes ones for lanes whose `bytes` at the offset are inside and aligned. */
function pushInside(code: CodeWriter, offsets: Local, size: Local, bytes: Local): void {
  // size - bytes + 1 offsets are in range; none if the size is less than the bytes.
  code.get(offsets);
  code.get(size).get(bytes).op("i32.sub").i32(1).op("i32.add").i32(0);
  code.get(size).get(bytes).op("i32.ge_u", "select", "i32x4.splat", "i32x4.lt_u");
  code.get(offsets).get(bytes).i32(1).op("i32.sub", "i32x4.splat", "v128.and");
  code.words(0).op("i32x4.eq", "v128.and");
}

/** The same with a size for each lane. */
function pushInsideOf(code: CodeWriter, offsets: Local, sizes: Local, bytes: Local): void {
  code.get(sizes).get(bytes).op("i32x4.splat", "i32x4.ge_u");
  code.get(offsets).get(sizes).get(bytes).op("i32x4.splat", "i32x4.sub", "i32x4.le_u", "v128.and");
  code.get(offsets).get(bytes).i32(1).op("i32.sub", "i32x4.splat", "v128.and").words(0).op("i32x4.eq", "v128.and");
}

/** Takes ones for good lanes from the stack, and pushes the lanes of the mask that are not good. */
function pushBad(code: CodeWriter, lanes: Local, bad: Local): void {
  code.op("i32x4.bitmask").i32(-1).op("i32.xor").get(lanes).op("i32.and").tee(bad);
}

/** Replaces the places of lanes outside the mask by one that may be read. */
function pushPlaces(code: CodeWriter, context: Local, lanes: Local): void {
  code.get(context).i32(CONTEXT.nowhere).op("i32.add", "i32x4.splat");
  code.get(lanes).i32(4).op("i32.shl").get(context).op("i32.add").memory("v128.load", CONTEXT.masks);
  code.op("v128.bitselect");
}

export const createLocates = (): readonly CodeWriter[] => [locate64(), locate32(), locateGeneric(), locateRecent()];
