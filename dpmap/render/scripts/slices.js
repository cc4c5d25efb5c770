// @ts-check
/* Long work done a little in each frame, so that the page answers meanwhile. Such work is a generator that pauses often. */

/** Milliseconds of one frame. */
const SHARE = 5;

/**
 * Does all that is left.
 *
 * @param {Iterator<void>} work
 */
export function finish(work) {
  while (!work.next().done);
}

/**
 * Does what a frame has time for, in each frame to come, for as long as the work is wanted; then `done` is called.
 *
 * @param {Iterator<void>} work
 * @param {() => boolean} wanted
 * @param {() => void} done
 */
export function slowly(work, wanted, done) {
  const slice = () => {
    if (!wanted()) return;
    const until = performance.now() + SHARE;
    while (performance.now() < until) {
      if (work.next().done) {
        done();
        return;
      }
    }
    requestAnimationFrame(slice);
  };
  requestAnimationFrame(slice);
}
