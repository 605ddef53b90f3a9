// What the buttons of the dialog make, by the names of entries.py: each promises a file { name, type, data }, or null where
// there is none to download. `data` is a text, bytes or a blob.
//
// `look` is what is in front of the visitor: the `tab`, its attention view (`viewer`, that of Explore unless the room has one
// of its own), its `experiment` (null without one), and the picture's choices `what`, `grey` and `caption`. `ask(...given)`
// asks the entry's `serve` and gives what it answers, read from JSON; `settings` are those of the entry and the words `text`.

export const ENTRIES = {};
