// The rules for the page's modules, which run in browsers as they are written.

import js from "@eslint/js";
import stylistic from "@stylistic/eslint-plugin";
import globals from "globals";

// Names, numbers and sums may share a line; values like these get a statement of their own.
const LONG_VALUE = "/^(Await|ArrowFunction|Call|Conditional|Function)Expression$/";

const SEVERAL = "VariableDeclaration[declarations.length>1]";

const FORBIDDEN = [
  { selector: "NewExpression[callee.name='Proxy']", message: "A search finds no name that a Proxy answers to." },
  {
    selector: "CallExpression[callee.object.name='Object'][callee.property.name='assign'] > ThisExpression:first-child",
    message: "An editor finds only fields that are declared, or assigned one by one.",
  },
  {
    selector: `:not(ForStatement) > ${SEVERAL} > VariableDeclarator[init.type=${LONG_VALUE}]`,
    message: "A call, a condition and a function are a statement of their own.",
  },
];

export default [
  { ignores: ["**/vendor/", "**/build/"] },
  js.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.worker } },
    plugins: { "@stylistic": stylistic },
    rules: {
      "@stylistic/max-len": ["error", { code: 120, ignoreUrls: true }],
      "@stylistic/max-statements-per-line": ["error", { max: 2 }], // `if (...) return;` counts as two
      eqeqeq: "error",
      "no-restricted-syntax": ["error", ...FORBIDDEN],
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
  // Names that Python writes values in place of (head.py, site.py).
  { files: ["explorer/page/head_script.js"], languageOptions: { globals: { LANGUAGE: false, SANDBOXED: false } } },
  {
    files: ["explorer/site/*.js"],
    languageOptions: { globals: { OLD: false, FAULTS: false, START: false, PAGES: false } },
  },
  { files: ["tests/**/*.js", "*.config.js"], languageOptions: { globals: globals.node } },
];
