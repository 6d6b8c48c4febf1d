// Small pieces that sample reports are made of: grids, noise that repeats, packing.

/** n values from low to high. */
export function range(low, high, n) {
  return Array.from({ length: n }, (_, k) => low + ((high - low) * k) / (n - 1));
}

/** Little-endian float32 as base64, the way the engine packs large arrays. */
export function pack(values) {
  return { f32: Buffer.from(Float32Array.from(values).buffer).toString("base64") };
}

/** A generator of uniform numbers in [0, 1) that gives the same ones every time. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function normal(uniform) {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** The function at every point of a grid, the last axis running fastest. */
export function overGrid(axes, f) {
  const sizes = axes.map((axis) => axis.length);
  const n = sizes.reduce((a, b) => a * b, 1);
  const values = new Float32Array(n);
  const theta = axes.map((axis) => axis[0]);
  for (let place = 0; place < n; ++place) {
    for (let k = axes.length - 1, rest = place; k >= 0; --k) {
      theta[k] = axes[k][rest % sizes[k]];
      rest = Math.floor(rest / sizes[k]);
    }
    values[place] = f(theta);
  }
  return values;
}
