// Figures of the Predictions tab: functions from numbers and words to Plotly figures in the colours of a theme.

import { CLEAR, createPanels, escapePlotly, hoverTemplate, neutralLayout } from "../../ui/figures.js";
import { formatDecimal, quantile } from "../../ui/numbers.js";
import { fill } from "../../ui/text.js";

const BINS = 60;
const MARGIN = { l: 44, r: 10, t: 8, b: 34 };
const DASHES = ["dot", "dash", "dashdot", "longdash", "longdashdot"]; // of the pieces that lead before the chosen one
const PANEL_GAP = 0.14; // of the figure's height

function axis({ masked }, options) {
  return { gridcolor: masked, griddash: "dot", zeroline: false, ...options };
}

/** A vector as a row of colours: blue above zero, orange below, transparent at zero. */
export function stateStrip(state, colours, words) {
  const limit = state.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0);
  const strip = {
    type: "heatmap", z: [[...state]], zmin: -limit, zmax: limit, showscale: false,
    hovertemplate: hoverTemplate(words.state),
    colorscale: [[0, colours.decoder], [0.5, CLEAR], [1, colours.encoder]],
  };
  const layout = { yaxis: { visible: false }, xaxis: { zeroline: false, showgrid: false, nticks: 8 } };
  return { data: [strip], layout: { ...neutralLayout(52, { colour: colours.text, margin: MARGIN }), ...layout } };
}

/** How many numbers are in each of BINS intervals of equal width, and their middles; leaves out infinite numbers. */
function histogram(numbers) {
  const finite = numbers.filter(Number.isFinite);
  const counts = new Array(BINS).fill(0);
  const [first, last] = [Math.min, Math.max].map((choose) => finite.reduce((one, other) => choose(one, other)));
  const width = (last - first) / BINS || 1 / BINS;
  for (const number of finite) counts[Math.min(Math.floor((number - first) / width), BINS - 1)] += 1;
  return { counts, middles: counts.map((_, i) => first + (i + 0.5) * width) };
}

/** A histogram of the logits with the chosen piece marked; leaves out impossible pieces. */
export function logitsHistogram(logits, chosen, colours, words) {
  const { counts, middles } = histogram(logits);
  const place = logits[chosen];
  const colour = colours.decoder;
  const hovertemplate = hoverTemplate(words.logits);
  const bars = { type: "bar", x: middles, y: counts, marker: { color: colours.text }, hovertemplate };
  const line = {
    type: "line", x0: place, x1: place, xref: "x", y0: 0, y1: 1, yref: "y domain", line: { color: colour, width: 2 },
  };
  const label = {
    text: fill(words.chosen, { logit: formatDecimal(place, 2) }), font: { color: colour },
    x: place, xanchor: "right", xshift: -4, y: 1, yref: "paper", showarrow: false,
  };
  const yaxis = axis(colours, { type: "log", dtick: 1, title: { text: words.pieces }, exponentformat: "none" });
  const xaxis = axis(colours, { title: { text: words.logit, standoff: 4 } });
  const layout = { shapes: [line], annotations: [label], xaxis, yaxis, bargap: 0.1 };
  return { data: [bars], layout: { ...neutralLayout(150, { colour: colours.text, margin: MARGIN }), ...layout } };
}

/**
 * The rank of each piece that leads in some layer, after every layer: the first rank is at the top, and a piece is
 * named where it leads first. The chosen piece is highlighted; where it never leads it is named at the end.
 */
export function ranksFigure(leaders, chosen, layers, colours, words) {
  const places = [...layers.keys()];
  const lowest = Math.max(...leaders.flatMap(({ ranks }) => ranks));
  const lines = leaders.map(({ piece, ranks, probabilities }, i) => {
    const isChosen = piece.id === chosen;
    const color = isChosen ? colours.decoder : colours.text;
    const named = ranks.includes(1) ? ranks.indexOf(1) : ranks.length - 1;
    return {
      type: "scatter", mode: "lines+markers+text", x: places, y: ranks, customdata: probabilities,
      hovertemplate: hoverTemplate(words.rank, { piece: piece.text }),
      text: places.map((place) => (place === named ? escapePlotly(piece.text) : "")),
      textposition: "top center", textfont: { color }, cliponaxis: false,
      line: { width: isChosen ? 2.5 : 1.5, color, dash: isChosen ? "solid" : DASHES[i % DASHES.length] },
    };
  });
  const xaxis = axis(colours, {
    tickvals: places, ticktext: layers, range: [-0.4, layers.length - 0.6], autotickangles: [0, -40], automargin: true,
  });
  const yaxis = axis(colours, { type: "log", dtick: 1, tickformat: ",", range: [Math.log10(lowest) + 0.2, -0.05] });
  const layout = { xaxis, yaxis, showlegend: false, hovermode: "closest" };
  const margin = { ...MARGIN, t: 24 };
  return { data: lines, layout: { ...neutralLayout(200, { colour: colours.text, margin }), ...layout } };
}

/** Thin lines and dots for all pieces but the chosen one. */
function otherPieces({ norms, shares, pieces }, chosen, grey, words) {
  const line = { width: 1, color: grey };
  const marker = { size: 4, color: grey };
  return [...pieces.keys()].filter((i) => i !== chosen).flatMap((i) => {
    const hovertemplate = hoverTemplate(words.other, { piece: pieces[i] });
    const places = shares.rows.map((_, number) => number + 1);
    return [
      { type: "scatter", y: column(norms, i), mode: "lines", line, hovertemplate, xaxis: "x", yaxis: "y" },
      {
        type: "scatter", x: places, y: column(shares, i), mode: "markers", marker, hovertemplate,
        xaxis: "x2", yaxis: "y2",
      },
    ];
  });
}

function column({ rows }, i) {
  return rows.map((row) => row[i]);
}

/**
 * The length of the stream after each sub-layer (top), and the share that each sub-layer added (bottom).
 *
 * `stream` has the tensors `norms` [stage piece] and `shares` [sublayer piece], the texts of its `pieces` and the names
 * of its `stages`. The chosen piece is highlighted. A few outliers lie beyond the axis of shares, so that the rest
 * stays readable.
 */
export function residualFigure(stream, chosen, { colours, accent, words }) {
  const { norms, shares, stages } = stream;
  const own = column(shares, chosen);
  const places = own.map((_, number) => number + 1);
  const upperLimit = Math.max(...own, quantile(shares.data, 0.95));
  const { axes: [top, bottom], annotations } = createPanels([words.lengths, words.shares], { gap: PANEL_GAP });
  const length = {
    type: "scatter", y: column(norms, chosen), mode: "lines+markers", line: { width: 2.5, color: accent },
    hovertemplate: hoverTemplate(words.length), xaxis: "x", yaxis: "y",
  };
  const share = {
    type: "bar", x: places, y: own, marker: { color: accent, opacity: 0.6 },
    hovertemplate: hoverTemplate(words.share), xaxis: "x2", yaxis: "y2",
  };
  const labels = {
    tickvals: [...stages.keys()], ticktext: stages, tickangle: -40, range: [-0.5, stages.length - 0.5], matches: "x",
  };
  const layout = {
    xaxis: { ...top.x, ...axis(colours, labels), showticklabels: false },
    yaxis: { ...top.y, ...axis(colours, { rangemode: "tozero" }) },
    xaxis2: { ...bottom.x, ...axis(colours, labels) },
    yaxis2: { ...bottom.y, ...axis(colours, { range: [0, 1.1 * upperLimit] }) },
    annotations,
    showlegend: false,
  };
  const margin = { l: 40, r: 10, t: 24, b: 60 };
  const data = [...otherPieces(stream, chosen, colours.masked, words), length, share];
  return { data, layout: { ...neutralLayout(320, { colour: colours.text, margin }), ...layout } };
}
