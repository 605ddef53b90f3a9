// Which place each cell of a grid of patches stands for. No drawing here.

import { fill, plainPiece } from "../../../ui/text.js";

const KINDS = ["encoder", "decoder", "cross"];
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/**
 * The tables of a grid in the order of its places (explorer/experiments/patching.py): a table for every kind of head, or
 * one for the streams; `start` is the place of its first cell, rows are layers, and columns heads or positions. `layers`
 * has their number by kind of attention.
 */
export function blocks(grid, { layers, heads, sources, fed }) {
  if (grid === "heads") {
    let start = 0;
    return KINDS.map((kind) => {
      const block = { kind, start, rows: range(0, layers[kind]), columns: range(0, heads) };
      start += layers[kind] * heads;
      return block;
    });
  }
  const positions = grid === "encoder" ? Math.min(...sources.map(({ length }) => length)) : fed.length;
  return [{ kind: grid, start: 0, rows: range(-1, layers[grid]), columns: range(0, positions) }];
}

/** The places of a cell, or where `column` is null those of its row, as an experiment names them. */
export function placesOf(grid, { kind, rows, columns }, row, column) {
  const chosen = column === null ? columns : [columns[column]];
  return chosen.map((place) => [kind, rows[row], place]);
}

/** Some places and others; where the others are just what is there, they are taken away instead. */
export function added(before, places, shown) {
  const key = (found) => found.map(String).sort().join();
  const names = new Set(places.map(String));
  if (!before.length) return key(shown) === key(places) ? [] : places;
  const rest = before.filter((place) => !names.has(String(place)));
  return rest.length + places.length === before.length ? rest : [...rest, ...places];
}

/** What a column is called: a head by its number, a position by its pieces, those of both sentences where they differ. */
export function labelOf(grid, { sources: [first, second], fed }, column, text) {
  if (grid === "heads") return `${column + 1}`;
  if (grid === "decoder") return plainPiece(fed[column]);
  const [taken, own] = [plainPiece(first[column]), plainPiece(second[column])];
  return taken === own ? own : fill(text.changed, { own, taken });
}
