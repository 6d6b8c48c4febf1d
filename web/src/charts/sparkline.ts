// A profile small enough for a table cell.
import { area, line } from "d3-shape";
import { extent, type Numbers, unpack } from "../arrays";
import { s } from "../dom";
import type { Profile } from "../report";
import { makeScale } from "./frame";

const width = 132;
const height = 40;
// A rise of less than this part of the lowest value is drawn as flat.
const minRise = 0.1;

/** Ends that the profiles of one regularizer share, so that a flat one looks flat beside a steep one. */
export function sharedDomain(profiles: Profile[]): [number, number] {
  const arrays = profiles.flatMap(({ R, low, high }) => [unpack(R), unpack(low), unpack(high)]);
  const [least, most] = extent(...arrays) ?? [0, 1];
  return [least, Math.max(most, least + minRise * Math.abs(least))];
}

// Where the line is nearest to θ; where nobody says a θ, at its lowest.
function discAt(theta: Numbers, values: Numbers, known: number[], best?: number | null): number {
  const cost = (i: number) => (typeof best === "number" ? Math.abs(theta[i]! - best) : values[i]!);
  return known.reduce((a, b) => (cost(b) < cost(a) ? b : a), known[0] ?? 0);
}

/** With a disc at the θ that is called best. */
export function sparkline(
  profile: Profile,
  label: string,
  domain: [number, number],
  bestTheta?: number | null,
): SVGSVGElement {
  const theta = unpack(profile.theta);
  const values = unpack(profile.R);
  const low = unpack(profile.low);
  const high = unpack(profile.high);
  const x = makeScale({ label: "", domain: extent(theta) ?? [0, 1] }, 3, width - 3);
  const y = makeScale({ label: "", domain }, height - 4, 4);
  const places = Array.from(theta.keys());
  const isShown = (i: number) => Number.isFinite(values[i]!);
  const hasBand = low.length === theta.length && high.length === theta.length;
  const band = area<number>()
    .defined(isShown)
    .x((i) => x(theta[i]!))
    .y0((i) => y(low[i]!))
    .y1((i) => y(high[i]!));
  const path = line<number>()
    .defined(isShown)
    .x((i) => x(theta[i]!))
    .y((i) => y(values[i]!));
  const known = places.filter(isShown);
  const best = discAt(theta, values, known, bestTheta);
  return s(
    "svg",
    { class: "sparkline", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    hasBand ? s("path", { class: "band line-1", d: band(places) }) : null,
    s("path", { class: "series line-1", d: path(places) }),
    known.length > 0
      ? s("circle", { class: "minimum main", cx: x(theta[best]!), cy: y(values[best]!), r: 3 })
      : null,
  );
}
