// The mouse, or a finger, over a heatmap: a label tells of the cell, a click chooses it, dragging enlarges a part.

const SHORTEST = 8; // pixels; less is a click
const FLAT = 20; // pixels; a drag that is lower, or narrower, enlarges one axis

const BUTTONS = [
  ["save", "M500 400a150 150 0 100 300 150 150 0 000-300m400-150h-120l-70-122c-6-15-23-28-40-28h-340c-17 0-34 13-40 28L220 250H100C45 250 0 295 0 350v450c0 55 45 100 100 100h800c55 0 100-45 100-100V350c0-55-45-100-100-100M500 800a250 250 0 110-500 250 250 0 010 500"],
  ["zoom", "M1000 875L750 624c40-63 63-138 63-218C813 182 631 0 406 0S0 182 0 406s183 406 406 406c80 0 155-22 218-62l250 250zM188 625V187h437v438zm62-375h313v312H250z"],
  ["reset", "M786 554v267q0 15-11 26t-25 10H536V643H393v214H179q-15 0-25-10t-11-26V554l322-265zm124-39l-34 41q-5 5-12 6h-2q-7 0-12-3L464 237 78 559q-7 4-13 4-7-2-12-7l-35-41q-4-5-3-13t6-12l401-334q18-15 42-15t43 15l136 114V161q0-8 5-13t13-5h107q8 0 13 5t5 13v227l122 102q5 5 6 12t-4 13z"],
];

export class Pointing {
  /** `choose` gets a `cell` that was clicked, or doubly clicked for its `inside`; `moved` is called after a zoom. */
  constructor(picture, text, { cell, inside, save, moved }) {
    Object.assign(this, { picture, choose: { cell, inside }, moved, start: null, clicked: null, dragged: false, dragging: true });
    const { node, part: { cells } } = picture;
    const make = (tag, className) => node.appendChild(Object.assign(document.createElement(tag), { className, hidden: true }));
    this.hover = make("span", "hovertext");
    this.box = make("i", "zoombox");
    this.tools = node.appendChild(tools(text, { save, zoom: () => this.allow(true), reset: () => this.unzoom() }));
    cells.addEventListener("pointerdown", (event) => this.press(event));
    cells.addEventListener("pointermove", (event) => (this.start ? this.drag(event) : this.tell(event)));
    cells.addEventListener("pointerup", (event) => this.release(event));
    cells.addEventListener("pointercancel", () => this.forget());
    cells.addEventListener("pointerleave", () => { this.hover.hidden = true; });
    cells.addEventListener("click", (event) => this.click(event));
    cells.addEventListener("dblclick", () => this.doubleClick());
  }

  /** Whether dragging enlarges; on a narrow page a finger scrolls instead, until the button is pressed. */
  allow(dragging) {
    this.dragging = dragging;
    this.picture.part.cells.style.touchAction = dragging ? "none" : "";
    this.tools.querySelector("[data-do=zoom]").setAttribute("aria-pressed", dragging);
  }

  /** The label beside a cell, on its left where there is no room on its right. */
  tell(event) {
    const { picture, hover } = this;
    const found = picture.cellAt(event);
    hover.hidden = !found;
    if (!found) return;
    hover.innerHTML = picture.figure.data[0].text[found.row][found.column]; // a visitor's text in it is escaped
    const { left, top, width, height } = picture.placeOf(found);
    const fits = left + width + hover.offsetWidth + 6 <= picture.node.clientWidth;
    hover.classList.toggle("before", !fits);
    hover.style.left = `${Math.max(0, fits ? left + width + 6 : left - hover.offsetWidth - 6)}px`;
    hover.style.top = `${top + height / 2}px`;
  }

  press(event) {
    this.dragged = false;
    if (!this.dragging || event.button !== 0) return;
    this.start = event;
    event.target.setPointerCapture(event.pointerId);
  }

  /** From where the button was pressed to here, in pixels of the cells; an axis that was hardly dragged along is whole. */
  span(event) {
    const { left, top, width, height } = this.picture.part.cells.getBoundingClientRect();
    const within = (value, most) => Math.max(0, Math.min(value, most));
    const sorted = (from, to) => (from < to ? [from, to] : [to, from]);
    const x = sorted(this.start.clientX - left, within(event.clientX - left, width));
    const y = sorted(this.start.clientY - top, within(event.clientY - top, height));
    const along = x[1] - x[0], down = y[1] - y[0];
    if (Math.max(along, down) < SHORTEST) return null;
    if (down < Math.min(along * 0.6, FLAT)) return { x, y: [0, height], only: "x" };
    if (along < Math.min(down * 0.6, FLAT)) return { x: [0, width], y, only: "y" };
    return { x, y, only: null };
  }

  drag(event) {
    const span = this.span(event), { l, t } = this.picture.place;
    this.hover.hidden = true;
    this.box.hidden = !span;
    this.dragged ||= span !== null;
    if (!span) return;
    const { x, y } = span;
    const style = { left: l + x[0], top: t + y[0], width: x[1] - x[0], height: y[1] - y[0] };
    for (const [name, pixels] of Object.entries(style)) this.box.style[name] = `${pixels}px`;
  }

  release(event) {
    const span = this.start && this.span(event);
    this.forget();
    if (!span) return;
    const { ranges: { x, y }, place: { w, h } } = this.picture;
    const part = ([from, to], pixels, [first, last]) => [from, to].map((at) => first + (at / pixels) * (last - first));
    this.picture.zoom({
      x: span.only === "y" ? null : part(span.x, w, x),
      y: span.only === "x" ? null : part(span.y, h, y),
    });
    this.moved();
  }

  forget() {
    this.start = null;
    this.box.hidden = true;
  }

  unzoom() {
    if (!this.picture.zoomed) return;
    this.picture.unzoom();
    this.moved();
  }

  click(event) {
    if (this.dragged) return;
    if (event.detail < 2) this.clicked = this.picture.cellAt(event);
    const found = this.picture.cellAt(event);
    if (found) this.choose.cell(found);
  }

  /** Opens the cell, that of the first click: the second may hit a neighbour. */
  doubleClick() {
    if (this.clicked) this.choose.inside(this.clicked);
  }
}

/** The buttons over a picture. */
function tools(text, does) {
  const node = Object.assign(document.createElement("div"), { className: "tools" });
  for (const [name, path] of BUTTONS) {
    const button = Object.assign(document.createElement("button"), { type: "button", title: text[name] });
    Object.assign(button.dataset, { do: name, title: text[name] });
    button.setAttribute("aria-label", text[name]);
    button.innerHTML = `<svg viewBox="0 0 1000 1000" width="17" height="17" aria-hidden="true"><path d="${path}"/></svg>`;
    button.addEventListener("click", does[name]);
    node.append(button);
  }
  return node;
}
