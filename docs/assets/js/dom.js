/** Elements from values. Text goes in as text, always: a paste is hostile and never becomes markup. */

/**
 * An element. `props` are attributes; `on` holds listeners; false, null and undefined leave an attribute out.
 * Children are elements or text; null and false children are skipped, lists are taken apart.
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== false && child !== undefined));
  return node;
}

/** A folded block with its title. */
export function folded(title, ...children) {
  return el("details", { class: "fb-folded" }, el("summary", {}, title), el("div", { class: "fb-folded__body" }, children));
}

/** Prose of an entry: back-ticks make code, everything else is text, which `linked` may take to pieces with links. */
export function prose(text, linked = (part) => part) {
  return String(text)
    .split("`")
    .map((part, at) => (at % 2 ? el("code", {}, part) : linked(part)));
}

/** "1 line", "2 lines". */
export function count(number, one, several = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : several}`;
}
