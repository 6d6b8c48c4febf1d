// The screen that a page is on.

/** How much larger the page's text is than usual: pictures grow with it. */
export function zoom(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
}

export interface Screen {
  zoom: number;
  /** In units of usual text. */
  width: number;
  height: number;
}

let known: Screen | null = null;
window.addEventListener("resize", () => (known = null));

/** Asked while θ is dragged: to look at the sizes themselves would make the browser lay out the page each time. */
export function screenNow(): Screen {
  if (known) return known;
  const found = zoom();
  known = { zoom: found, width: window.innerWidth / found, height: window.innerHeight / found };
  return known;
}
