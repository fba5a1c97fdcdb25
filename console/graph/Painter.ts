import { isCrowd } from "./Crowd.ts"
import { drawParts, type Scene } from "./Drawing.ts"

/**
 * Paints a drawing on a canvas. A drawing of many elements is painted in parts, each of which is one short task of the page. The
 * parts are painted on a hidden canvas, so that the user never sees a half of them.
 */
export class Painter {
  readonly #canvas: HTMLCanvasElement
  readonly #scene: () => Scene
  readonly #hidden = document.createElement("canvas")
  #frame = 0
  #timer = 0
  #isPainting = false
  /** The drawing has changed since the painting began. */
  #isOutdated = false

  /** @param scene what is drawn, at the time of the call */
  constructor(canvas: HTMLCanvasElement, scene: () => Scene) {
    this.#canvas = canvas
    this.#scene = scene
  }

  /** Paints with the next frame, or after the painting that has begun. */
  request(): void {
    this.#isOutdated = true
    if (this.#isPainting || this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => this.#begin())
  }

  /** Ends a painting that has begun. */
  end(): void {
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
  }

  #begin(): void {
    this.#frame = 0
    this.#isOutdated = false
    const { clientHeight: height, clientWidth: width } = this.#canvas
    const ratio = devicePixelRatio || 1
    // A canvas has whole pixels. A new size empties it, also if it is the same.
    const size = { width: Math.round(width * ratio), height: Math.round(height * ratio) }
    for (const canvas of [this.#canvas, this.#hidden]) {
      if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size)
    }
    const scene = this.#scene()
    const isLong = isCrowd(scene.model)
    const context = (isLong ? this.#hidden : this.#canvas).getContext("2d", { willReadFrequently: isLong })
    if (context === null) return
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const parts = drawParts(context, scene, width, height)
    if (!isLong) while (parts.next().done !== true);
    else {
      this.#isPainting = true
      this.#continue(context, parts)
    }
  }

  #continue(context: CanvasRenderingContext2D, parts: Generator<void>): void {
    const isDone = parts.next().done === true
    // A browser draws when it must: without this, the last task draws the shapes of all parts.
    context.getImageData(0, 0, 1, 1)
    if (!isDone) {
      this.#timer = window.setTimeout(() => this.#continue(context, parts))
      return
    }
    const visible = this.#canvas.getContext("2d")
    visible?.setTransform(1, 0, 0, 1, 0, 0)
    visible?.drawImage(this.#hidden, 0, 0)
    this.#isPainting = false
    if (this.#isOutdated) this.request()
  }
}
