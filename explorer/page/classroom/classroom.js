// A class on this page: the teacher's page leads it, the others follow. What it shows comes as one state from the
// server.

import { setForeignPart } from "../../ui/address.js";
import { onSubmit } from "../../ui/element.js";
import { randomId } from "../../ui/server.js";
import { forget, readStored, SESSION, store } from "../../ui/storage.js";
import { openDrawer } from "../../ui/page_events.js";
import { nodesByAttribute } from "../../ui/tab.js";
import { fill } from "../../ui/text.js";
import { keepAwake } from "../../ui/wake_lock.js";
import { isExpected, onVisitorChange, parseCode, Refusal, sendAction, showParts, StatePoller } from "./connection.js";
import { PollCard } from "./poll.js";
import { Teacher } from "./teacher.js";

const NOTICE_MS = 20000; // for which a refusal stands in the line, or that the class is over
const MAX_SHOWN_CODE = 20; // characters of what can be no code
const SHEET = "(max-width: 1199px)"; // a window in which the drawer lies over the pictures (drawer.css)

/** The parts of a place with which its picture comes into sight; of the others nothing moves a page that follows. */
const LED_PARTS = ["sentence", "tab", "level", "lesson"];

/** Where local storage keeps the key of a class, once the server has taken it. */
const keyName = (code) => `class-key:${code}`;
/** Where session storage keeps that this window leads a class. */
const leadsName = (code) => `class-leads:${code}`;
/** Where local storage keeps the random name by which the class knows this browser: one guess each. */
const browserName = (code) => `class-browser:${code}`;

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
  poller = null;
  state = null;
  partsNumber = null;
  /** What was shown last. @type {Record<string, string>} */ shown = {};
  page = randomId(); // by which the class tells this page from others
  follows = true;
  status = "joining";
  delay = 0; // milliseconds by which the network delivers late
  silence = 0; // milliseconds since the class was heard of, if that is long ago
  hasLed = false; // the class that is over
  notice = null;
  noticeTimer = null;

  /**
   * `button` is that of the toolbar, `lesson` the dock. `root` is the address of the page in the first language if it
   * differs from the one in the browser, where it is at `path` beside this page. `known()` is called when what the
   * class shows is there, or will not be there soon.
   */
  constructor(node, button, { root, path, language, lesson, known, text }) {
    this.address = root ?? new URL(path || location.pathname, location.href).href;
    this.language = language;
    this.text = text;
    this.known = known;
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
    part.lead.addEventListener("click", () => this.takeLead());
    part.away.addEventListener("click", () => this.leave());
    onSubmit(part.send, () => this.send());
    part.end.addEventListener("click", () => confirm(this.text.confirmEnd) && this.teach({ action: "end" }));
    this.visitorChange = onVisitorChange(
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

  /** Whether this page may lead: its browser has the key, and no other page leads. */
  get mayLead() {
    return !this.isTeacher && this.state?.led === false && readStored(keyName(this.code)) !== null;
  }

  /** The name of this browser in this class; where nothing can be stored, that of the page. */
  get browser() {
    const name = browserName(this.code);
    if (readStored(name) === null) store(name, randomId());
    return readStored(name) ?? this.page;
  }

  /** Begins a class, which this page leads. */
  async begin() {
    const { code, key } = await sendAction(null, {}, this.language);
    await sendAction(code, { action: "open", key }, this.language);
    await this.join(code, key);
    this.openDialog();
  }

  /** Joins a class. The window that has begun it leads it, and one that brings its key. */
  async join(text, linkedKey = null) {
    const code = parseCode(text);
    const leads = code !== null && readStored(leadsName(code), SESSION) !== null;
    this.poller?.close();
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
    if (code === this.code) this.startPolling();
  }

  startPolling() {
    this.poller = new StatePoller({
      ask: (request, signal) => this.askState(request, signal),
      onAnswer: (response, delay) => this.take(response, delay),
      onLost: (error, silence) => this.lose(error, silence),
      onDisplaced: () => this.setStatus("displaced"),
      onOver: () => (this.state ? this.finish() : this.setStatus("none")),
      onGone: () => this.setStatus(this.state ? "over" : "none"),
    });
    this.setFollows(!this.isTeacher);
  }

  /** Asks for the state; the teacher's page opens the class again where the server was started anew without it. */
  async askState(request, signal) {
    const { browser, code, key, language, page } = this;
    const wanted = { action: "state", ...request, page, browser, key: key ?? "" };
    const ask = () => sendAction(code, wanted, language, signal);
    try {
      return await ask();
    } catch (error) {
      if (!(this.isTeacher && error instanceof Refusal && error.isUnknown)) throw error;
      await this.openClass();
      return ask();
    }
  }

  /**
   * Leads the class, unless the server says that this is not its key (or there is none): then the line says `refusal`.
   */
  async lead(key, refusal) {
    this.key = key;
    try {
      if (key !== null) await this.openClass();
      this.say(key === null ? refusal : null);
    } catch (error) {
      if (!isExpected(error)) throw error;
      if (!(error instanceof Refusal && error.isForeign)) return this.lose(error, 0); // the poller tries again
      this.key = null;
      this.say(refusal);
    }
  }

  /** Leads a class that no page leads any more, from where it stands. */
  async takeLead() {
    await this.lead(readStored(keyName(this.code)), this.text.noKey);
    this.setFollows(!this.isTeacher);
  }

  /** Opens the class (again); the key is stored once the server has taken it. */
  async openClass() {
    const { code, key } = this;
    const opened = await sendAction(code, { action: "open", key }, this.language);
    store(keyName(code), key);
    store(leadsName(code), "1", SESSION);
    this.teacher.takeCollected(opened);
  }

  setFollows(follows) {
    this.follows = follows;
    this.partsNumber = null;
    this.shown = {};
    this.poller.open(follows);
    this.draw();
  }

  /** No response, or a refusal: the server may have been started anew, without the class. */
  lose(error, silence) {
    this.silence = error instanceof DOMException ? silence : 0;
    this.setStatus(error?.isUnknown && !this.state ? "waiting" : this.silence ? "silent" : "lost");
    if (error instanceof Refusal && !error.isUnknown) this.say(error.message);
    else this.say(null);
  }

  /** Takes a response: a state of the class, unless this page has it, and the guess of this browser. */
  take({ state, choice }, delay) {
    const isRevealed = state?.poll?.shown && !this.state?.poll?.shown;
    this.delay = delay;
    if (state) this.takeState(state);
    this.card.takeChoice(choice);
    if (isRevealed) this.keepGuess(state.poll);
    this.setStatus("joined");
  }

  /** A page that follows shows what the teacher's shows whenever that changes. */
  takeState(state) {
    const { isTeacher } = this;
    this.state = state;
    if (isTeacher) this.teacher.take(state);
    else if (this.follows && state.place && state.place_number !== this.partsNumber) {
      this.partsNumber = state.place_number;
      if (LED_PARTS.some((name) => state.place[name] !== this.shown[name])) this.lesson.awaited = state.place.sentence;
      this.shown = state.place;
      const { scrollX, scrollY } = window; // a pupil's own, whatever opens
      showParts(state.place);
      scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
      this.visitorChange.expect();
    }
    this.card.draw(state.poll, { isTeacher, isLed: state.led });
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
    if (status !== "joining") this.known();
    this.draw();
  }

  draw() {
    const { code, delay, follows, isOver, isTeacher, part, state, status, text } = this;
    part.bar.hidden = code === null;
    keepAwake("class", code !== null && !isOver);
    this.setFollowing(Boolean(state?.led) && follows && !isOver && !isTeacher);
    if (code === null) return;
    const followsNone = status === "joined" && follows && (delay > 0 || !state.led); // or too late
    const isLost = followsNone || ["lost", "silent", "waiting", "displaced"].includes(status);
    part.bar.dataset.role = isOver ? "over" : isLost ? "lost" : isTeacher ? "teacher" : follows ? "follows" : "alone";
    part.bar.toggleAttribute("data-notice", this.notice !== null);
    part.name.textContent = fill(text.name, { code });
    part.state.textContent = this.notice ?? (status === "joined" ? this.joinedText() : this.awayText());
    part.lead.hidden = isOver || !this.mayLead;
    part.follow.textContent = follows ? text.leave : text.back;
    part.follow.hidden = isOver || isTeacher;
    part.link.hidden = isOver;
    part.teacher.hidden = isOver || !isTeacher;
    part.send.hidden = isOver || isTeacher || !state?.may_send;
    part.away.hidden = !isOver && status !== "waiting";
    this.measure();
  }

  /** The teacher's drawer, which a page that follows does not show, would now lie over a small window's picture. */
  setFollowing(isFollowing) {
    const { body } = document;
    const hasFollowed = body.hasAttribute("data-following");
    body.toggleAttribute("data-following", isFollowing);
    if (!hasFollowed || isFollowing || !matchMedia(SHEET).matches) return;
    openDrawer(null);
    this.visitorChange.expect();
  }

  joinedText() {
    const { delay, follows, isTeacher, state, text } = this;
    if (isTeacher) return fill(text.following, { count: state.following });
    if (!follows) return text.alone;
    if (!state.led) return text.unled;
    return delay ? fill(text.late, { seconds: Math.round(delay / 1000) }) : text.follows;
  }

  awayText() {
    const { status, silence, text } = this;
    const said = status === "over" && this.hasLed ? text.ended : text[status];
    return fill(said, { seconds: Math.round(silence / 1000) });
  }

  /** The class is over: its line says so for a while, and the page goes on alone, also when it is loaded again. */
  finish() {
    forget(keyName(this.code));
    forget(browserName(this.code));
    forget(leadsName(this.code), SESSION);
    this.hasLed = this.isTeacher;
    this.key = null;
    this.teacher.finish();
    this.card.draw(null, { isTeacher: false, isLed: false });
    setForeignPart("class", null);
    this.say(null);
    this.setStatus("over");
    this.noticeTimer = setTimeout(() => this.leave(), NOTICE_MS);
  }

  leave() {
    clearTimeout(this.noticeTimer);
    this.poller?.close();
    this.code = null;
    this.state = null;
    this.key = null;
    setForeignPart("class", null);
    this.draw();
  }

  /** Sends an action of the teacher; what only the teacher knows comes back. */
  async teach(request) {
    const answer = await this.act({ ...request, key: this.key });
    if (answer?.sentences) this.teacher.takeCollected(answer);
  }

  /** Promises whether the class has counted the guess. */
  async guess(number, choice) {
    return await this.act({ action: "guess", browser: this.browser, number, choice }) !== null;
  }

  async send() {
    const { sentence } = this.part;
    const text = sentence.value.trim();
    if (!text) return;
    if (!await this.act({ action: "send", browser: this.browser, text })) return;
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
