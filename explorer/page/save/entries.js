// What the buttons of the dialog make, by the names of entries.py: each promises a file { name, type, data }, or null where
// there is none to download. `data` is a text, bytes or a blob. A `Refused` (file.js) tells the visitor why there is none.
//
// `look` is what is in front of the visitor: the `tab`, its attention view (`viewer`, that of Explore unless the tab has one
// of its own), its `experiment` (null without one), the picture's choices `what`, `grey` and `caption`, and `notes`. `ask(...given)`
// asks the entry's `serve` and gives what it answers, read from JSON; `settings` are those of the dialog, with the words `text`.

import { print, report, worksheet } from "./handouts.js";
import { pngFile, svgFile } from "./picture/picture.js";
import { csv, csvUnchanged, json, npz } from "./numbers.js";

/** `offered(look)` says whether there is such a file; without it there always is. */
export const ENTRIES = {
  svg: { make: svgFile },
  png: { make: pngFile },
  csv: { make: csv },
  csv_unchanged: { make: csvUnchanged, offered: ({ experiment }) => experiment !== null },
  json: { make: json },
  npz: { make: npz },
  report: { make: report },
  worksheet: { make: worksheet },
  print: { make: print },
};
