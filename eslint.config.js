// Lint rules. The one that matters most is the order of imports between the stages of lib (.ci/stages.mjs).
import tseslint from "typescript-eslint";
import { stages } from "./.ci/stages.mjs";

const forbid = (files, groups) => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns: groups }] },
});

export default tseslint.config(
  {
    ignores: ["dist/**", "node_modules/**", "testdata/**"],
  },
  ...tseslint.configs.recommended,
  {
    files: ["**/*.ts"],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  { files: ["cli/**/*.ts", "bench/**/*.ts", "test/**/*.ts"], rules: { "no-console": "off" } },
  forbid(["formats/**/*.ts"], [{ group: ["**/lib/**", "**/cli/**"], message: "formats know nothing of lib or cli" }]),
  ...stages.map((stage, i) =>
    forbid(
      [`lib/${stage}/**/*.ts`],
      [
        {
          group: ["**/cli/**", "**/index.js", "!**/formats/*/index.js"],
          message: "lib never imports cli or its own index",
        },
        ...stages.slice(i + 1).map((later) => ({
          group: [`**/${later}/*`, `!**/formats/${later}/*`],
          message: `lib/${stage} comes before lib/${later}`,
        })),
      ],
    ),
  ),
);
