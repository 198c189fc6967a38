/** The box that takes a paste: keys, files, its size, and room for texts too large to edit in a page. */

import { count } from "./dom.js";
import { readLog, Refused } from "./read-file.js";

const EDITABLE = 400_000; // characters; a larger text makes the field slow and is kept beside it

/**
 * @param {(name: string) => HTMLElement} part elements of the page by name
 * @param {object} events
 * @param {(text: string) => void} events.onGo a text is to be diagnosed
 * @param {(sentence: string) => void} events.onRefuse a file was opened that holds no log
 * @param {() => void} events.onClear the box was emptied
 * @param {() => void} events.onTouch somebody is about to paste
 */
export function pasteBox(part, { onGo, onRefuse, onClear, onTouch }) {
  const field = part("paste");
  const box = part("box");
  let large = null; // a text that is not in the field

  const text = () => large ?? field.value;
  const measure = () => {
    const length = text().length;
    part("size").textContent = length ? `${count(length, "character")}${large ? ", too many to edit here" : ""}` : "";
    part("clear").hidden = !length;
  };

  function fill(value) {
    large = value.length > EDITABLE ? value : null;
    field.value = large ? `${value.slice(0, 2000)}\n\n… shown in part; all of it is read` : value;
    field.readOnly = Boolean(large);
    field.scrollTop = 0;
    measure();
  }

  function go() {
    if (text().trim()) onGo(text());
    else field.focus();
  }

  async function take(file) {
    try {
      fill(await readLog(file));
    } catch (error) {
      fill("");
      onRefuse(error instanceof Refused ? error.message : `${file.name} cannot be read: ${error.message}.`);
      return;
    }
    go();
  }

  part("form").addEventListener("submit", (event) => {
    event.preventDefault();
    go();
  });
  field.addEventListener("focus", onTouch, { once: true });
  field.addEventListener("input", measure);
  field.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    onTouch();
    // A field that shows a large text in part takes nothing by itself; a paste there replaces the text.
    if (!pasted || (!large && pasted.length <= EDITABLE)) return;
    event.preventDefault();
    fill(pasted);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      go();
    }
  });
  part("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) take(file);
    event.target.value = "";
  });
  part("clear").addEventListener("click", () => {
    fill("");
    onClear();
    field.focus();
  });
  dropInto(box, take);
  if (/Mac|iPhone|iPad/.test(navigator.platform)) part("keys").textContent = "⌘ + Enter";
  measure();
  part("go").disabled = false; // before this line ran, a press would have reloaded the page
  if (document.activeElement === field) onTouch();

  return {
    /** Diagnose what was asked for before this script was there (see home.html). */
    catchUp() {
      if (field.dataset.asked) go();
    },
    fill,
    busy(isBusy) {
      part("go").setAttribute("aria-disabled", String(isBusy));
      if (isBusy) field.scrollTop = 0;
    },
  };
}

function dropInto(box, take) {
  const over = (isOver) => (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    box.classList.toggle("fb-paste-box--over", isOver);
  };
  box.addEventListener("dragenter", over(true));
  box.addEventListener("dragover", over(true));
  box.addEventListener("dragleave", over(false));
  box.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    box.classList.remove("fb-paste-box--over");
    if (!file) return;
    event.preventDefault();
    take(file);
  });
}
