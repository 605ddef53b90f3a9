// Fails where something has no type in the folders below (noImplicitAny); the others need none yet. TypeScript has the
// setting for whole programs only, whose modules import each other: its findings in other folders are left out here.

import { execFileSync } from "node:child_process";
import process from "node:process";

const FOLDERS = [
  "explorer/derived/", "explorer/engine/", "explorer/tabs/whole/boards/", "explorer/tabs/whole/picture/",
];
const FINDING = /^\S+\(\d+,\d+\): error TS\d+: |^ /; // and the lines that go on with one

function findings() {
  try {
    return execFileSync("npx", ["tsc", "--noImplicitAny", "--pretty", "false"], { encoding: "utf8" });
  } catch (error) {
    if (!error.stdout) throw error;
    return error.stdout;
  }
}

const lines = findings().split("\n").filter(Boolean);
const unknown = lines.find((line) => !FINDING.test(line));
if (unknown) throw new Error(`tsc says something else than findings: ${unknown}`);
const found = lines.filter((line) => FOLDERS.some((folder) => line.startsWith(folder)));
if (found.length) {
  console.error(found.join("\n"));
  process.exitCode = 1;
}
