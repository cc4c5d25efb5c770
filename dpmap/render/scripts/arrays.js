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
  return /** @type {Arrays[T]} */ (new TYPES[packed.type](plainBytes(packed).buffer));
}

/** @param {Packed<keyof Arrays>} packed */
function plainBytes(packed) {
  if (packed.deflated && !packed.bytes) throw new Error("an array is still deflated");
  return packed.bytes?.slice() ?? bytes(packed.data);
}

/**
 * Inflates all deflated arrays among what the page carries, so that `decode` has them at once.
 *
 * @param {unknown} thing
 * @returns {Promise<void>}
 */
export async function inflateAll(thing) {
  if (!thing || typeof thing !== "object") return;
  const packed = /** @type {Packed<"uint8">} */ (thing);
  if (packed.deflated) packed.bytes ??= await plainOf(packed);
  else await Promise.all(Object.values(thing).map(inflateAll));
}

/**
 * Of whole numbers the steps travel, each from the number `deflated` places before, all first bytes together, then all second ones.
 *
 * @param {Packed<keyof Arrays>} packed
 */
async function plainOf({ type, data, deflated = 1 }) {
  const found = await inflated(data);
  if (type !== "int32") return found;
  const count = found.length / 4;
  const out = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const step = found[i] | (found[i + count] << 8) | (found[i + 2 * count] << 16) | (found[i + 3 * count] << 24);
    out[i] = step + (i < deflated ? 0 : out[i - deflated]);
  }
  return new Uint8Array(out.buffer);
}

/** @param {string} text */
async function inflated(text) {
  const stream = new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * 0 or 1 for each of `count` bits.
 *
 * @param {Bits} packed
 * @param {number} count
 */
export function bits(packed, count) {
  const source = plainBytes(packed);
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
  const out = new Int32Array((await inflated(packed.data)).buffer);
  for (let i = 0; i < out.length; i++) if (i % width) out[i] += out[i - 1];
  return out;
}
