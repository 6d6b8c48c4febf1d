// Colour maps that stay readable for colour-blind eyes and in grey.
import { interpolateCividis, interpolateMagma, interpolateViridis } from "d3-scale-chromatic";

const maps = { viridis: interpolateViridis, cividis: interpolateCividis, magma: interpolateMagma };
export type ColourMapName = keyof typeof maps;
export const colourMapNames = Object.keys(maps) as ColourMapName[];

export const nColours = 256;
const tables = new Map<ColourMapName, Uint32Array>();

function channels(colour: string): number[] {
  if (colour.startsWith("#")) return [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16));
  return colour.match(/\d+/g)!.map(Number);
}

/** The colours as pixels of an ImageData on a little-endian machine. */
export function colourTable(name: ColourMapName): Uint32Array {
  const known = tables.get(name);
  if (known) return known;
  const table = Uint32Array.from({ length: nColours }, (_, k) => {
    const [red, green, blue] = channels(maps[name](k / (nColours - 1)));
    return ((255 << 24) | (blue! << 16) | (green! << 8) | red!) >>> 0;
  });
  tables.set(name, table);
  return table;
}

/** A CSS gradient from the lowest colour to the highest. */
export function gradient(name: ColourMapName, direction: string): string {
  const stops = Array.from({ length: 17 }, (_, k) => maps[name](k / 16));
  return `linear-gradient(${direction}, ${stops.join(", ")})`;
}

/** Colours values laid out [column][row from below] into an image whose rows run down; not a number stays clear. */
export function paint(
  image: ImageData,
  values: Float64Array,
  range: { low: number; high: number },
  name: ColourMapName,
): void {
  const { width, height } = image;
  const pixels = new Uint32Array(image.data.buffer);
  const table = colourTable(name);
  const scale = range.high > range.low ? (nColours - 1) / (range.high - range.low) : 0;
  for (let row = 0; row < height; ++row) {
    let pixel = (height - 1 - row) * width;
    for (let column = 0, place = row; column < width; ++column, place += height) {
      const share = (values[place]! - range.low) * scale;
      // The comparison is false for NaN.
      pixels[pixel++] =
        share > -1e300
          ? table[share <= 0 ? 0 : share >= nColours - 1 ? nColours - 1 : (share + 0.5) | 0]!
          : 0;
    }
  }
}
