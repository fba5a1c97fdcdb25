import type { GraphModel } from "./Model.ts"

/** The file of the worker, with the hash of its content: the build sets it. */
declare const FORCES_FILE: string

/** Moves the vertices of a drawing by forces. The forces are computed by a worker, so that the page stays responsive. */
export class Simulation {
  readonly #worker = new Worker(new URL(FORCES_FILE, location.href.split("#")[0]))
  readonly #moved: () => void
  #order: ReadonlyArray<string> = []
  #model: GraphModel | null = null

  /** @param moved called each time the vertices have new places */
  constructor(moved: () => void) {
    this.#moved = moved
    this.#worker.onmessage = ({ data }: MessageEvent<Float64Array>) => this.#take(data)
  }

  /** Starts again from the present places. */
  start(model: GraphModel, held: ReadonlySet<string> = new Set()): void {
    this.#model = model
    this.#order = [...model.nodes.keys()]
    const positions = new Map(this.#order.map((id, at) => [id, at]))
    const places = new Float64Array(this.#order.length * 2)
    const pinned: Array<number> = []
    this.#order.forEach((id, at) => {
      const node = model.nodes.get(id)
      places[at * 2] = node?.x ?? 0
      places[at * 2 + 1] = node?.y ?? 0
      if (node?.isPinned === true || held.has(id)) pinned.push(at)
    })
    const pairs = [...model.links.values()].flatMap(({ from, to }) => [
      positions.get(from.id) ?? 0,
      positions.get(to.id) ?? 0
    ])
    this.#worker.postMessage({ places, pinned, pairs: Uint32Array.from(pairs) })
  }

  /** Leaves the vertices where they are. */
  stop(): void {
    this.#model = null
    this.#worker.postMessage({ places: new Float64Array(), pinned: [], pairs: new Uint32Array() })
  }

  /** Ends the worker. */
  end(): void {
    this.#model = null
    this.#worker.terminate()
  }

  #take(places: Float64Array): void {
    const model = this.#model
    if (model === null || places.length !== this.#order.length * 2) return
    this.#order.forEach((id, at) => {
      const node = model.nodes.get(id)
      if (node === undefined || node.isPinned) return
      node.x = places[at * 2] ?? node.x
      node.y = places[at * 2 + 1] ?? node.y
    })
    this.#moved()
  }
}
