// Lines over numbers, as SVG: each with a dash and a mark of its own, so that they differ without colour too.

import { drawn } from "./elements.js";

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [760, 340, 64, 16, 16, 48];
const TICKS = 5; // about
const MARKS = 12; // on a line, at most
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "14 4", "4 2 1 2", "1 4", "9 3 3 3 3 3"];
const SHAPES = [
  "M-4,0 a4,4 0 1,0 8,0 a4,4 0 1,0 -8,0", "M-4,-4 h8 v8 h-8 z", "M0,-5 L5,4 L-5,4 z", "M0,-5 L5,0 L0,5 L-5,0 z",
  "M-4,-4 L4,4 M4,-4 L-4,4", "M0,-5 V5 M-5,0 H5", "M0,5 L5,-4 L-5,-4 z", "M-5,-2 h10 v4 h-10 z",
];
const CENTRED = { "text-anchor": "middle" };
export const KINDS = DASHES.length;

// Return the chart of some lines: [{ kind, points: [[x, y]] }].
export function chartOf(lines, acrossTitle, upTitle) {
  const all = lines.flatMap(({ points }) => points);
  const across = scale(all.map(([x]) => x), LEFT, WIDTH - RIGHT);
  const up = scale(all.map(([, y]) => y), HEIGHT - BOTTOM, TOP);
  const described = `${upTitle} over ${acrossTitle}, ${lines.length} ${lines.length === 1 ? "line" : "lines"}`;
  const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": described };
  const chart = drawn("svg", box);
  chart.append(...grid(across, up, acrossTitle, upTitle));
  chart.append(...lines.map(({ kind, points }) => line(kind, points.map(([x, y]) => [across.at(x), up.at(y)]))));
  return chart;
}

// Return a short piece of a line, for the list of lines.
export function sampleOf(kind) {
  const box = { viewBox: "0 0 44 14", width: 44, height: 14, class: "sample", "aria-hidden": true };
  return drawn("svg", box, line(kind, [[2, 7], [42, 7]], [[22, 7]]));
}

function line(kind, points, marked = sparse(points)) {
  const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const marks = marked.map(([x, y]) => drawn("path", { d: SHAPES[kind % KINDS], transform: `translate(${x} ${y})` }));
  const dashes = { points: path, "stroke-dasharray": DASHES[kind % KINDS] || null };
  return drawn("g", { class: `line c${kind % KINDS}` }, drawn("polyline", dashes), ...marks);
}

function sparse(points) {
  const step = Math.max(1, Math.ceil(points.length / MARKS));
  return points.filter((_, place) => place % step === 0 || place === points.length - 1);
}

function grid(across, up, acrossTitle, upTitle) {
  const parts = up.ticks.flatMap((value) => {
    const y = up.at(value);
    const place = { x: LEFT - 8, y: y + 4, "text-anchor": "end" };
    return [drawn("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }), drawn("text", place, written(value))];
  });
  parts.push(drawn("path", { d: `M${LEFT},${TOP} V${HEIGHT - BOTTOM} H${WIDTH - RIGHT}`, class: "axes" }));
  for (const value of across.ticks) {
    parts.push(drawn("text", { x: across.at(value), y: HEIGHT - BOTTOM + 18, ...CENTRED }, written(value)));
  }
  const [centre, middle] = [(LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2];
  const turned = { x: 14, y: middle, transform: `rotate(-90 14 ${middle})`, class: "title", ...CENTRED };
  parts.push(drawn("text", { x: centre, y: HEIGHT - 8, class: "title", ...CENTRED }, acrossTitle));
  return [...parts, drawn("text", turned, upTitle)];
}

// Return where numbers stand between two ends of the picture, and round numbers among them.
function scale(values, from, to) {
  const [low, high] = endsOf(values);
  const rough = (high - low) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const ticks = [];
  for (let place = Math.ceil(low / step); place <= high / step + 1e-9; place++) ticks.push(place * step);
  return { at: (value) => from + ((value - low) / (high - low)) * (to - from), ticks };
}

// Return the least and the largest number; where they are one, some room around it.
function endsOf(values) {
  const least = values.reduce((one, other) => Math.min(one, other), Infinity);
  const most = values.reduce((one, other) => Math.max(one, other), -Infinity);
  if (least < most) return [least, most];
  return values.length ? [least - Math.abs(least) / 2 - 1e-9, most + Math.abs(most) / 2 + 1e-9] : [0, 1];
}

export function written(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e6)) return value.toExponential(1);
  return String(Number(value.toPrecision(4)));
}
