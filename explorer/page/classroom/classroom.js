// A class on this page: the teacher's page leads it, the others follow. What it shows comes as one state from the
// server.

import { setForeignPart } from "../../ui/address.js";
import { onSubmit } from "../../ui/element.js";
import { randomId } from "../../ui/server.js";
import { forget, readStored, SESSION, store } from "../../ui/storage.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { fill } from "../../ui/text.js";
import { ClassStream, isExpected, onOwnChange, parseCode, Refusal, sendAction, showParts } from "./connection.js";
import { PollCard } from "./poll.js";
import { Teacher } from "./teacher.js";

const PAGE = "class-page"; // session storage: the random name by which the class tells this window from others
const NOTICE_MS = 20000; // for which a refusal stands in the line, or that the class is over
const MAX_SHOWN_CODE = 20; // characters of what can be no code

/** Where local storage keeps the key of a class, once the server has taken it. */
const keyName = (code) => `class-key:${code}`;
/** Where session storage keeps that this window leads a class. */
const leadsName = (code) => `class-leads:${code}`;

/** Begins a class, or leads to where one joins; in a class, shows that and its code, large enough for the last row. */
class ClassDialog {
  /** `begin()` begins a class, and promises its end. */
  constructor(part, { text, language, begin }) {
    this.part = part;
    this.text = text;
    part.begin.addEventListener("click", () => this.run(begin));
    part.join.href = new URL(`join?lang=${language}`, document.baseURI).href;
  }

  /** Does what was asked for and closes; a refusal is said. */
  async run(action) {
    const { part, text } = this;
    try {
      part.dialog.close();
      await action();
    } catch (error) {
      if (!isExpected(error)) throw error;
      this.open(null);
      part.fault.textContent = error instanceof Refusal ? error.message : text.noAnswer;
    }
  }

  /** Opens it with the invitation { join, qr, reachable, code } of the class, or null without a class. */
  open(invitation) {
    const { part, text } = this;
    part.fault.textContent = "";
    part.heading.textContent = invitation ? text.invite : text.class;
    part.beginning.hidden = invitation !== null;
    part.invitation.hidden = invitation === null;
    part.dialog.classList.toggle("wide", invitation !== null);
    if (invitation) {
      part.qr.innerHTML = invitation.qr; // SVG from the server
      part.address.textContent = invitation.join;
      part.code.textContent = invitation.code;
      part.local.hidden = invitation.reachable;
    }
    if (!part.dialog.open) part.dialog.showModal();
  }
}

export class Classroom {
  code = null;
  key = null;
  stream = null;
  state = null;
  partsNumber = null;
  follows = true;
  status = "joining";
  notice = null;
  noticeTimer = null;

  /**
   * `button` is that of the toolbar, `lesson` the dock. `root` is the address of the page in the first language if it
   * differs from the one in the browser, where it is at `path` beside this page.
   */
  constructor(node, button, { root, path, language, lesson, text }) {
    this.address = root ?? new URL(path || location.pathname, location.href).href;
    this.language = language;
    this.text = text;
    this.part = nodesByAttribute(node, "class");
    const { part } = this;
    this.card = new PollCard(part, {
      text,
      lessons: lesson.lessons,
      guess: (number, choice) => this.guess(number, choice),
    });
    this.teacher = new Teacher(part, { text, lesson, act: (request) => this.teach(request) });
    this.dialog = new ClassDialog(part, { text, language, begin: () => this.begin() });
    this.lesson = lesson;
    button.addEventListener("click", () => this.openDialog());
    this.listen();
    new ResizeObserver(() => this.measure()).observe(part.bar);
    this.resume();
  }

  listen() {
    const { part } = this;
    part.link.addEventListener("click", () => this.openDialog());
    part.follow.addEventListener("click", () => {
      this.say(null);
      this.setFollows(!this.follows);
    });
    part.away.addEventListener("click", () => this.leave());
    onSubmit(part.send, () => this.send());
    part.end.addEventListener("click", () => confirm(this.text.confirmEnd) && this.teach({ action: "end" }));
    this.own = onOwnChange(
      () => this.code && !this.isTeacher && !this.isOver && this.follows && this.setFollows(false),
    );
  }

  /** The height of the line, below which the page begins (look.css). */
  measure() {
    document.documentElement.style.setProperty("--class-height", `${this.part.bar.offsetHeight}px`);
  }

  /** Goes on with the class that the address names. The key of its teacher may stand behind it, once. */
  resume() {
    const code = new URLSearchParams(location.search).get("class");
    const [, key] = location.hash.match(/^#key=([0-9a-f]{32})$/) ?? [];
    if (code !== null) this.join(code, key);
  }

  get isTeacher() {
    return this.key !== null;
  }

  /** Whether this page has nothing more to wait for. */
  get isOver() {
    return ["over", "none"].includes(this.status);
  }

  get page() {
    if (readStored(PAGE, SESSION) === null) store(PAGE, randomId(), SESSION);
    return readStored(PAGE, SESSION) ?? "0";
  }

  /** Begins a class, which this page leads. */
  async begin() {
    const { code, key } = await sendAction(null, {}, this.language);
    await sendAction(code, { action: "open", key, page: this.page }, this.language);
    await this.join(code, key);
    this.openDialog();
  }

  /** Joins a class. The window that has begun it leads it, and one that brings its key. */
  async join(text, linkedKey = null) {
    const code = parseCode(text);
    const leads = code !== null && readStored(leadsName(code), SESSION) !== null;
    this.stream?.close();
    this.teacher.finish();
    this.say(null);
    this.code = code ?? text.slice(0, MAX_SHOWN_CODE);
    this.state = null;
    this.key = null;
    setForeignPart("class", this.code);
    if (code === null) return this.setStatus("none");
    this.setStatus("joining");
    if (linkedKey) await this.lead(linkedKey, this.text.wrongKey);
    if (leads && !this.isTeacher) await this.lead(readStored(keyName(code)), this.text.noKey);
    if (code === this.code) this.openStream();
  }

  openStream() {
    this.stream = new ClassStream(this.code, this.page, {
      find: () => this.find(),
      onState: (state) => this.take(state),
      onLost: (error) => this.lose(error),
      onDisplaced: () => this.setStatus("displaced"),
      onOver: () => this.finish(),
      onGone: () => this.setStatus(this.state ? "over" : "none"),
    });
    this.setFollows(!this.isTeacher);
  }

  /**
   * Leads the class, unless the server says that this is not its key (or there is none): then the line says `refusal`.
   */
  async lead(key, refusal) {
    this.key = key;
    try {
      if (key !== null) await this.find();
      this.say(key === null ? refusal : null);
    } catch (error) {
      if (!isExpected(error)) throw error;
      if (!(error instanceof Refusal && error.isForeign)) return this.lose(error); // the stream tries again
      this.key = null;
      this.say(refusal);
    }
  }

  /** Finds the class, or opens it (again) if this page leads it; the key is stored once the server has taken it. */
  async find() {
    const { code, key, language, page } = this;
    if (key === null) return sendAction(code, { action: "find", page }, language);
    const own = await sendAction(code, { action: "open", key, page }, language);
    store(keyName(code), key);
    store(leadsName(code), "1", SESSION);
    this.teacher.takeOwn(own);
  }

  setFollows(follows) {
    this.follows = follows;
    this.partsNumber = null;
    this.stream.open(follows);
    this.draw();
  }

  /** A connection that broke off, or was refused: the server may have been started anew, without the class. */
  lose(error) {
    this.setStatus(error?.isUnknown && !this.state ? "waiting" : "lost");
    if (error instanceof Refusal && !error.isUnknown) this.say(error.message);
    else this.say(null);
  }

  /** Takes a state of the class. A page that follows shows what the teacher's shows whenever that changes. */
  take(state) {
    const { isTeacher } = this, revealed = state.poll?.shown && !this.state?.poll?.shown;
    this.state = state;
    this.setStatus("joined");
    if (isTeacher) this.teacher.take(state);
    else if (this.follows && state.place && state.place_number !== this.partsNumber) {
      this.partsNumber = state.place_number;
      this.lesson.awaited = state.place.sentence;
      showParts(state.place);
      this.own.expect();
    }
    this.card.draw(state.poll, isTeacher);
    if (revealed) this.keepGuess(state.poll);
  }

  /**
   * The answer to a lesson's question counts in the lesson, too: this page's, or else the most frequent of the class.
   */
  keepGuess({ lesson: part, counts, answers }) {
    const { lesson, card: { choice } } = this;
    if (part && part === lesson.addressPart && answers && !lesson.guessed) {
      lesson.guessWith(choice ?? counts.indexOf(Math.max(...counts)));
    }
  }

  /** Says a sentence in the line for a while, in place of the status; null takes it away. */
  say(notice) {
    clearTimeout(this.noticeTimer);
    this.notice = notice;
    if (notice !== null) this.noticeTimer = setTimeout(() => this.say(null), NOTICE_MS);
    this.draw();
  }

  setStatus(status) {
    this.status = status;
    this.draw();
  }

  draw() {
    const { code, follows, isOver, isTeacher, part, state, status, text } = this;
    part.bar.hidden = code === null;
    document.body.toggleAttribute("data-following", state !== null && follows && !isOver && !isTeacher);
    if (code === null) return;
    const isAway = ["lost", "waiting", "displaced"].includes(status);
    part.bar.dataset.role = isOver ? "over" : isAway ? "lost" : isTeacher ? "teacher" : follows ? "follows" : "alone";
    part.bar.toggleAttribute("data-notice", this.notice !== null);
    part.name.textContent = fill(text.name, { code });
    const joined = isTeacher
      ? fill(text.following, { count: state?.following ?? 0 })
      : follows
        ? (state?.led ? text.follows : text.unled)
        : text.alone;
    part.state.textContent = this.notice ?? (status === "joined" ? joined : text[status]);
    part.follow.textContent = follows ? text.leave : text.back;
    part.follow.hidden = isOver || isTeacher;
    part.link.hidden = isOver;
    part.teacher.hidden = isOver || !isTeacher;
    part.send.hidden = isOver || isTeacher || !state?.may_send;
    part.away.hidden = !isOver && status !== "waiting";
    this.measure();
  }

  /** The class is over: its line says so for a while, and the page goes on alone, also when it is loaded again. */
  finish() {
    forget(keyName(this.code));
    forget(leadsName(this.code), SESSION);
    this.key = null;
    this.teacher.finish();
    this.card.draw(null, false);
    setForeignPart("class", null);
    this.say(null);
    this.setStatus("over");
    this.noticeTimer = setTimeout(() => this.leave(), NOTICE_MS);
  }

  leave() {
    clearTimeout(this.noticeTimer);
    this.stream?.close();
    this.code = null;
    this.state = null;
    this.key = null;
    setForeignPart("class", null);
    this.draw();
  }

  /** Sends an action of the teacher; what only the teacher knows comes back. */
  async teach(request) {
    const answer = await this.act({ ...request, key: this.key });
    if (answer?.sentences) this.teacher.takeOwn(answer);
  }

  guess(number, choice) {
    this.act({ action: "guess", page: this.page, number, choice });
  }

  async send() {
    const { sentence } = this.part;
    const text = sentence.value.trim();
    if (!text) return;
    if (!await this.act({ action: "send", page: this.page, text })) return;
    sentence.value = "";
    sentence.placeholder = this.text.sent;
  }

  /** The response to an action; null after a refusal or a broken connection, which the line says. */
  async act(request) {
    try {
      const answer = await sendAction(this.code, request, this.language);
      this.say(null);
      return answer;
    } catch (error) {
      if (!isExpected(error)) throw error;
      if (error instanceof Refusal) this.say(error.message);
      else this.setStatus("lost");
      return null;
    }
  }

  async openDialog() {
    const { address, code, dialog, isOver } = this;
    const invitation = code === null || isOver ? null : await this.act({ action: "link", address });
    dialog.open(invitation && { ...invitation, code });
  }
}
