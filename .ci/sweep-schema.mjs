// The schema of a sweep's specification: the launch is one of `run --launch` in which any number may be an arithmetic expression
// over the parameters. `npm run schemas` writes it; test/schemas.test.ts compares it with the file.

const expression = {
  type: "string",
  pattern: "^=",
  description: "Arithmetic over the parameters: numbers, + - * / %, parentheses, ceil, floor, min, max.",
};
const reference = { $ref: "#/definitions/expression" };
const isNumber = ({ type }) => type === "number" || type === "integer";

/** The same schema with an expression allowed in place of each number. */
function withExpressions(schema) {
  if (Array.isArray(schema)) return schema.map(withExpressions);
  if (typeof schema !== "object" || schema === null) return schema;
  if (isNumber(schema)) return { anyOf: [schema, reference] };
  return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, withExpressions(part)]));
}

/** Made from the schema of launch specifications and the names that parameters must not have. */
export function sweepSchema({ definitions, $schema, ...rest }, reserved) {
  const launch = { ...rest };
  delete launch.title;
  const list = (items) => ({ type: "array", minItems: 1, items });
  return {
    $schema,
    title: "A specification of ptxkit sweep",
    type: "object",
    properties: {
      inputs: { ...list({ type: "string", minLength: 1 }), description: "Files of the program." },
      gpus: { ...list({ type: "string", minLength: 1 }), description: "Names of models, or files of models." },
      parameters: {
        type: "object",
        description: "The values of each parameter. Every combination is a run on every GPU.",
        propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_]*$", not: { enum: reserved } },
        additionalProperties: list({ type: "number" }),
      },
      launch: { $ref: "#/definitions/launchSpecification" },
    },
    required: ["inputs", "gpus", "launch"],
    additionalProperties: false,
    definitions: { ...withExpressions({ ...definitions, launchSpecification: launch }), expression },
  };
}
