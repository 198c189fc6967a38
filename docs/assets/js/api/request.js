/** A filled-in form as a request, and as a command that sends the same. */

/**
 * @param {{path: string, method: string}} operation
 * @param {{name: string, in: string, value: string}[]} parameters those without a value are left out
 * @param {{media: string, text: string, file: File|null}|null} body
 */
export function requestOf({ path, method }, parameters, body) {
  const given = parameters.filter(({ value }) => value);
  const filled = given
    .filter((each) => each.in === "path")
    .reduce((soFar, { name, value }) => soFar.replace(`{${name}}`, encodeURIComponent(value)), path);
  const address = new URL(`..${filled}`, location.href);
  for (const each of given.filter(({ in: place }) => place === "query")) address.searchParams.append(each.name, each.value);
  return { address, options: { method: method.toUpperCase(), ...payload(body) }, body };
}

function payload(body) {
  if (!body) return {};
  if (body.media !== "multipart/form-data") return { headers: { "Content-Type": body.media }, body: body.text };
  const form = new FormData();
  if (body.file) form.append("file", body.file);
  return { body: form };
}

/** The request for a shell. */
export function curl({ address, options: { method }, body }) {
  const parts = ["curl -s", method === "GET" ? "" : `-X ${method}`, quoted(address.href)];
  if (body?.media === "multipart/form-data") parts.push(`-F ${quoted(`file=@${body.file?.name ?? "FILE"}`)}`);
  else if (body) parts.push(`-H ${quoted(`Content-Type: ${body.media}`)}`, `--data-binary ${quoted(body.text)}`);
  return parts.filter(Boolean).join(" ");
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
