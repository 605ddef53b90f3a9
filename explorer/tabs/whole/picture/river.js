// The memory as a river: the encoder's lanes turn down, run back between the stacks and drop into each cross-attention.

import { dropX, laneY } from "./layout.js";
import { pointedRow } from "./pointed.js";
import { LETTERS } from "./view.js";
import { plainPiece, shorten } from "../../../ui/text.js";

const FEW = 40; // tokens whose ways together are still no dark band
const LIT = 0.12; // weight of a source token whose way to the step is lit

/** @typedef {import("./view.js").View} View */

/** The encoder's lanes turn down, run back and drop into every layer's cross-attention; the step's are lit. */
export function drawRiver(view) {
  const { context, layout, scene, scene: { colours, trace, step, config, hiddenTokens } } = view;
  const map = trace.kinds.cross;
  const chosen = pointedRow(scene, "cross");
  const lit = Array.from({ length: config.layers.decoder }, (_, layer) => (
    map.ready ? map.meanRows(layer)[chosen?.row ?? step] : null));
  context.strokeStyle = colours.cross;
  context.lineJoin = "round";
  for (let token = 0; token < layout.encoder.count; token++) {
    if (hiddenTokens.includes(token)) continue; // nothing of it arrives
    context.globalAlpha = 0.28 * Math.min(1, FEW / layout.encoder.count);
    context.lineWidth = Math.max(0.5, Math.min(2, 0.1 * layout.pitch));
    for (let layer = 0; layer < config.layers.decoder; layer++) drawDrop(view, token, layer);
    lit.forEach((weights, layer) => {
      const isLit = (chosen?.key ?? null) === null ? weights?.[token] >= LIT : token === chosen.key;
      if (!weights || !isLit) return;
      context.globalAlpha = 0.9;
      context.lineWidth = Math.max(0.8, weights[token] * Math.min(10, 0.7 * layout.pitch));
      drawDrop(view, token, layer);
    });
  }
  context.globalAlpha = 1;
}

function drawDrop(view, token, layer) {
  const { context, layout } = view;
  const { river, encoder, decoder } = layout;
  const share = (token + 0.5) / encoder.count;
  const span = layout.isNarrow ? 8 : 20;
  const bus = view.y(river.bottom - share * (river.bottom - river.top));
  const right = view.x(river.turn + 2 + (1 - share) * span);
  const drop = view.x(dropX(layout, decoder.layers[layer].cross, token));
  const y = view.y(laneY(layout, "encoder", token));
  context.beginPath();
  context.moveTo(view.x(river.turn), y);
  context.lineTo(right, y);
  context.lineTo(right, bus);
  context.lineTo(drop, bus);
  context.lineTo(drop, view.y(decoder.top - 6));
  context.stroke();
}

/** The source's tokens on the drops, where there is room. */
export function drawDropNames(view) {
  const { context, layout, scene: { trace, config, colours, hiddenTokens } } = view;
  for (let layer = 0; layer < config.layers.decoder; layer++) {
    const { cross } = layout.decoder.layers[layer];
    const gap = ((cross.end - cross.start) / layout.encoder.count) * view.kx * 0.76;
    if (gap < 15 || !view.isSeen(cross.start, cross.end)) continue;
    const looked = lookedAt(view, "encoder");
    trace.source.forEach(({ text }, token) => {
      if (hiddenTokens.includes(token)) return;
      context.save();
      context.translate(view.x(dropX(layout, cross, token)) + 4, view.y(layout.decoder.top) - 42);
      context.rotate(-Math.PI / 4);
      view.write(shorten(plainPiece(text), LETTERS), 0, 0, {
        size: 12, colour: colours.ink, isBold: (looked?.[token] ?? 0) > 0.3, hasHalo: true,
      });
      context.restore();
    });
  }
}

/** How much the step, or the lane that is pointed at, looks at each source token: the last layer's mean over heads. */
export function lookedAt(view, stack) {
  const { trace: { kinds: { cross } }, step, pointed } = view.scene;
  if (stack !== "encoder" || !cross.ready) return null;
  return cross.meanRows(cross.layers - 1)[pointed?.stack === "decoder" ? pointed.lane : step];
}
