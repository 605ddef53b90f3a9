// A class on this page: the teacher's page leads it, the others follow. What it shows comes as one state from the server.

import { setForeignPart } from "../../ui/address.js";
import { onSubmit } from "../../ui/element.js";
import { randomId } from "../../ui/server.js";
import { readStored, SESSION, store } from "../../ui/storage.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { fill } from "../../ui/text.js";
import { Refusal, ClassStream, sendWish, onOwnChange, showPlace } from "./connection.js";
import { PollCard } from "./poll.js";
import { Teacher } from "./teacher.js";

const KEY = "class-key"; // local storage: code and key, with a blank between them, of the class that this browser leads
const LEADS = "class-leads"; // session storage: the code of the class that this window leads
const PAGE = "class-page"; // session storage: the random name by which the class tells this window from others

/** Begins a class or joins one; in a class, shows its code to the others, large enough for the last row. */
class ClassDialog {
  /** `begin()` and `join(code)` do so; `begin` promises its end. */
  constructor(part, { text, begin, join }) {
    Object.assign(this, { part, text });
    part.begin.addEventListener("click", () => this.run(begin));
    onSubmit(part.join, () => part.code.value.trim() && this.run(() => join(part.code.value)));
  }

  /** Does what was asked for and closes; a refusal is said. */
  async run(action) {
    const { part, text } = this;
    try {
      part.dialog.close();
      await action();
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof TypeError || error instanceof DOMException)) throw error;
      this.open(null);
      part.fault.textContent = error instanceof Refusal ? error.message : text.noAnswer;
    }
  }

  /** Opens it with the invitation { link, qr, reachable, code } of the class, or null without a class. */
  open(invitation) {
    const { part, text } = this;
    part.fault.textContent = "";
    part.heading.textContent = invitation ? text.invite : text.class;
    part.beginning.hidden = invitation !== null;
    part.invitation.hidden = invitation === null;
    part.dialog.classList.toggle("wide", invitation !== null);
    if (invitation) {
      part.qr.innerHTML = invitation.qr; // SVG from the server
      part.address.textContent = invitation.link;
      part.shown.textContent = invitation.code;
      part.local.hidden = invitation.reachable;
    }
    if (!part.dialog.open) part.dialog.showModal();
  }
}

export class Classroom {
  /**
   * `button` is that of the toolbar, `lesson` the dock. `root` is the address of the page in the first language if it differs
   * from the one in the browser, where it is at `path` beside this page.
   */
  constructor(node, button, { root, path, language, lesson, text }) {
    Object.assign(this, { address: root ?? new URL(path || location.pathname, location.href).href, language, text, code: null, stream: null, state: null, placeNumber: null, follows: true, status: "joining" });
    this.part = nodesByAttribute(node, "class");
    const { part } = this;
    this.card = new PollCard(part, { text, lessons: lesson.lessons, guess: (number, choice) => this.guess(number, choice) });
    this.teacher = new Teacher(part, { text, lesson, wish: (request) => this.teach(request) });
    this.dialog = new ClassDialog(part, { text, begin: () => this.begin(), join: (code) => this.joinByCode(code) });
    this.lesson = lesson;
    this.isTeacher = false;
    button.addEventListener("click", () => this.openDialog());
    this.listen();
    new ResizeObserver(() => this.measure()).observe(part.bar);
    this.resume();
  }

  listen() {
    const { part } = this;
    part.link.addEventListener("click", () => this.openDialog());
    part.follow.addEventListener("click", () => this.setFollows(!this.follows));
    part.away.addEventListener("click", () => this.leave());
    onSubmit(part.send, () => this.send());
    part.end.addEventListener("click", () => confirm(this.text.confirmEnd) && this.teach({ wish: "end" }));
    this.own = onOwnChange(() => this.code && !this.isTeacher && this.follows && this.setFollows(false));
  }

  /** The height of the line, below which the page begins (look.css). */
  measure() {
    document.documentElement.style.setProperty("--class-height", `${this.part.bar.offsetHeight}px`);
  }

  /** Goes on with the class that the address names. The key of its teacher may stand behind it, once. */
  resume() {
    const code = new URLSearchParams(location.search).get("class"), [, key] = location.hash.match(/^#key=([0-9a-f]{32})$/) ?? [];
    if (code === null) return;
    if (key) this.keepKey(code, key);
    this.join(code);
  }

  get key() {
    const [code, key] = (readStored(KEY) ?? "").split(" ");
    return code === this.code && key ? key : null;
  }

  get page() {
    if (readStored(PAGE, SESSION) === null) store(PAGE, randomId(), SESSION);
    return readStored(PAGE, SESSION) ?? "0";
  }

  keepKey(code, key) {
    store(KEY, `${code} ${key}`);
    store(LEADS, code, SESSION);
  }

  /** Begins a class, which this page leads. */
  async begin() {
    const { code, key } = await sendWish(null, {}, this.language);
    this.keepKey(code, key);
    await this.join(code);
    this.openDialog();
  }

  /** Joins a class by a code that was typed. Throws a Refusal if there is none. */
  async joinByCode(typed) {
    const code = typed.trim().toUpperCase();
    await sendWish(encodeURIComponent(code), { wish: "link", address: this.address }, this.language);
    await this.join(code);
  }

  /** Joins a class; the window that has begun it leads it. */
  async join(code) {
    Object.assign(this, { code: code.toUpperCase(), state: null });
    this.isTeacher = this.key !== null && readStored(LEADS, SESSION) === this.code;
    setForeignPart("class", this.code);
    if (this.isTeacher) await this.teach({ wish: "open" });
    this.stream?.close();
    this.stream = new ClassStream(this.code, this.page, {
      onState: (state) => this.take(state),
      onLost: () => this.lose(),
      onOver: () => this.finish(),
    });
    this.setStatus("joining");
    this.setFollows(!this.isTeacher);
  }

  setFollows(follows) {
    this.follows = follows;
    this.placeNumber = null;
    this.stream.open(follows);
    this.draw();
  }

  /** A connection that broke off; the server may have been started anew, without the class. */
  lose() {
    this.setStatus("lost");
    if (this.isTeacher) this.teach({ wish: "open" });
  }

  /** Takes a state of the class. A page that follows shows the place of the teacher's whenever that changes. */
  take(state) {
    const { isTeacher } = this, revealed = state.poll?.shown && !this.state?.poll?.shown;
    this.state = state;
    this.setStatus("joined");
    if (isTeacher) this.teacher.take(state);
    else if (this.follows && state.place && state.place_number !== this.placeNumber) {
      this.placeNumber = state.place_number;
      showPlace(state.place);
      this.own.expect();
    }
    this.card.draw(state.poll, isTeacher);
    if (revealed) this.keepGuess(state.poll);
  }

  /** The answer to a lesson's question counts in the lesson, too: this page's, or else the most frequent of the class. */
  keepGuess({ lesson: place, counts, answers }) {
    const { lesson, card: { choice } } = this;
    if (place && place === lesson.place && answers && !lesson.guessed) lesson.guessWith(choice ?? counts.indexOf(Math.max(...counts)));
  }

  setStatus(status) {
    this.status = status;
    this.draw();
  }

  draw() {
    const { code, follows, isTeacher, part, state, status, text } = this;
    part.bar.hidden = code === null;
    if (code === null) return;
    const isOver = status === "over";
    part.bar.dataset.role = isOver || status === "lost" ? status : isTeacher ? "teacher" : follows ? "follows" : "alone";
    part.name.textContent = fill(text.name, { code });
    const joined = isTeacher ? fill(text.following, { count: state?.following ?? 0 }) : follows ? text.follows : text.alone;
    part.state.textContent = status === "joined" ? joined : text[status];
    part.follow.textContent = follows ? text.leave : text.back;
    part.follow.hidden = isOver || isTeacher;
    part.link.hidden = isOver;
    part.teacher.hidden = isOver || !isTeacher;
    part.send.hidden = isOver || isTeacher || !state?.may_send;
    part.away.hidden = !isOver;
    this.measure();
  }

  /** The class is over: its line says so until the visitor closes it. */
  finish() {
    if (this.isTeacher) store(LEADS, "", SESSION);
    this.teacher.finish();
    this.card.draw(null, false);
    this.setStatus("over");
  }

  leave() {
    Object.assign(this, { code: null, state: null });
    setForeignPart("class", null);
    this.draw();
  }

  /** Sends a wish of the teacher; what only the teacher knows comes back. */
  async teach(request) {
    const answer = await this.wish({ ...request, key: this.key });
    if (answer?.sentences) this.teacher.takeOwn(answer);
  }

  guess(number, choice) {
    this.wish({ wish: "guess", page: this.page, number, choice });
  }

  async send() {
    const { sentence } = this.part, text = sentence.value.trim();
    if (!text) return;
    if (!await this.wish({ wish: "send", page: this.page, text })) return;
    sentence.value = "";
    sentence.placeholder = this.text.sent;
  }

  /** The response to a wish; null after a refusal or a broken connection, which the line says. */
  async wish(request) {
    try {
      return await sendWish(this.code, request, this.language);
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof TypeError || error instanceof DOMException)) throw error;
      if (error instanceof Refusal) this.part.state.textContent = error.message;
      else this.setStatus("lost");
      return null;
    }
  }

  async openDialog() {
    const { address, code, dialog, status } = this;
    const invitation = code === null || status === "over" ? null : await this.wish({ wish: "link", address });
    dialog.open(invitation && { ...invitation, code });
  }
}
