// Where the blocks of the architecture's figure stand: the flow goes upwards, as in the paper. No drawing.

export const BLOCK = { width: 270, height: 33, gap: 9 };
const BAR = { height: 24, gap: 7 };
const FRAME = { left: 12, right: 26, top: 22, bottom: 10 };
const WIDTH = FRAME.left + BLOCK.width + FRAME.right;
const MARGIN = { side: 34, top: 26, bottom: 6, between: 56 };

/** The blocks of a stack in order: before the layers, the layers, after them. */
function parts(blocks, stack) {
  const own = blocks.filter((block) => block.stack === stack);
  const layers = [];
  for (const block of own) if (block.layer !== null) (layers[block.layer] ??= []).push(block);
  const first = own.findIndex(({ layer }) => layer !== null);
  const before = own.slice(0, first);
  return { before, layers, after: own.slice(first).filter(({ layer }) => layer === null) };
}

/** Which layer of a stack is unfolded: the chosen one, or the last where the stack has fewer. */
export function unfolded(blocks, stack, open) {
  const layers = blocks.filter((block) => block.stack === stack && block.layer !== null).map(({ layer }) => layer);
  return Math.min(open, Math.max(...layers));
}

/**
 * A stack from the bottom up, in coordinates from its lower left corner: boxes of kind "block", "bar" (a layer that is
 * closed) and "frame" (the one that is open), with y growing upwards.
 */
function column(blocks, stack, open) {
  const { before, layers, after } = parts(blocks, stack);
  const boxes = [];
  let y = 0;
  const add = (block) => {
    boxes.push({ kind: "block", block, x: FRAME.left, y, width: BLOCK.width, height: BLOCK.height });
    y += BLOCK.height + BLOCK.gap;
  };
  before.forEach(add);
  layers.forEach((own, layer) => {
    const parameters = own.reduce((sum, block) => sum + block.parameters, 0);
    const box = { stack, layer, parameters, x: 0, y, width: WIDTH };
    if (layer !== open) {
      boxes.push({ ...box, kind: "bar", height: BAR.height });
      y += BAR.height + BAR.gap;
      return;
    }
    y += FRAME.bottom;
    const inside = boxes.length;
    own.forEach(add);
    y += FRAME.top - BLOCK.gap;
    boxes.splice(inside, 0, { ...box, kind: "frame", height: y - box.y });
    y += BLOCK.gap;
  });
  after.forEach(add);
  return { stack, boxes, height: y - BLOCK.gap };
}

/** What goes around each sub-layer to its Add & Norm: from below the one to the side of the other. */
function residuals(boxes) {
  const inside = boxes.filter(({ kind, block }) => kind === "block" && block.layer !== null);
  return inside.flatMap((box, i) => (i % 2 ? [] : [{ from: box, to: inside[i + 1] }]));
}

/**
 * The whole figure with layer `open` unfolded, in a stack that has fewer its last one: `boxes` with x and y of their upper left corner, `arrows` and
 * `residuals` between boxes, `memory` as the points of the way from the encoder to each decoder layer. `stacked` puts
 * the decoder above the encoder, for narrow screens.
 */
export function figure(blocks, open, stacked) {
  const [encoder, decoder] = ["encoder", "decoder"].map((stack) => column(blocks, stack, unfolded(blocks, stack, open)));
  const both = encoder.height + decoder.height + MARGIN.between;
  const tall = stacked ? both : Math.max(encoder.height, decoder.height);
  const height = MARGIN.top + tall + MARGIN.bottom;
  const shift = stacked ? 0 : WIDTH + MARGIN.between;
  const bottom = height - MARGIN.bottom;
  const placed = (one, x, base) => one.boxes.map((box) => ({ ...box, x: box.x + x, y: base - box.y - box.height }));
  const left = placed(encoder, MARGIN.side, bottom);
  const right = placed(decoder, MARGIN.side + shift, stacked ? bottom - encoder.height - MARGIN.between : bottom);
  return {
    width: MARGIN.side + shift + WIDTH + 4,
    height,
    boxes: [...left, ...right],
    arrows: [...arrows(left), ...arrows(right)],
    residuals: [...residuals(left), ...residuals(right)],
    memory: memoryWays(left, right, stacked ? MARGIN.side / 2 : MARGIN.side + WIDTH + MARGIN.between / 2),
  };
}

/** From each box to the next above it; a frame is entered and left by the blocks in it. */
function arrows(boxes) {
  const met = boxes.filter(({ kind }) => kind !== "frame");
  return met.slice(1).map((to, i) => ({ from: met[i], to }));
}

/** From the top of the encoder up to the line at x, along it, and into each decoder layer: where it is closed, its bar. */
function memoryWays(left, right, x) {
  const top = left.at(-1);
  const start = { x: middle(top), y: top.y };
  const turn = Math.min(...left.map(({ y }) => y)) - 14;
  const targets = right.filter(({ kind, block }) => kind === "bar" || block?.name === "cross_attention");
  return targets.map((box) => {
    const y = box.y + box.height / 2;
    return [start, { x: start.x, y: turn }, { x, y: turn }, { x, y }, { x: box.x, y }];
  });
}

export function middle(box) {
  return box.kind === "block" ? box.x + box.width / 2 : box.x + FRAME.left + BLOCK.width / 2;
}
