// @ts-check
/* Long work done a little at a time, so that the page answers meanwhile. Such work is a generator that pauses often. */

/** Milliseconds at a time. What is drawn in them takes the browser several times as long to turn into pixels. */
const SHARE = 2;

/**
 * Does all that is left.
 *
 * @param {Iterator<void>} work
 */
export function finish(work) {
  while (!work.next().done);
}

/**
 * Does a little, then a little more whenever the page has done what it has to do between, for as long as the work is wanted; then
 * `done` is called.
 *
 * @param {Iterator<void>} work
 * @param {() => boolean} wanted
 * @param {() => void} done
 */
export function slowly(work, wanted, done) {
  const slice = () => {
    if (!wanted()) return;
    for (const end = performance.now() + SHARE; performance.now() < end;) {
      if (work.next().done) {
        done();
        return;
      }
    }
    setTimeout(slice);
  };
  setTimeout(slice);
}
