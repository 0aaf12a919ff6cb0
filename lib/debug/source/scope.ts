// The C++ variables visible to a stopped lane in a call.

import { plainName } from "../../base/source-name.js";
import type { Process } from "../../load/process.js";
import type { SourceScope, SourceObject } from "../result.js";
import { functionDebug, unitVariables, variablesAt, type SourceVariable } from "./functions.js";
import { placeOfVariable, type LaneContext } from "./location.js";

export function sourceScope(process: Process, here: LaneContext): SourceScope {
  let locals: readonly SourceObject[] | undefined;
  let globals: readonly SourceObject[] | undefined;
  const objects = (find: typeof unitVariables | typeof variablesAt): readonly SourceObject[] => {
    const debug = functionDebug(process, here.frame.program.fn);
    return debug === undefined ? [] : distinct(find(debug, here.pc), here);
  };
  const scope: SourceScope = {
    locals: () => (locals ??= objects(variablesAt)),
    globals: () => (globals ??= objects(unitVariables)),
    find: (name) =>
      scope.locals().find((each) => each.name === name) ??
      scope.globals().find((each) => each.name === name) ??
      scope.globals().find((each) => plainName(each.name) === name),
  };
  return scope;
}

/** Adds the line to names that an inner block has already declared. */
function distinct(variables: readonly SourceVariable[], at: LaneContext): readonly SourceObject[] {
  const seen = new Set<string>();
  return variables.map((variable) => {
    const { name, line } = variable;
    const isHidden = seen.has(name);
    seen.add(name);
    const object = objectOf(variable, isHidden ? `${name} (line ${line})` : name, at);
    return isHidden ? { ...object, isHidden } : object;
  });
}

function objectOf(variable: SourceVariable, name: string, at: LaneContext): SourceObject {
  const place = placeOfVariable(variable, at);
  const { type } = variable;
  const { context, frame, lane } = at;
  if (place.kind === "register") return { name, type, context, place: { ...place, frame, lane } };
  return { name, type, context, place };
}
