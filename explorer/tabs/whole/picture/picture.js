// Draws the whole model and its layers on a canvas.

import { drawLayer } from "./blocks.js";
import { project } from "./camera.js";
import { headBoxes } from "./heads.js";
import { drawLabels, drawOutput, drawTitles } from "./labels.js";
import { drawCurrentLane, drawLanes, drawLoop, drawStart } from "./lanes.js";
import { frameOf } from "./layout.js";
import { drawNotes } from "./pointed.js";
import { drawDropNames, drawRiver } from "./river.js";
import { View } from "./view.js";

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("./camera.js").Camera} camera
 * @param {import("./view.js").PictureScene} scene
 */
export function drawPicture(context, camera, scene) {
  const view = new View(context, camera, scene);
  const { layout } = view;
  context.clearRect(0, 0, layout.width, layout.height);
  Object.assign(context, { lineCap: "butt", lineJoin: "round", textBaseline: "middle" });
  drawCurrentLane(view);
  for (const stack of /** @type {Stack[]} */ (["encoder", "decoder"])) drawLanes(view, stack);
  drawRiver(view);
  for (const stack of /** @type {Stack[]} */ (["encoder", "decoder"])) {
    drawStart(view, stack);
    for (let layer = 0; layer < scene.config.layers[stack]; layer++) drawLayer(view, stack, layer);
  }
  drawOutput(view);
  drawLoop(view);
  for (const stack of /** @type {Stack[]} */ (["encoder", "decoder"])) {
    drawTitles(view, stack);
    drawLabels(view, stack);
  }
  drawDropNames(view);
  drawNotes(view);
  drawHovered(view);
}

/**
 * What a click would open.
 * @param {View} view
 */
function drawHovered(view) {
  const { context, camera, layout, scene, scene: { hovered, colours } } = view;
  if (!hovered) return;
  const box = hovered.head === null ? project(camera, frameOf(layout, hovered))
    : headBoxes(scene, hovered, camera)[hovered.head];
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.5;
  context.globalAlpha = 0.7;
  context.strokeRect(box.left + 1, box.top + 1, box.width - 2, box.height - 2);
  context.globalAlpha = 1;
}
