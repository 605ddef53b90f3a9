// The places that the cells of a patch grid stand for; this module draws nothing.

import { fill, plainPiece } from "../../../ui/text.js";

const KINDS = ["encoder", "decoder", "cross"];
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/**
 * The tables of a grid in the order of its places (explorer/experiments/patching.py): one for each kind of head, or one for
 * a residual stream. `start` is the index of the first cell's place, rows are layers, columns are heads or positions.
 * `layers` is the number of layers by kind of attention.
 */
export function gridBlocks(grid, { layers, heads, sources, fed }) {
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

/** The places of a cell, or of its row if `column` is null, as an experiment names them. */
export function cellPlaces(grid, { kind, rows, columns }, row, column) {
  const selectedColumns = column === null ? columns : [columns[column]];
  return selectedColumns.map((place) => [kind, rows[row], place]);
}

/** Adds places to the previous ones; removes them instead if they are already there. */
export function togglePlaces(previousPlaces, places, shownPlaces) {
  const placesKey = (list) => list.map(String).sort().join();
  const placeNames = new Set(places.map(String));
  if (!previousPlaces.length) return placesKey(shownPlaces) === placesKey(places) ? [] : places;
  const remaining = previousPlaces.filter((place) => !placeNames.has(String(place)));
  return remaining.length + places.length === previousPlaces.length ? remaining : [...remaining, ...places];
}

/** The label of a column: the number of a head, or the piece at a position, or both sentences' pieces if they differ. */
export function columnLabel(grid, { sources: [first, second], fed }, column, text) {
  if (grid === "heads") return `${column + 1}`;
  if (grid === "decoder") return plainPiece(fed[column]);
  const [donorPiece, ownPiece] = [plainPiece(first[column]), plainPiece(second[column])];
  return donorPiece === ownPiece ? ownPiece : fill(text.changed, { own: ownPiece, taken: donorPiece });
}
