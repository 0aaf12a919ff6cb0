// Evaluates arithmetic in a sweep's launch: "=ceil(n / block)". It has numbers, parameters by name, + - * / %, parentheses, and
// ceil, floor, min, max.

export type Evaluated =
  { readonly ok: true; readonly value: number } | { readonly ok: false; readonly problem: string };

const functions: Readonly<Record<string, (...values: readonly number[]) => number>> = {
  ceil: Math.ceil,
  floor: Math.floor,
  min: Math.min,
  max: Math.max,
};

/** Nesting limit of parentheses. */
const MAX_DEPTH = 64;

/** Evaluates `text`, without the equals sign. */
export function evaluate(text: string, names: ReadonlyMap<string, number>): Evaluated {
  const tokens = text.match(/\d+(?:\.\d+)?|[A-Za-z_]\w*|\S/g) ?? [];
  let at = 0;
  let problem: string | undefined;
  const fail = (what: string): number => {
    problem ??= what;
    return NaN;
  };
  const take = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  };

  function sum(depth: number): number {
    let value = product(depth);
    for (;;)
      if (take("+")) value += product(depth);
      else if (take("-")) value -= product(depth);
      else return value;
  }

  function product(depth: number): number {
    let value = operand(depth);
    for (;;)
      if (take("*")) value *= operand(depth);
      else if (take("/")) value /= operand(depth);
      else if (take("%")) value %= operand(depth);
      else return value;
  }

  function operand(depth: number): number {
    if (depth > MAX_DEPTH) return fail("it is nested too deeply");
    const token = tokens[at++];
    if (token === undefined) return fail("it ends too early");
    if (/^\d/.test(token)) return Number(token);
    if (token === "-") return -operand(depth + 1);
    if (token === "(") return closed(sum(depth + 1));
    if (Object.hasOwn(functions, token)) {
      if (!take("(")) return fail(`'(' is expected after ${token}`);
      const values = [sum(depth + 1)];
      while (take(",")) values.push(sum(depth + 1));
      return closed(functions[token]!(...values));
    }
    return (
      names.get(token) ?? fail(/^\w/.test(token) ? `there is no parameter '${token}'` : `'${token}' is not expected`)
    );
  }

  function closed(value: number): number {
    return take(")") ? value : fail("')' is missing");
  }

  const value = sum(0);
  if (problem === undefined && at < tokens.length) problem = `'${tokens[at]!}' is not expected`;
  if (problem === undefined && !Number.isFinite(value)) problem = "it has no finite value";
  return problem === undefined ? { ok: true, value } : { ok: false, problem };
}
