/** The box that takes a paste: keys, files, its size, and room for texts too large to edit in a page. */

import { count } from "./dom.js";

const LARGEST = 20 * 1024 * 1024; // bytes of a file that a tab reads without trouble
const EDITABLE = 400_000; // characters; a larger text makes the field slow and is kept beside it

/**
 * @param {(name: string) => HTMLElement} part elements of the page by name
 * @param {{onGo: (text: string) => void, onClear: () => void, onTouch: () => void}} events
 */
export function pasteBox(part, { onGo, onClear, onTouch }) {
  const field = part("paste");
  const box = part("box");
  let large = null; // a text that is not in the field

  const text = () => large ?? field.value;
  const measure = () => {
    const length = text().length;
    part("size").textContent = length ? `${count(length, "character")}` : "";
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
    if (file.size > LARGEST) {
      part("size").textContent = `${file.name} is too large: at most 20 MB here, or use kb match`;
      return;
    }
    fill(await file.text());
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
    if (pasted.length <= EDITABLE) return;
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

  return {
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
