/** The diagnosis page: takes a paste, asks a matcher, shows the answer, and asks again when a check is answered. */

import { answerView } from "./answer/answer.js";
import { problemView, refusedView } from "./answer/problem.js";
import { deviceSwitch } from "./device-switch.js";
import { count } from "./dom.js";
import { takeOver } from "./handover.js";
import { keepForOffline } from "./keep.js";
import { splitLines } from "./lines.js";
import { PageMatcher, ServerMatcher } from "./matchers.js";
import { pasteBox } from "./paste-box.js";
import { siteUrl } from "./site.js";

/** Bring the page to life. Returns a function that diagnoses a text, for the search field. */
export function startHome(root) {
  const home = new Home(root);
  const handed = takeOver();
  if (handed) home.open(handed);
  return (text) => home.open(text);
}

class Home {
  #root;
  #parts;
  #box;
  #page = null; // the matcher in this page, where the site has it
  #server = new ServerMatcher();
  #switch = null;
  #paste = "";
  #answers = []; // of checks, in the order in which they were given
  #reading = ""; // what is said while an answer is awaited
  #isKept = false; // for when there is no network
  #asked = 0; // only the latest question may draw

  constructor(root) {
    this.#root = root;
    this.#parts = (name) => document.querySelector(`[data-part="${name}"]`);
    if (root.dataset.inBrowser === "yes") {
      this.#page = new PageMatcher((text) => this.#say(text || this.#reading));
      this.#switch = deviceSwitch(this.#parts, () => this.#server.answers());
    }
    this.#box = pasteBox(this.#parts, {
      onGo: (text) => this.#diagnose(text),
      onRefuse: (sentence) => this.#refuse(sentence),
      onClear: () => this.#clear(),
      onTouch: () => this.#matcher.warm(),
    });
    for (const button of root.querySelectorAll("[data-trial]")) {
      button.addEventListener("click", () => this.#try(button.dataset.trial));
    }
    this.#box.catchUp();
  }

  /** The paste stays in the page wherever the page can answer, unless the person says otherwise. */
  get #matcher() {
    return this.#switch?.isOn() ? this.#page : this.#server;
  }

  /** Put a text into the box and diagnose it. */
  open(text) {
    this.#box.fill(text);
    return this.#diagnose(text);
  }

  async #try(path) {
    this.open(await (await fetch(siteUrl(path))).text());
  }

  #diagnose(text) {
    this.#paste = text.toWellFormed ? text.toWellFormed() : text; // half a character would not survive JSON
    this.#answers = [];
    return this.#ask();
  }

  /** Say why a file was not read. The answer before it was about another text, so it goes. */
  #refuse(sentence) {
    this.#clear();
    this.#show([refusedView(sentence)], true);
  }

  async #ask() {
    this.#asked += 1;
    const mine = this.#asked;
    this.#reading = `Reading ${count(splitLines(this.#paste).length, "line")} …`;
    this.#say(this.#reading);
    this.#box.busy(true);
    this.#parts("answer").setAttribute("aria-busy", "true"); // an answer that is shown is the one before
    const outcomes = Object.fromEntries(this.#answers.map((each) => [each.check, each.outcome]));
    try {
      const diagnosis = await this.#matcher.match(this.#paste, { outcomes });
      if (mine === this.#asked) this.#draw(diagnosis);
    } catch (error) {
      if (mine === this.#asked) await this.#drawProblem(error);
    } finally {
      if (mine === this.#asked) this.#rest();
    }
  }

  #draw(diagnosis) {
    const isFirst = !this.#answers.length;
    const { view, spoken } = answerView(diagnosis, splitLines(this.#paste), {
      answers: this.#answers,
      onAnswer: (given) => this.#answer([...this.#without(given.check), given]),
      onUndo: (check) => this.#answer(this.#without(check)),
      redact: async (text) => this.#page.redact(text), // fails where the site was built without a matcher
    });
    this.#show(view, isFirst);
    this.#say(spoken, "done");
    this.#keep();
  }

  /** After the first answer in the page. */
  #keep() {
    if (this.#isKept || this.#matcher !== this.#page) return;
    this.#isKept = true;
    keepForOffline(this.#page.loaded);
  }

  #without(check) {
    return this.#answers.filter((each) => each.check !== check);
  }

  #answer(answers) {
    this.#answers = answers;
    this.#ask();
  }

  async #drawProblem(error) {
    const canAskServer = this.#matcher === this.#page && (await this.#server.answers());
    this.#say("");
    this.#show([problemView(error, canAskServer ? () => this.#useServer() : null)], true);
  }

  #useServer() {
    this.#switch.turnOff();
    this.#ask();
  }

  #show(nodes, scroll) {
    const answer = this.#parts("answer");
    answer.replaceChildren(...nodes);
    answer.hidden = false;
    this.#root.classList.add("fb-home--answered");
    this.#parts("about").hidden = true;
    answer.focus({ preventScroll: true });
    if (scroll) answer.scrollIntoView({ block: "start", behavior: "instant" });
  }

  #clear() {
    this.#asked += 1;
    this.#matcher.stop();
    this.#answers = [];
    this.#parts("answer").replaceChildren();
    this.#parts("answer").hidden = true;
    this.#parts("about").hidden = false;
    this.#root.classList.remove("fb-home--answered");
    this.#rest();
    this.#say("");
  }

  #rest() {
    this.#reading = "";
    this.#box.busy(false);
    this.#parts("answer").removeAttribute("aria-busy");
  }

  /** Tell what is going on; when "done", only to those who listen: the answer itself says it to the others. */
  #say(text, state = "working") {
    const progress = this.#parts("progress");
    progress.textContent = text;
    progress.classList.toggle("fb-progress--busy", Boolean(text) && state === "working");
    progress.classList.toggle("fb-visually-hidden", state === "done");
  }
}
