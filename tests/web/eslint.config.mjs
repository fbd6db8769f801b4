// The rules of `npm run lint`, for the page (web/), the page of `copse analyze` (src/analysis/page/) and these tests.

import js from "@eslint/js";
import globals from "globals";

const rules = {
  ...js.configs.recommended.rules,
  eqeqeq: "error",
  "no-undef": "error",
  "no-unused-vars": "error",
  "no-var": "error",
  "prefer-const": "error",
};

export default [
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  { files: ["web/*.js"], rules, languageOptions: { globals: globals.browser } },
  // Written into a page as it stands, so it is no module.
  { files: ["src/analysis/page/*.js"], rules, languageOptions: { sourceType: "script", globals: globals.browser } },
  // What they give to page.evaluate() runs in the browser.
  { files: ["tests/web/*.mjs"], rules, languageOptions: { globals: { ...globals.node, ...globals.browser } } },
];
