import test from "ava";
import { decodeUe8m0, ue8m0Encoder } from "../../../lib/base/num/ue8m0.js";

// [value, .rz, .rp, .rz.satfinite, .rp.satfinite], the results of __nv_cvt_float_to_e8m0 of CUDA 13.0's cuda_fp8.h.
const ROWS = [
  [0, 0x00, 0x00, 0x00, 0x00],
  [2 ** -149, 0x00, 0x00, 0x00, 0x00],
  [2 ** -127, 0x00, 0x00, 0x00, 0x00],
  [5.9e-39, 0x00, 0x01, 0x00, 0x01],
  [2 ** -126, 0x01, 0x01, 0x01, 0x01],
  [1, 0x7f, 0x7f, 0x7f, 0x7f],
  [-1.5, 0x7f, 0x80, 0x7f, 0x80],
  [3, 0x80, 0x81, 0x80, 0x81],
  [2 ** 127, 0xfe, 0xfe, 0xfe, 0xfe],
  [1.8e38, 0xfe, 0xff, 0xfe, 0xfe],
  [Infinity, 0xff, 0xff, 0xfe, 0xfe],
  [NaN, 0xff, 0xff, 0xff, 0xff],
] as const;

test("ue8m0 rounds to powers of two as CUDA's host conversion does", (t) => {
  for (const [x, rz, rp, rzFinite, rpFinite] of ROWS) {
    t.is(ue8m0Encoder("rz", false)(x), rz, `${x} rz`);
    t.is(ue8m0Encoder("rp", false)(x), rp, `${x} rp`);
    t.is(ue8m0Encoder("rz", true)(x), rzFinite, `${x} rz.satfinite`);
    t.is(ue8m0Encoder("rp", true)(x), rpFinite, `${x} rp.satfinite`);
  }
});

test("every ue8m0 value survives decoding and encoding", (t) => {
  for (let bits = 0; bits <= 255; bits++) t.is(ue8m0Encoder("rp", false)(decodeUe8m0(bits)), bits);
  t.is(decodeUe8m0(0), 2 ** -127);
  t.is(decodeUe8m0(254), 2 ** 127);
});
