// Charts of a screen that is higher than a laptop's are higher too.
import { screenNow } from "../charts/screen";

/** On a laptop's screen: what stands above and below the charts, and the charts themselves. */
const around = 525;
const usual = 375;
const stackedBelow = 1100;

/** A height in units of usual text, for the screen that the page is on: all panels stand on it at once, or below
 * each other. */
export function roomy(height: number, stacked: number, most = 2.4): number {
  const screen = screenNow();
  if (screen.width < stackedBelow) return stacked;
  return Math.round(height * Math.min(most, Math.max(1, (screen.height - around) / usual)));
}
