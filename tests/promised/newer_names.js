// Writes newer_names.json: the promised browsers, and the names of JavaScript and browsers that one of them lacks, by
// MDN's tables (browser-compat-data). eslint.config.js forbids the names, and test_promised_browsers.py uses the page
// without what they name. `inFolder` has those of them that no browser lacks that is promised for the folder.
//
//   node tests/promised/newer_names.js           writes the file anew
//   node tests/promised/newer_names.js --check   fails if it would be another one

import { readFileSync, writeFileSync } from "node:fs";
import bcd from "@mdn/browser-compat-data" with { type: "json" };

// Windows 7 and 8 end with Chrome 109, iPadOS 15 with Safari 15.6; schools had Firefox 128 as their ESR of 2024. The
// folder without a server needs the SIMD of WebAssembly.
const PROMISED = { chrome: "109", firefox: "128", safari_ios: "15.6" };
const FOLDER = { ...PROMISED, safari_ios: "16.4" };
const FILE = new URL("newer_names.json", import.meta.url);

function isAsOld(version, promised) {
  const [[major, minor = 0], [last, lastMinor = 0]] = [version, promised].map((text) => (
    text.replace("≤", "").split(".").map(Number)));
  return major < last || (major === last && minor <= lastMinor);
}

/** Whether a browser has something by its own name and without a switch, be it in part. */
function hasIt(support, promised) {
  return [support].flat().some((one) => typeof one?.version_added === "string" && one.version_added !== "preview"
    && !one.flags && !one.prefix && !one.alternative_name && isAsOld(one.version_added, promised)
    && !(typeof one.version_removed === "string" && isAsOld(one.version_removed, promised)));
}

function isNewer({ __compat: { support } }, promised = PROMISED) {
  return !Object.entries(promised).every(([browser, version]) => hasIt(support[browser], version));
}

function isStandard({ __compat: compat }) {
  return compat !== undefined && compat.status.standard_track && !compat.status.deprecated;
}

/** The members of an interface by their names, static ones as well. */
function membersOf(name, feature) {
  const members = Object.entries(feature).filter(([member, one]) => (
    /^[a-z]\w*$/i.test(member) && member !== name && !/_event$|_parameter|_support/.test(member) && isStandard(one)));
  return members.map(([member, one]) => [member.replace(/_static$/, ""), one, member.endsWith("_static")]);
}

const interfaces = [bcd.api, bcd.javascript.builtins].flatMap(Object.entries);
const newerGlobals = interfaces.filter(([, feature]) => isStandard(feature) && isNewer(feature));
const globals = newerGlobals.map(([name]) => name);
const members = interfaces.filter(([name]) => !globals.includes(name)).flatMap(([name, feature]) => (
  membersOf(name, feature).map(([member, one, isStatic]) => (
    { name, member, isStatic, isNewer: isNewer(one), isNewerThanFolder: isNewer(one, FOLDER) }))));
const old = new Set(members.filter((one) => !one.isNewer).map(({ member }) => member));
const newer = members.filter((one) => one.isNewer);
const inFolder = [
  ...newerGlobals.filter(([, feature]) => !isNewer(feature, FOLDER)).map(([name]) => name),
  ...newer.filter((one) => !one.isNewerThanFolder).map(({ name, member }) => `${name}.${member}`),
];
const names = {
  promised: { page: PROMISED, folder: FOLDER },
  globals: globals.sort(),
  members: [...new Set(newer.map(({ name, member }) => `${name}.${member}`))].sort(),
  statics: newer.filter(({ isStatic }) => isStatic).map(({ name, member }) => `${name}.${member}`).sort(),
  inFolder: [...new Set(inFolder)].sort(),
  onlyNewer: [...new Set(newer.map(({ member }) => member).filter((member) => !old.has(member)))].sort(),
};
const text = `${JSON.stringify(names, null, 1)}\n`;
if (!process.argv.includes("--check")) writeFileSync(FILE, text);
else if (readFileSync(FILE, "utf8") !== text) throw new Error("newer_names.json is another one: see newer_names.js");
