/** Where this site lies. Pages live at any depth and under any path, so nothing is addressed from the root. */

function base() {
  const config = document.getElementById("__config");
  const relative = config ? JSON.parse(config.textContent).base : ".";
  return new URL(`${relative}/`, location.href);
}

/** The address of a path of this site, such as `errors/`. */
export function siteUrl(path) {
  return new URL(path, base());
}
