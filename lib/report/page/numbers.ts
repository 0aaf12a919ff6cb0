// Formats numbers for the pages.

export const percentText = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.0995 ? 1 : 0)} %`;

const binary = ["B", "KiB", "MiB", "GiB", "TiB"];

export function bytesText(count: number): string {
  let at = 0;
  let value = count;
  while (value >= 1024 && at < binary.length - 1) {
    value /= 1024;
    at++;
  }
  return `${at === 0 ? value : value.toFixed(1)} ${binary[at]}`;
}

const decimal = ["", "k", "M", "G", "T", "P"];

/** A number with a unit prefix: "12.3 T". */
export function scaled(value: number): string {
  let at = 0;
  let rest = value;
  while (rest >= 1000 && at < decimal.length - 1) {
    rest /= 1000;
    at++;
  }
  return `${Number(rest.toPrecision(3))} ${decimal[at]}`;
}

/** 12345678 as "12,345,678". */
export const grouped = (value: number): string => String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ",");
