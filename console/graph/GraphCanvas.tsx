import { useEffect, useRef } from "preact/hooks"
import { texts } from "../texts.ts"
import { fitted, type Theme } from "./Drawing.ts"
import { Painter } from "./Painter.ts"
import { linkAt, nodeAt } from "./Picking.ts"
import type { Stage } from "./Stage.ts"

const ZOOM_PER_STEP = 1.15
const MIN_SCALE = 0.02
const MAX_SCALE = 8
const PAN_PIXELS = 40
/** A press that moves less is a click. */
const CLICK_PIXELS = 4

/** The colours of the page, which depend on dark and light. */
export const themeOf = (element: Element): Theme => {
  const style = getComputedStyle(element)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  return { text: colour("--text"), line: colour("--edge"), background: colour("--field"), accent: colour("--accent") }
}

/** The drawing, with mouse and keyboard. */
export const GraphCanvas = ({ stage }: { readonly stage: Stage }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const painter = new Painter(element, () => {
      if (stage.isFollowing) stage.camera = fitted(stage.model, element.clientWidth, element.clientHeight)
      const { camera, model, selection } = stage
      return { camera, model, selection: selection.value, theme: themeOf(element) }
    })
    stage.repaint = () => painter.request()
    const observer = new ResizeObserver(stage.repaint)
    observer.observe(element)
    const stopListening = listen(element, stage)
    stage.repaint()
    return () => {
      observer.disconnect()
      stopListening()
      painter.end()
      stage.repaint = () => {}
    }
  }, [stage])
  return <canvas ref={canvas} class="graph-canvas" role="img" aria-label={texts.graph.canvas} tabIndex={0} />
}

/** Zooms so that the given point of the canvas stays where it is. */
const zoom = (stage: Stage, factor: number, x: number, y: number): void => {
  const { camera } = stage
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, camera.scale * factor))
  const change = scale / camera.scale
  stage.isFollowing = false
  stage.camera = { scale, dx: x - (x - camera.dx) * change, dy: y - (y - camera.dy) * change }
  stage.repaint()
}

const pan = (stage: Stage, dx: number, dy: number): void => {
  stage.isFollowing = false
  stage.camera = { ...stage.camera, dx: stage.camera.dx + dx, dy: stage.camera.dy + dy }
  stage.repaint()
}

/** Listens to mouse and keyboard. Returns a function that ends it. */
const listen = (element: HTMLCanvasElement, stage: Stage): (() => void) => {
  const ending = new AbortController()
  const { signal } = ending
  const point = (event: MouseEvent): readonly [number, number] => [
    (event.offsetX - stage.camera.dx) / stage.camera.scale,
    (event.offsetY - stage.camera.dy) / stage.camera.scale
  ]
  const wheel = (event: WheelEvent): void => {
    event.preventDefault()
    zoom(stage, event.deltaY < 0 ? ZOOM_PER_STEP : 1 / ZOOM_PER_STEP, event.offsetX, event.offsetY)
  }
  element.addEventListener("wheel", wheel, { passive: false, signal })
  element.addEventListener("pointerdown", (event) => press(element, stage, event, point), { signal })
  element.addEventListener(
    "dblclick",
    (event) => {
      const node = nodeAt(stage.model, ...point(event))
      if (node !== undefined) stage.expandAll(node)
    },
    { signal }
  )
  element.addEventListener("keydown", (event) => typed(element, stage, event), { signal })
  return () => ending.abort()
}

/** A press on a vertex drags it; a press on the background moves the drawing. */
const press = (
  element: HTMLCanvasElement,
  stage: Stage,
  event: PointerEvent,
  point: (event: MouseEvent) => readonly [number, number]
): void => {
  const node = nodeAt(stage.model, ...point(event))
  const begun = { x: event.offsetX, y: event.offsetY }
  const last = { ...begun }
  let hasMoved = false
  element.setPointerCapture(event.pointerId)
  const move = (next: PointerEvent): void => {
    if (!hasMoved && Math.hypot(next.offsetX - begun.x, next.offsetY - begun.y) < CLICK_PIXELS) return
    if (!hasMoved && node !== undefined) stage.model.remember()
    hasMoved = true
    if (node === undefined) pan(stage, next.offsetX - last.x, next.offsetY - last.y)
    else {
      stage.isFollowing = false
      const [x, y] = point(next)
      node.x = x
      node.y = y
      node.isPinned = true
      stage.repaint()
    }
    last.x = next.offsetX
    last.y = next.offsetY
  }
  const release = (next: PointerEvent): void => {
    element.removeEventListener("pointermove", move)
    element.removeEventListener("pointerup", release)
    if (hasMoved) {
      if (node !== undefined) stage.changed()
      return
    }
    const found = node ?? linkAt(stage.model, ...point(next))
    stage.select(found?.id, next.shiftKey || next.ctrlKey || next.metaKey)
  }
  element.addEventListener("pointermove", move)
  element.addEventListener("pointerup", release)
}

const typed = (element: HTMLCanvasElement, stage: Stage, event: KeyboardEvent): void => {
  const [x, y] = [element.clientWidth / 2, element.clientHeight / 2]
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => pan(stage, PAN_PIXELS, 0),
    ArrowRight: () => pan(stage, -PAN_PIXELS, 0),
    ArrowUp: () => pan(stage, 0, PAN_PIXELS),
    ArrowDown: () => pan(stage, 0, -PAN_PIXELS),
    "+": () => zoom(stage, ZOOM_PER_STEP, x, y),
    "-": () => zoom(stage, 1 / ZOOM_PER_STEP, x, y),
    Delete: () => stage.hideSelected(),
    n: () => stage.selectNext(1),
    p: () => stage.selectNext(-1)
  }
  const action = actions[event.key]
  if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  action()
}
