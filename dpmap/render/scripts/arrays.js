// @ts-check
/* Arrays from the forms they travel in. */

/** @import { Arrays, Bits, Packed } from "./types.d.ts" */

const TYPES = { uint8: Uint8Array, int32: Int32Array, float32: Float32Array, float64: Float64Array };

/** @param {string} text */
function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

/**
 * A typed array from its base64 form.
 *
 * @template {keyof Arrays} T
 * @param {Packed<T>} packed
 */
export function decode(packed) {
  return /** @type {Arrays[T]} */ (new TYPES[packed.type](bytes(packed.data).buffer));
}

/**
 * 0 or 1 for each of `count` bits.
 *
 * @param {Bits} packed
 * @param {number} count
 */
export function bits(packed, count) {
  const source = bytes(packed.data);
  const out = new Uint8Array(count);
  for (let i = 0; i < count; i++) out[i] = (source[i >> 3] >> (7 - (i & 7))) & 1;
  return out;
}

/**
 * Row-wise differences, deflated: the form the image of cell numbers travels in.
 *
 * @param {{ data: string }} packed
 * @param {number} width
 */
export async function inflateRows(packed, width) {
  const stream = new Blob([bytes(packed.data)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const out = new Int32Array(await new Response(stream).arrayBuffer());
  for (let i = 0; i < out.length; i++) if (i % width) out[i] += out[i - 1];
  return out;
}
