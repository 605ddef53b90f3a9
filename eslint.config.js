// The rules for the page's modules, which run in browsers as they are written.

import css from "@eslint/css";
import js from "@eslint/js";
import stylistic from "@stylistic/eslint-plugin";
import globals from "globals";
import newer from "./tests/promised/newer_names.json" with { type: "json" };

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

// What a promised browser lacks (tests/promised/newer_names.js). Of members only calls are seen, by their names, not
// those names that an older interface or our own has as well: test_promised_browsers.py runs without them all.
const OURS = ["drop", "isVisible", "number", "percent", "share", "take", "turn"];
const NEWER = newer.onlyNewer.filter((name) => !OURS.includes(name));
const NEWER_MEMBERS = newer.members.map((path) => path.split("."));
const NEWER_GLOBALS = [
  ...newer.globals, ...NEWER_MEMBERS.filter(([object]) => object === "Window").map(([, property]) => property),
];
const TOO_NEW = "A promised browser lacks it: see tests/promised/newer_names.js.";
const inFolder = new Set(newer.inFolder);
const forbidden = (names) => names.map((name) => ({ name, message: TOO_NEW }));
const FORBIDDEN_AS_NEWER = [
  { selector: `CallExpression > MemberExpression.callee[property.name=/^(${NEWER.join("|")})$/]`, message: TOO_NEW },
  { selector: "StaticBlock", message: TOO_NEW },
  { selector: "Literal[regex.pattern=/[(][?]<[=!]/]", message: TOO_NEW },
  { selector: "TemplateElement[value.raw=/[(][?]<[=!]/]", message: TOO_NEW },
];

// numbers.js formats what a visitor reads. These files format what none does: CSS, SVG and files for programs.
const FORMATTERS = ["toExponential", "toFixed", "toLocaleString", "toPrecision"];
const FORMATS_OTHERS = [
  "engine/python_text", "handout/worksheet_pages", "page/classroom/teacher", "tabs/train_one/chart",
  "drawer/heads/grid", "drawer/measured_heads/measured_heads", "tabs/whole/boards/spikes", "ui/format_text",
  "ui/numbers",
];
const MEMBERS = NEWER_MEMBERS.map(([object, property]) => ({ object, property, message: TOO_NEW }));

// What a style sheet loses without them is decoration, or stands in @supports.
const DECORATION = [
  "accent-color", "break-after", "field-sizing", "font-family", "forced-color-adjust", "math-style", "outline",
  "overflow", "overscroll-behavior", "paint-order", "resize", "scrollbar-width", "text-wrap", "user-select", "zoom",
];

export default [
  { ignores: ["**/vendor/", "**/build/"] },
  {
    files: ["explorer/**/*.css"],
    plugins: { css },
    language: "css/css",
    languageOptions: { tolerant: true }, // of :is(...) around templates
    rules: {
      // page.py takes nesting apart; all promised browsers have :has
      "css/use-baseline": ["error", {
        available: 2022, allowAtRules: ["page"], allowSelectors: ["has", "nesting"], allowProperties: DECORATION,
      }],
    },
  },
  { files: ["**/*.js"], ...js.configs.recommended },
  {
    files: ["**/*.js"],
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
  {
    files: ["explorer/**/*.js"],
    languageOptions: { ecmaVersion: 2022 },
    rules: {
      "no-restricted-globals": ["error", ...forbidden(NEWER_GLOBALS)],
      "no-restricted-properties": ["error", ...MEMBERS],
      "no-restricted-syntax": ["error", ...FORBIDDEN, ...FORBIDDEN_AS_NEWER],
    },
  },
  {
    files: ["explorer/**/*.js"],
    ignores: FORMATS_OTHERS.map((name) => `explorer/${name}.js`),
    rules: {
      "no-restricted-properties": ["error", ...MEMBERS, ...FORMATTERS.map((property) => (
        { property, message: "See explorer/ui/numbers.js." }))],
    },
  },
  {
    files: ["explorer/site/*.js"],
    rules: { "no-restricted-globals": ["error", ...forbidden(NEWER_GLOBALS.filter((name) => !inFolder.has(name)))] },
  },
  // Names that Python writes values in place of (head.py, site.py).
  {
    files: ["explorer/page/head_script.js"],
    languageOptions: { globals: { LANGUAGE: false, NEEDED: false, OLD: false, SANDBOXED: false } },
  },
  {
    files: ["explorer/site/*.js"],
    languageOptions: { globals: { FAULTS: false, START: false, PAGES: false } },
  },
  { files: ["tests/**/*.js", "*.config.js"], languageOptions: { globals: globals.node } },
];
