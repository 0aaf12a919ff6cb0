// What a case of the resolution matrix is, and how its modules and orders are written down.

/** What must come of the modules. */
export type Outcome =
  | {
      /**
       * Module whose definition `name` stands for in the image; "any" where all say the same, "-" where there is no such
       * name and the link is right all the same.
       */
      readonly chosen: string;
      readonly name?: string;
      /** Bytes. */
      readonly size?: number;
      /** The image's offset of it is a multiple of so many bytes. */
      readonly align?: number;
      /** Hexadecimal; absent where there are none. */
      readonly bytes?: string;
      /** Code of a warning, and the places that it must name, as "a:4". */
      readonly warning?: string;
      readonly places?: readonly string[];
    }
  | {
      /** Code of the error, and the places that it must name. */
      readonly error: string;
      /** Codes of what else is said. */
      readonly also?: readonly string[];
      readonly places: readonly string[];
    };

/** `orders` of the modules: "ab", "bca". */
export type Expectation = Outcome & { readonly orders: readonly string[] };

export interface MatrixCase {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** Module texts by name: a, b, c. */
  readonly modules: Readonly<Record<string, string>>;
  readonly expect: readonly Expectation[];
  /** Why nvlink does something else, where it does. */
  readonly differs?: string;
  /** Left out of the comparison: nvlink's tools cannot be asked. */
  readonly unasked?: boolean;
}

export const letters = ["a", "b", "c"] as const;

export const moduleOf = (body: string, target = "sm_80", version = "8.5"): string =>
  `.version ${version}\n.target ${target}\n.address_size 64\n${body}\n`;

/** The lines that two or three modules begin with, from line 4. */
export function modulesOf(bodies: readonly string[], target?: string): Readonly<Record<string, string>> {
  return Object.fromEntries(bodies.map((body, i) => [letters[i]!, moduleOf(body, target)]));
}

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

const ordersOf = (count: number): readonly (readonly number[])[] =>
  permutations(Array.from({ length: count }, (_, i) => i));
const orderText = (order: readonly number[]): string => order.map((i) => letters[i]).join("");
export const everyOrder = (count: number): readonly string[] => ordersOf(count).map(orderText);

/** Orders in which the same comes of the modules, together. */
export function grouped(count: number, outcome: (order: readonly number[]) => Outcome): Expectation[] {
  const groups = new Map<string, Expectation & { orders: string[] }>();
  for (const order of ordersOf(count)) {
    const what = outcome(order);
    const key = JSON.stringify(what);
    const known = groups.get(key);
    if (known !== undefined) known.orders.push(orderText(order));
    else groups.set(key, { orders: [orderText(order)], ...what });
  }
  return [...groups.values()];
}

export const pairs = <T>(items: readonly T[]): readonly (readonly [T, T])[] =>
  items.flatMap((first, i) => items.slice(i).map((second) => [first, second] as const));

export const triples = <T>(items: readonly T[]): readonly (readonly [T, T, T])[] =>
  items.flatMap((first, i) => pairs(items.slice(i)).map(([second, third]) => [first, second, third] as const));
