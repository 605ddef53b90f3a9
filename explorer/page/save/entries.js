// The files that the dialog's buttons save, by the names of entries.py: `make` resolves to { name, type, data }, or to null
// if there is nothing to download. `data` is a text, bytes or a blob. A `SaveError` has a message for the visitor.
//
// `look` is a snapshot (snapshot.js): the `tab`, its attention view (`viewer`, Explore's unless the tab has its own), its
// `experiment` or null, the options `what`, `grey` and `caption`, and `notes`. `ask(...args)` sends a request to the entry's
// `serve` and resolves to the response; `settings` are those of the dialog, with the words `text`.

import { printWorksheet, createReport, createWorksheet } from "./handouts.js";
import { createPng, createSvg } from "./picture/picture.js";
import { createCsv, createUnchangedCsv, createJson, createNpz } from "./number_files.js";

/** `offered(look)` returns whether the file is available; without `offered` it always is. */
export const ENTRIES = {
  svg: { make: createSvg },
  png: { make: createPng },
  csv: { make: createCsv },
  csv_unchanged: { make: createUnchangedCsv, offered: ({ experiment }) => experiment !== null },
  json: { make: createJson },
  npz: { make: createNpz },
  report: { make: createReport },
  worksheet: { make: createWorksheet },
  print: { make: printWorksheet },
};
