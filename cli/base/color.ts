// Whether text is coloured: --color decides, then FORCE_COLOR and NO_COLOR as in Node.js, then whether the stream is a terminal.
// A terminal with TERM=dumb supports neither colours nor redrawing a line.

type Environment = Readonly<Record<string, string | undefined>>;

export const isDumb = (environment: Environment): boolean => environment["TERM"] === "dumb";

/**
 * `columns`: of the terminal; undefined if the stream is no terminal. FORCE_COLOR=0 or false means no colours, as NO_COLOR does.
 */
export function isColored(
  when: "auto" | "always" | "never",
  columns: number | undefined,
  environment: Environment,
): boolean {
  if (when !== "auto") return when === "always";
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return columns !== undefined && !isDumb(environment) && (environment["NO_COLOR"] ?? "") === "";
}
