/** Light or dark as the system is, before anything is drawn. No module: those run too late for that. */

(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.setAttribute("data-md-color-scheme", dark.matches ? "slate" : "default");
  dark.addEventListener("change", follow);
  follow();
})();
