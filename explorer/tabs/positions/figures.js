// Figures of the Positions tab: functions from numbers and words to Plotly figures.
//
// Both themes share them: the background is transparent, and the colours of the light theme are readable on either.

import { wavelengthOf } from "../../derived/position_table.js";
import {
  CLEAR, axisLabels, axisNumber, createPanels, downwardAxis, hoverTemplate, neutralLayout,
} from "../../ui/figures.js";
import { formatText } from "../../ui/format_text.js";
import { formatDecimal, quantile } from "../../ui/numbers.js";
import { isolate } from "../../ui/scripts.js";
import { escapeLabel } from "../../ui/text.js";

const DECIMALS = 1000; // thousandths, in hover texts
const ARC_POINTS = 60;
const LABELLED = 8; // columns of the table
const NEUTRAL = "#808080"; // readable on both grounds
const GRID = "rgba(128,128,128,0.25)";
const COLORBAR = { thickness: 10, outlinewidth: 0 };
const BARE_AXIS = { zeroline: false, showgrid: false, ticks: "" }; // an axis without lines, for heatmaps
const MARGIN = { l: 56, r: 16, t: 10, b: 44 };
const LEGEND = { orientation: "h", y: 1.02, yanchor: "bottom" }; // above the curves, which keep the width of a phone
const OTHER_CURVES = ["#cc79a7", "#56b4e9", "#e69f00", "#7a7a7a"];

/** The largest absolute number. */
function largest(rows) {
  return rows.reduce((most, row) => row.reduce((inner, number) => Math.max(inner, Math.abs(number)), most), 0);
}

/** Figures in the colours and words of a tab's settings. */
export class PositionFigures {
  words;
  names;
  colours;
  monospace;
  signedScale; // symmetric about zero, which is transparent

  /** `settings.figures` are FIGURES of the words, `settings.names` those of measures, strips, panels and axes. */
  constructor({ figures, names, colours, monospace }) {
    this.words = figures;
    this.names = names;
    this.colours = colours.light;
    this.monospace = monospace;
    this.signedScale = [[0, this.colours.decoder], [0.5, "rgba(128,128,128,0)"], [1, this.colours.encoder]];
  }

  layout(height, options, margin = MARGIN) {
    return { ...neutralLayout(height, { colour: NEUTRAL, margin }), ...options };
  }

  /** A matrix on a symmetric colour scale, on which zero is transparent. */
  signedHeatmap(rows, hovertemplate) {
    const limit = largest(rows);
    const z = rows.map((row) => row.map((number) => Math.round(number * DECIMALS) / DECIMALS));
    return {
      type: "heatmap", z, zmin: -limit, zmax: limit, colorscale: this.signedScale, hovertemplate, colorbar: COLORBAR,
    };
  }

  /** A dashed line along the x axis, at the longest sentence of the training. */
  trainedLine(trained, { y, from, to }) {
    return {
      type: "scatter", x: [from, to], y: [y, y], mode: "lines+text", line: { color: NEUTRAL, width: 2, dash: "dash" },
      text: ["", formatText(this.words.trained, { trained })], textposition: "top left", hoverinfo: "skip",
      showlegend: false,
    };
  }

  /**
   * The first rows of a table, positions down the rows, dimensions along the columns, first all sines, then all
   * cosines: columns that alternate become stripes where they are narrower than a pixel. One cell is marked.
   */
  table({ width, trained, isLearned, pairs }, rows, position, dimension) {
    const { words } = this;
    const columns = isLearned ? pairs.flat() : [0, 1].flatMap((which) => pairs.map((pair) => pair[which]));
    const shown = rows.map((row) => columns.map((column) => row[column]));
    const every = Math.max(1, Math.floor(width / LABELLED));
    const labelled = [...columns.keys()].filter((i) => i % every === 0);
    const ticks = { tickvals: labelled, ticktext: labelled.map((i) => `${columns[i]}`) };
    const marker = { symbol: "circle", size: 11, color: "white", line: { width: 3, color: "black" } };
    const mark = { mode: "markers", marker, hoverinfo: "skip", showlegend: false };
    /** @type {object[]} */
    const data = [
      { ...this.signedHeatmap(shown, hoverTemplate(words.cell)), customdata: rows.map(() => columns) },
      { type: "scatter", x: [columns.indexOf(dimension)], y: [position], ...mark },
    ];
    const across = [-0.5, width - 0.5];
    if (trained !== null && trained < rows.length) {
      data.push(this.trainedLine(trained, { y: trained - 0.5, from: across[0], to: across[1] }));
    }
    return {
      data,
      layout: this.layout(310, {
        xaxis: {
          ...BARE_AXIS, ...ticks, title: { text: isLearned ? words.dimension : words.halves }, range: across,
        },
        yaxis: { ...BARE_AXIS, title: { text: words.place }, range: [rows.length - 0.5, -0.5] },
      }),
    };
  }

  /** Some dimensions along the sentence, named with their wavelengths where they have one. */
  curves(table, rows, dimensions) {
    const { words } = this;
    const limit = 1.08 * largest(rows);
    const axis = { gridcolor: GRID, zeroline: false };
    return {
      data: dimensions.map((dimension, i) => this.curve(table, rows, dimension, i)),
      layout: this.layout(250, {
        xaxis: { ...axis, title: { text: words.place } },
        yaxis: { ...axis, title: { text: words.value }, range: [-limit, limit] },
        legend: { ...LEGEND, font: { size: 11 } },
      }),
    };
  }

  curve(table, rows, dimension, index) {
    const { words, colours } = this;
    const palette = [colours.encoder, colours.decoder, colours.cross, ...OTHER_CURVES];
    const { pair, isCosine } = table.wave(dimension);
    const wavelength = wavelengthOf(pair, table.width);
    return {
      type: "scatter", y: rows.map((row) => row[dimension]), mode: "lines+markers", marker: { size: 4 },
      line: { color: palette[index], dash: isCosine ? "dot" : "solid" },
      name: formatText(table.isLearned ? words.curve : words.wave, { dimension, wavelength }),
      hovertemplate: hoverTemplate(words.point, { dimension: `${dimension}` }),
    };
  }

  /** The wavelength of each pair in positions, on a logarithmic scale, at the dimension of its sine. */
  wavelengths({ pairs, width, trained }) {
    const { words, colours } = this;
    const [sines, cosines] = [0, 1].map((which) => pairs.map((pair) => pair[which]));
    /** @type {object[]} */
    const data = [{
      type: "scatter", mode: "lines", x: sines, y: pairs.map((_, pair) => wavelengthOf(pair, width)),
      customdata: cosines,
      line: { color: colours.encoder },
      hovertemplate: hoverTemplate(words.wavelength),
      showlegend: false,
    }];
    if (trained !== null) data.push(this.trainedLine(trained, { y: trained, from: 0, to: sines.at(-1) }));
    const title = { text: words.wavelengths, font: { size: 12 } }; // as long as the axis is high
    return {
      data,
      layout: this.layout(190, {
        xaxis: { title: { text: words.dimension }, gridcolor: GRID, zeroline: false },
        yaxis: { type: "log", dtick: 1, title, gridcolor: GRID, exponentformat: "none" },
      }),
    };
  }

  /** The similarity of all pairs of positions. */
  similarity(similar, measure) {
    const { words, names } = this;
    const axis = { ...BARE_AXIS, title: { text: words.position } };
    return {
      data: [this.signedHeatmap(similar, hoverTemplate(words.similar, { measure: names.measures[measure] }))],
      layout: this.layout(260, { xaxis: axis, yaxis: { ...axis, autorange: "reversed" } }),
    };
  }

  /** The similarity by distance: the mean over all pairs at that distance, and a band from minimum to maximum. */
  similarityCurve({ least, greatest, means }, measure) {
    const { words, colours } = this;
    const name = this.names.measures[measure];
    const edge = { type: "scatter", mode: "lines", line: { width: 0 }, hoverinfo: "skip", showlegend: false };
    const axis = { gridcolor: GRID, zeroline: false };
    return {
      data: [
        { ...edge, y: least },
        { ...edge, y: greatest, fill: "tonexty", fillcolor: "rgba(128,128,128,0.3)" },
        {
          type: "scatter", mode: "lines", x: [...means.keys()], y: means, line: { color: colours.encoder },
          hovertemplate: hoverTemplate(words.apart, { measure: name }), showlegend: false,
        },
      ],
      layout: this.layout(260, {
        xaxis: { ...axis, title: { text: words.distances } },
        yaxis: { ...axis, title: { text: name } },
      }),
    };
  }

  /**
   * A pair of dimensions as a plane with all positions, [sine, cosine]; two positions are highlighted. `turn` is the
   * angle between the two in radians, drawn as an arc; null if it is not constant.
   */
  turn(plane, positions, turn) {
    const { words, names, colours } = this;
    const limit = 1.12 * largest(plane);
    const points = {
      type: "scatter", x: plane.map(([, cosine]) => cosine), y: plane.map(([sine]) => sine), mode: "markers",
      marker: { size: 5, color: "rgba(128,128,128,0.45)" },
      hovertemplate: hoverTemplate(words.plane),
      showlegend: false,
    };
    const hands = positions.map((position, i) => ({
      type: "scatter", x: [0, plane[position][1]], y: [0, plane[position][0]], mode: "lines+markers",
      line: { color: [colours.encoder, colours.decoder][i], width: 2 }, marker: { size: [0, 11] },
      name: formatText(words.one, { position }), hovertemplate: hoverTemplate(words.hand, { position: `${position}` }),
    }));
    const [sine, cosine] = plane[positions[0]];
    const arcs = turn === null ? [] : [arc(Math.atan2(sine, cosine), turn)];
    const axis = { range: [-limit, limit], gridcolor: GRID, zerolinecolor: GRID, constrain: "domain" };
    const [across, up] = names.plane;
    return {
      data: [points, ...hands, ...arcs],
      layout: this.layout(290, {
        xaxis: { ...axis, title: { text: across } },
        yaxis: { ...axis, title: { text: up }, scaleanchor: "x" },
        legend: LEGEND,
      }),
    };
  }

  /**
   * Named rows of numbers for each piece, one below the other on one colour scale, every norm at its right.
   *
   * The scale ends where the largest hundredth of the numbers begins: to the very largest, all others would look pale.
   */
  strips(labels, strips) {
    const most = quantile(strips.flatMap(({ vectors }) => [...vectors.data].map(Math.abs)), 0.99);
    const { axes, annotations } = createPanels(strips.map(({ name }) => name), { gap: 0.05 });
    const data = [];
    const layout = { annotations };
    strips.forEach((strip, i) => {
      const [panel, beside] = [axisNumber(i), axisNumber(i + strips.length)];
      const width = strip.vectors.shape[1];
      const norms = downwardAxis(strip.norms.map((norm) => formatDecimal(norm, 1)));
      const tickfont = { family: this.monospace, size: 10 };
      layout[`xaxis${panel}`] = { ...axes[i].x, ...BARE_AXIS, showticklabels: false, range: [-0.5, width - 0.5] };
      layout[`yaxis${panel}`] = { ...axes[i].y, ...BARE_AXIS, ...downwardAxis(labels), tickfont };
      // The norms are labels of an additional axis at the right, which Plotly draws only for a trace.
      layout[`yaxis${beside}`] = {
        ...BARE_AXIS, ...norms, overlaying: `y${panel}`, side: "right", anchor: `x${panel}`, tickfont: { size: 10 },
      };
      data.push(
        { ...this.strip(strip, most), showscale: i === 0, xaxis: `x${panel}`, yaxis: `y${panel}` },
        {
          type: "scatter", x: [0], y: [0], xaxis: `x${panel}`, yaxis: `y${beside}`, marker: { color: CLEAR },
          hoverinfo: "skip", showlegend: false,
        },
      );
    });
    const height = 130 + 10 * strips.length * labels.length;
    return { data, layout: this.layout(height, layout, { l: 90, r: 40, t: 24, b: 50 }) };
  }

  strip({ name, vectors }, most) {
    return {
      type: "heatmap", z: vectors.rows.map((row) => [...row]), zmin: -most, zmax: most, colorscale: this.signedScale,
      colorbar: { ...COLORBAR, orientation: "h", len: 0.5, y: 0, yanchor: "top", x: 0.5 },
      hovertemplate: hoverTemplate(this.words.strip, { name }),
    };
  }

  /** Distances between the vectors of two sentences, side by side on one scale: the darker, the nearer. */
  distances([rows, columns], matrices) {
    const { words, colours, monospace } = this;
    const names = this.names.panels;
    const shown = matrices.slice(0, names.length);
    const { axes, annotations } = createPanels(names, { gap: 0.09, isAcross: true });
    const font = { tickfont: { family: monospace, size: 11 }, automargin: true };
    const layout = { annotations };
    const heatmap = {
      type: "heatmap", zmin: 0, zmax: largest(shown.flat()),
      colorscale: [[0, colours.encoder], [1, `${colours.encoder}00`]],
      colorbar: { ...COLORBAR, title: { text: words.distance, side: "right" } },
      hovertemplate: "%{text}<extra></extra>", xgap: 1, ygap: 1,
    };
    const data = shown.map((z, i) => {
      const panel = axisNumber(i);
      layout[`xaxis${panel}`] = { ...axes[i].x, ...BARE_AXIS, ...axisLabels(columns), tickangle: -60, ...font };
      layout[`yaxis${panel}`] = { ...axes[i].y, ...BARE_AXIS, ...downwardAxis(rows), ...font, showticklabels: i === 0 };
      const text = this.distanceTexts(rows, columns, z);
      return { ...heatmap, z, text, showscale: i === 0, xaxis: `x${panel}`, yaxis: `y${panel}` };
    });
    const height = 120 + 22 * rows.length;
    return { data, layout: this.layout(height, layout, { l: 20, r: 10, t: 28, b: 20 }) };
  }

  /** The hover text of each cell. */
  distanceTexts(rows, columns, distances) {
    const text = (row, column, distance) => (
      escapeLabel(formatText(this.words.pair, { row: isolate(row), column: isolate(column), distance }))
    );
    return rows.map((row, i) => columns.map((column, j) => text(row, column, distances[i][j])));
  }
}

/** A dotted arc around the origin, in radians; more than one turn is drawn as a full one. */
function arc(start, turn) {
  const step = Math.min(turn, 2 * Math.PI) / (ARC_POINTS - 1);
  const angles = Array.from({ length: ARC_POINTS }, (_, i) => start + i * step);
  return {
    type: "scatter", x: angles.map((angle) => 0.5 * Math.cos(angle)), y: angles.map((angle) => 0.5 * Math.sin(angle)),
    mode: "lines", line: { color: NEUTRAL, width: 2, dash: "dot" }, hoverinfo: "skip", showlegend: false,
  };
}
