// @ts-check
/* The canvas that Leaflet moves and zooms. */

/** @import { Cells, Ground, Groups, Palette } from "./types.d.ts" */

import { Scene, viewOn } from "./scene.js";
import { finish, slowly } from "./slices.js";

/**
 * A view that is being drawn: on which canvas, what is left to do, and where it lies on the map.
 *
 * @typedef {Pick<L.Renderer, "_bounds" | "_center" | "_zoom">} Frame
 * @typedef {{ canvas: HTMLCanvasElement, work: Iterator<void>, frame: Frame, origin: L.Point, size: L.Point }} Next
 */

/**
 * Shows background and cells on a canvas that moves and stretches with the map. Once the map has come to rest its new view is
 * drawn on a second canvas, a little at a time, and takes the place of the first when it is whole.
 */
export class CellLayer extends L.Renderer {
  /**
   * @param {Ground} facts
   * @param {Cells} cells
   * @param {string} [pane]
   */
  constructor(facts, cells, pane = "cells") {
    super({ pane, padding: 0.15 });
    this.scene = new Scene(facts, cells);
    this.spare = this.empty();
    /** @type {Next | null} */
    this.next = null;
    /** Whether the map has moved on since that was begun. */
    this.late = false;
  }

  /**
   * Shows each cell in `palette[tints[cell]]`, and outlines those that belong together.
   *
   * @param {Uint8Array} tints
   * @param {Palette} palette
   * @param {Groups} groups
   */
  paint(tints, palette, groups) {
    Object.assign(this.scene, { tints, palette, groups });
    if (this._map) this.redraw();
  }

  empty() {
    const canvas = document.createElement("canvas");
    canvas.setAttribute("aria-hidden", "true");
    if (this.scene.tiled) canvas.style.opacity = "0.75";
    return canvas;
  }

  _initContainer() {
    this._container = this.empty();
  }

  _destroyContainer() {
    this._container.remove();
  }

  /**
   * Draws the map as it is now, a little at a time.
   *
   * @override
   */
  _update() {
    const next = this.next;
    if (!this._bounds) this.redraw();
    else if (next && this.isWanted(next)) this.late = true;
    else if (this.canDraw()) this.proceed(this.begin());
  }

  /** Draws the map as it is now, at once. */
  redraw() {
    if (!this.canDraw()) return;
    const next = this.begin();
    finish(next.work);
    this.show(next);
  }

  /** Between two scales there is nothing to draw: what is shown stretches. */
  canDraw() {
    return Boolean(this._map) && !(this._map._animatingZoom && this._bounds);
  }

  /** @override */
  _reset() {
    this._update();
    this._updateTransform(this._map.getCenter(), this._map.getZoom());
  }

  /**
   * Begins a drawing of the map as it is now.
   *
   * @returns {Next}
   */
  begin() {
    const { _map: map, spare: canvas } = this;
    const shown = frameOf(this);
    super._update();
    const frame = frameOf(this);
    Object.assign(this, shown);
    this.late = false;
    const work = this.scene.draw(viewOn(canvas, map, frame._bounds));
    this.next = { canvas, work, frame, origin: map.getPixelOrigin(), size: map.getSize() };
    return this.next;
  }

  /** @param {Next} next */
  proceed(next) {
    slowly(
      next.work,
      () => this.isWanted(next) || this.giveUp(next),
      () => {
        const { late } = this;
        this.show(next);
        if (late) this._update();
      },
    );
  }

  /**
   * Whether a drawing will still fit the map, which may have moved since but neither changed its scale nor its size.
   *
   * @param {Next} next
   */
  isWanted(next) {
    const { _map: map } = this;
    return (
      Boolean(map) && this.next === next && map.getPixelOrigin().equals(next.origin) && map.getSize().equals(next.size)
    );
  }

  /**
   * Forgets a drawing that no longer fits: nobody goes on with it, even if the map returns to where it was begun.
   *
   * @param {Next} next
   */
  giveUp(next) {
    if (this.next === next) this.next = null;
    return false;
  }

  /**
   * Puts a drawing in the place of the one before.
   *
   * @param {Next} next
   */
  show({ canvas, frame }) {
    Object.assign(this, frame);
    this.next = null;
    L.DomUtil.setPosition(canvas, frame._bounds.min);
    if (canvas === this._container) return;
    canvas.className = this._container.className;
    this._container.replaceWith(canvas);
    [this._container, this.spare] = [canvas, this._container];
  }

  /**
   * What is drawn, where it begins on the map, and how large it is there.
   *
   * @param {L.Map} map
   */
  drawn(map) {
    if (this.next) this.redraw();
    const at = map.layerPointToContainerPoint(this._bounds.min);
    return { canvas: this._container, at, size: this._bounds.getSize() };
  }
}

/**
 * Which part of the map a renderer shows.
 *
 * @param {L.Renderer} renderer
 * @returns {Frame}
 */
const frameOf = ({ _bounds, _center, _zoom }) => ({ _bounds, _center, _zoom });
