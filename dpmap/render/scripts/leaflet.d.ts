/* What a renderer of our own needs of Leaflet beyond its published types: the hooks that its own renderers have. */
import "leaflet";

declare module "leaflet" {
  interface Renderer {
    _bounds: Bounds & { min: Point; max: Point };
    _center: LatLng;
    _container: HTMLCanvasElement;
    _zoom: number;
    _reset(): void;
    _update(): void;
    _updateTransform(center: LatLng, zoom: number): void;
  }
  interface Map {
    _animatingZoom?: boolean;
  }
}
