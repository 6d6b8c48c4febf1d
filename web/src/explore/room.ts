// Charts of a screen that is higher than a laptop's are higher too.
import { screenNow } from "../charts/screen";

const usualHeight = 900;
const most = 1.9;
const stackedBelow = 1100;

/** A height in units of usual text, for the screen that the page is on: all panels stand on it at once, or below
 * each other. */
export function roomy(height: number, stacked: number): number {
  const screen = screenNow();
  if (screen.width < stackedBelow) return stacked;
  return Math.round(height * Math.min(most, Math.max(1, screen.height / usualHeight)));
}
