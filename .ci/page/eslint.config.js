/* Whether every name exists is TypeScript's business; here it is whether it is used, and whether functions stay short. */

import js from "@eslint/js";

export default [
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      complexity: ["error", 20],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-lines-per-function": ["error", { max: 50, skipComments: true, skipBlankLines: true }],
      "no-console": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-shadow": "error",
      "no-undef": "off",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "require-await": "error",
    },
  },
];
