// Formats what a device printf prints: the conversions of C's printf as the CUDA C++ programming guide lists them ("format
// specifiers"). Arguments are in the block that vprintf receives, each at a multiple of its size of 4 or 8 bytes, float promoted
// to double. Unknown conversions are printed unchanged.

/** Reads the argument block of one lane. */
export interface PrintfArguments {
  /** `bytes` bytes at that offset of the block, which must exist. */
  read(offset: number, bytes: number): DataView;
  /** The string that an argument points to. */
  string(address: number): string;
  /** Bytes of a pointer, a size_t and a long. */
  readonly pointerBytes: 4 | 8;
}

export interface Printed {
  readonly text: string;
  /** Number of arguments that conversions used, including `*`: the result of printf. */
  readonly count: number;
}

const specification = /%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|z|j|t|L)?([diouxXcspfFeEgGaA%])/gy;

interface Flags {
  readonly left: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternate: boolean;
  readonly zero: boolean;
}

/** Upper bound of a field's padding, whatever a format requests. */
const WIDTH_LIMIT = 65_536;

export function formatPrintf(format: string, block: PrintfArguments): Printed {
  let offset = 0;
  let count = 0;
  let text = "";
  const next = (bytes: 4 | 8): DataView => {
    offset = Math.ceil(offset / bytes) * bytes;
    const view = block.read(offset, bytes);
    offset += bytes;
    count++;
    return view;
  };
  for (let at = 0; at < format.length;) {
    const percent = format.indexOf("%", at);
    if (percent < 0) {
      text += format.slice(at);
      break;
    }
    text += format.slice(at, percent);
    specification.lastIndex = percent;
    const match = specification.exec(format);
    if (match === null) {
      text += "%";
      at = percent + 1;
      continue;
    }
    at = percent + match[0].length;
    if (match[5] === "%") {
      text += "%";
      continue;
    }
    text += convert(match, next, block);
  }
  return { text, count };
}

function convert(match: RegExpExecArray, next: (bytes: 4 | 8) => DataView, block: PrintfArguments): string {
  const [, flagText, widthText, precisionText, length, conversion] = match;
  const star = (): number => next(4).getInt32(0, true);
  const width = widthText === "*" ? star() : Number(widthText ?? 0);
  const asked = precisionText === "*" ? star() : precisionText === undefined ? -1 : Number(precisionText);
  const precision = Math.min(asked, WIDTH_LIMIT);
  const flags: Flags = {
    left: flagText!.includes("-") || width < 0,
    plus: flagText!.includes("+"),
    space: flagText!.includes(" "),
    alternate: flagText!.includes("#"),
    zero: flagText!.includes("0"),
  };
  const isInteger = "diouxX".includes(conversion!);
  const { sign, prefix, body } = isInteger
    ? integerParts(
        conversion!,
        readInteger(next, length, conversion === "d" || conversion === "i", block.pointerBytes),
        flags,
        precision,
      )
    : otherParts(conversion!, next, block, flags, precision);
  const mayFill =
    flags.zero && !flags.left && (isInteger ? precision < 0 : /[feEgGaA]/i.test(conversion!) && /\d/.test(body));
  return pad(sign + prefix, body, Math.min(Math.abs(width), WIDTH_LIMIT), flags.left, mayFill);
}

interface Parts {
  readonly sign: string;
  readonly prefix: string;
  readonly body: string;
}

function pad(head: string, body: string, width: number, left: boolean, zeros: boolean): string {
  const missing = Math.max(0, width - head.length - body.length);
  if (left) return head + body + " ".repeat(missing);
  return zeros ? head + "0".repeat(missing) + body : " ".repeat(missing) + head + body;
}

/**
 * long long and intmax_t are 8 bytes; long, size_t and ptrdiff_t have the size of a pointer; h and hh use the low bits of an int.
 */
function readInteger(
  next: (bytes: 4 | 8) => DataView,
  length: string | undefined,
  signed: boolean,
  pointerBytes: 4 | 8,
): bigint {
  const isPointerLong = length === "l" || length === "z" || length === "t";
  const bytes = length === "ll" || length === "j" ? 8 : isPointerLong ? pointerBytes : 4;
  const view = next(bytes);
  const raw = bytes === 8 ? view.getBigUint64(0, true) : BigInt(view.getUint32(0, true));
  const bits = length === "hh" ? 8 : length === "h" ? 16 : 8 * bytes;
  return signed ? BigInt.asIntN(bits, raw) : BigInt.asUintN(bits, raw);
}

const signText = (negative: boolean, flags: Flags): string =>
  negative ? "-" : flags.plus ? "+" : flags.space ? " " : "";

function integerParts(conversion: string, value: bigint, flags: Flags, precision: number): Parts {
  const radix = conversion === "o" ? 8 : conversion === "x" || conversion === "X" ? 16 : 10;
  const magnitude = value < 0n ? -value : value;
  const digits = precision === 0 && value === 0n ? "" : magnitude.toString(radix);
  const body = digits.padStart(precision, "0");
  const isSigned = conversion === "d" || conversion === "i";
  const octal = flags.alternate && radix === 8 && !body.startsWith("0") ? "0" : "";
  const hex = flags.alternate && radix === 16 && value !== 0n ? "0x" : "";
  const upper = conversion === "X";
  return {
    sign: isSigned ? signText(value < 0n, flags) : "",
    prefix: upper ? hex.toUpperCase() : hex,
    body: octal + (upper ? body.toUpperCase() : body),
  };
}

function otherParts(
  conversion: string,
  next: (bytes: 4 | 8) => DataView,
  block: PrintfArguments,
  flags: Flags,
  precision: number,
): Parts {
  const plain = (body: string): Parts => ({ sign: "", prefix: "", body });
  const pointer = (): bigint =>
    block.pointerBytes === 8 ? next(8).getBigUint64(0, true) : BigInt(next(4).getUint32(0, true));
  switch (conversion) {
    case "c":
      return plain(String.fromCharCode(next(4).getUint8(0)));
    case "s": {
      const address = Number(pointer());
      const text = address === 0 ? "(null)" : block.string(address);
      return plain(precision < 0 ? text : text.slice(0, precision));
    }
    case "p": {
      const address = pointer();
      return plain(address === 0n ? "(nil)" : `0x${address.toString(16)}`);
    }
    default:
      return floatParts(conversion, next(8).getFloat64(0, true), flags, precision);
  }
}

function floatParts(conversion: string, value: number, flags: Flags, precision: number): Parts {
  const negative = value < 0 || Object.is(value, -0);
  const sign = signText(negative, flags);
  const lower = conversion.toLowerCase();
  const magnitude = Math.abs(value);
  const special = Number.isNaN(value) ? "nan" : magnitude === Infinity ? "inf" : undefined;
  const body = special ?? floatBody(lower, magnitude, flags, precision);
  const [prefix, digits] = body.startsWith("0x") ? ["0x", body.slice(2)] : ["", body];
  const isUpper = lower !== conversion;
  return { sign, prefix: isUpper ? prefix.toUpperCase() : prefix, body: isUpper ? digits.toUpperCase() : digits };
}

function floatBody(conversion: string, magnitude: number, flags: Flags, precision: number): string {
  const places = precision < 0 ? 6 : precision;
  switch (conversion) {
    case "f":
      return withPoint(fixed(magnitude, places), flags);
    case "e":
      return withPoint(exponential(magnitude, places), flags);
    case "g":
      return general(magnitude, places === 0 ? 1 : places, flags);
    default:
      return hexadecimal(magnitude, precision, flags);
  }
}

/** `#` keeps the point even if no digit follows it. */
function withPoint(text: string, flags: Flags): string {
  return flags.alternate && !text.includes(".") ? text.replace(/(?=e|$)/, ".") : text;
}

/** A finite double as mantissa * 2^exponent, exactly. */
function exactly(magnitude: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, magnitude);
  const bits = view.getBigUint64(0);
  const field = Number(bits >> 52n) & 0x7ff;
  const fraction = bits & 0xfffffffffffffn;
  return field === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10000000000000n, exponent: field - 1075 };
}

/**
 * magnitude * 10^places, rounded to the nearest integer, ties to even. It is exact, whereas toFixed stops at 100 places and 1e21.
 */
function scaled(magnitude: number, places: number): bigint {
  const { mantissa, exponent } = exactly(magnitude);
  let top = mantissa;
  let bottom = 1n;
  if (places >= 0) top *= 10n ** BigInt(places);
  else bottom *= 10n ** BigInt(-places);
  if (exponent >= 0) top <<= BigInt(exponent);
  else bottom <<= BigInt(-exponent);
  const quotient = top / bottom;
  const twice = 2n * (top % bottom);
  return twice > bottom || (twice === bottom && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

function fixed(magnitude: number, places: number): string {
  const digits = scaled(magnitude, places)
    .toString()
    .padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Decimal exponent and digits of a number, with that many places after the first digit. */
function decimal(magnitude: number, places: number): { readonly digits: string; readonly exponent: number } {
  if (magnitude === 0) return { digits: "0".repeat(places + 1), exponent: 0 };
  let exponent = Math.floor(Math.log10(magnitude));
  let digits = scaled(magnitude, places - exponent).toString();
  // The logarithm may be off by one, and rounding may carry into a further digit.
  if (digits.length > places + 1) digits = scaled(magnitude, places - ++exponent).toString();
  else if (digits.length < places + 1) digits = scaled(magnitude, places - --exponent).toString();
  return { digits, exponent };
}

function exponential(magnitude: number, places: number): string {
  const { digits, exponent } = decimal(magnitude, places);
  return `${digits[0]}${places === 0 ? "" : `.${digits.slice(1)}`}${exponentText(exponent)}`;
}

function exponentText(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** %g: fixed or exponential, as C defines it, without trailing zeros unless `#`. */
function general(magnitude: number, significant: number, flags: Flags): string {
  const { exponent } = decimal(magnitude, significant - 1);
  const isFixed = exponent >= -4 && exponent < significant;
  const text = isFixed ? fixed(magnitude, significant - 1 - exponent) : exponential(magnitude, significant - 1);
  if (flags.alternate) return withPoint(text, flags);
  return text.includes(".") ? text.replace(/\.?0+(?=e|$)/, "") : text;
}

/** %a: the mantissa's hexadecimal digits, as the C library of Linux writes them: 0x1.8p+0; subnormals begin with 0x0. */
function hexadecimal(magnitude: number, precision: number, flags: Flags): string {
  const { mantissa, exponent } = exactly(magnitude);
  const isSubnormal = mantissa < 0x10000000000000n;
  const power = magnitude === 0 ? 0 : exponent + 52;
  let shown = mantissa;
  let digits = 13;
  if (precision >= 0 && precision < 13) {
    const drop = BigInt(4 * (13 - precision));
    const rest = shown & ((1n << drop) - 1n);
    const halfway = 1n << (drop - 1n);
    shown >>= drop;
    if (rest > halfway || (rest === halfway && (shown & 1n) === 1n)) shown += 1n;
    digits = precision;
  }
  const lead = shown >> BigInt(4 * digits);
  let fraction = digits === 0 ? "" : (shown & ((1n << BigInt(4 * digits)) - 1n)).toString(16).padStart(digits, "0");
  if (precision < 0) fraction = fraction.replace(/0+$/, "");
  else if (precision > 13) fraction = fraction.padEnd(precision, "0");
  const point = fraction !== "" || flags.alternate ? "." : "";
  const shownPower = isSubnormal && magnitude !== 0 ? -1022 : power;
  return `0x${lead}${point}${fraction}p${shownPower < 0 ? "-" : "+"}${Math.abs(shownPower)}`;
}
