// The questions of the dialog Save, by name; long answers are generators (work.js).

import { Handouts } from "../handout/report.js";
import { everythingJson, everythingNpz } from "./everything.js";
import { csvJson } from "./matrix.js";

/** `translationJson` and `fetchFile` are those of handout/report.js. */
export function saveQuestions(laboratory, translationJson, fetchFile) {
  const handouts = new Handouts(laboratory, translationJson, fetchFile);
  return {
    "save.csv": (request) => csvJson(laboratory, request),
    "save.csv_unchanged": (request) => csvJson(laboratory, request),
    "save.json": (sentence, changes) => everythingJson(laboratory, sentence, changes),
    "save.npz": (sentence, changes) => everythingNpz(laboratory, sentence, changes),
    "save.report": (...args) => handouts.report(...args),
    "save.worksheet": (sentence) => handouts.worksheet(sentence),
    "save.print": (sentence) => handouts.worksheet(sentence),
  };
}
