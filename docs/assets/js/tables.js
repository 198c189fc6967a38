/** Tables wider than the screen scroll inside a frame that the theme puts around them; keys must reach it. */

/** Put each frame into the tab order while its table does not fit. */
export function reachTables() {
  // The theme's own signal that it has drawn the page, frames included.
  globalThis.document$?.subscribe(() => {
    for (const frame of document.querySelectorAll(".md-typeset__scrollwrap")) watch(frame);
  });
}

function watch(frame) {
  new ResizeObserver(() => {
    if (frame.scrollWidth > frame.clientWidth) {
      frame.tabIndex = 0;
      frame.setAttribute("role", "group");
      frame.setAttribute("aria-label", "Table, wider than the screen");
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) frame.removeAttribute(name);
    }
  }).observe(frame);
}
