// Unpacks numbers, each array at most once and only when it is first needed.
import type { Packed } from "./report";

export type Numbers = Float32Array | Float64Array;

const unpacked = new WeakMap<object, Numbers>();

function fromBase64(text: string): Float32Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length - (binary.length % 4));
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  if (new Uint8Array(new Uint16Array([1]).buffer)[0] === 0) swapBytes(bytes);
  return new Float32Array(bytes.buffer);
}

// Machines that keep the large end first.
function swapBytes(bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i += 4) bytes.subarray(i, i + 4).reverse();
}

/** The numbers of an array; NaN where it has none. */
export function unpack(packed: Packed | null | undefined): Numbers {
  if (!packed) return new Float64Array(0);
  const known = unpacked.get(packed);
  if (known) return known;
  const numbers = Array.isArray(packed)
    ? Float64Array.from(packed, (value) => value ?? Number.NaN)
    : fromBase64(packed.f32);
  unpacked.set(packed, numbers);
  return numbers;
}

/** Lowest and highest of the finite numbers, or null when there are none. */
export function extent(...arrays: Numbers[]): [number, number] | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const numbers of arrays) {
    for (let i = 0; i < numbers.length; ++i) {
      const value = numbers[i]!;
      if (value < low && value > Number.NEGATIVE_INFINITY) low = value;
      if (value > high && value < Number.POSITIVE_INFINITY) high = value;
    }
  }
  return low <= high ? [low, high] : null;
}
