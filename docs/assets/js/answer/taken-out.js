/** What redaction took out of a text, for the person who is about to send the rest. */

import { count, el, folded } from "../dom.js";

/** Each line that redaction changed, as it was and as it is. */
export function takenOutView(before, after) {
  const changed = before.flatMap((line, at) => (line === after[at] ? [] : [changeView(line, after[at])]));
  if (!changed.length) return el("p", {}, "In these lines none was recognised.");
  return folded(`Taken out in ${count(changed.length, "line")}`, el("ul", { class: "fb-plain fb-taken-out" }, changed));
}

function changeView(before, after) {
  const start = shared(before, after);
  const end = shared(backwards(before.slice(start)), backwards(after.slice(start)));
  const differing = (text) => text.slice(start, text.length - end);
  const marked = [el("del", {}, differing(before)), " ", el("ins", {}, differing(after))];
  return el("li", {}, el("code", {}, before.slice(0, start), marked, before.slice(before.length - end)));
}

/** How many characters two texts share at their beginning, whole words alone. */
function shared(one, other) {
  const most = Math.min(one.length, other.length);
  let same = 0;
  while (same < most && one[same] === other[same]) same += 1;
  while (same > 0 && /[\w.@:+-]/.test(one[same - 1])) same -= 1;
  return same;
}

function backwards(text) {
  return text.split("").reverse().join("");
}
