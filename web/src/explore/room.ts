// Charts of a screen that is higher than a laptop's are higher too.
const usualHeight = 900;
const most = 1.9;

/** A height in units of usual text, for the screen that the page is on: all panels stand on it at once, or below
 * each other. */
export function roomy(height: number, stacked: number): number {
  const zoom = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
  if (window.innerWidth / zoom < 1100) return stacked;
  return Math.round(height * Math.min(most, Math.max(1, window.innerHeight / zoom / usualHeight)));
}
