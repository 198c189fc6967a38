/** The lines of a paste as the matcher counts them, and its offsets as JavaScript counts them. */

/** `\n`, `\r\n` and `\r` end a line; nothing else does. What follows the last end is a line only if there is any. */
export function splitLines(text) {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/** The matcher counts code points, JavaScript counts UTF-16 units: where the code point `offset` begins. */
export function utf16Offset(line, offset) {
  let units = 0;
  for (let point = 0; point < offset && units < line.length; point += 1) {
    units += line.codePointAt(units) > 0xffff ? 2 : 1;
  }
  return units;
}

/** A line cut at its marks: pieces of text with whether they are marked. Marks count code points. */
export function pieces(line, marks) {
  const cuts = marks
    .map(({ start, end }) => [utf16Offset(line, start), utf16Offset(line, end)])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const found = [];
  let at = 0;
  for (const [start, end] of cuts) {
    if (end <= at) continue;
    if (start > at) found.push({ text: line.slice(at, start), marked: false });
    found.push({ text: line.slice(Math.max(start, at), end), marked: true });
    at = end;
  }
  if (at < line.length || !found.length) found.push({ text: line.slice(at), marked: false });
  return found;
}
