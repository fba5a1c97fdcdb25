import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum
} from "d3-force"

/** What the page sends: places (x and y in turn), pinned vertices, and pairs of positions that an edge joins. */
interface Task {
  readonly places: Float64Array
  readonly pinned: ReadonlyArray<number>
  readonly pairs: Uint32Array
}

interface Body extends SimulationNodeDatum {
  readonly index: number
}

const LINK_PIXELS = 95
/** How strongly vertices repel each other. If there are few, the force is strong, so that none is on the edge between two others. */
const chargeOf = (vertices: number): number => (vertices <= 10 ? -1_000 : vertices <= 25 ? -420 : -220)

/** Steps between two messages to the page. */
const STEPS_PER_MESSAGE = 2

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<Task>) => void) | null
  readonly postMessage: (places: Float64Array) => void
}

let run = 0

scope.onmessage = ({ data: { pairs, pinned, places } }) => {
  run++
  const mine = run
  const bodies: Array<Body> = Array.from({ length: places.length / 2 }, (_, index) => ({
    index,
    x: places[index * 2] ?? 0,
    y: places[index * 2 + 1] ?? 0
  }))
  for (const at of pinned) {
    const body = bodies[at]
    if (body === undefined) continue
    body.fx = body.x ?? 0
    body.fy = body.y ?? 0
  }
  const links = Array.from({ length: pairs.length / 2 }, (_, at) => ({
    source: pairs[at * 2] ?? 0,
    target: pairs[at * 2 + 1] ?? 0
  }))
  const simulation = forceSimulation(bodies)
    .force("link", forceLink(links).distance(LINK_PIXELS))
    .force("charge", forceManyBody().strength(chargeOf(bodies.length)).distanceMax(500))
    .force("collide", forceCollide(30))
    .force("x", forceX(0).strength(0.04))
    .force("y", forceY(0).strength(0.04))
    .stop()
  const step = (): void => {
    if (mine !== run) return
    simulation.tick(STEPS_PER_MESSAGE)
    const found = new Float64Array(places.length)
    for (const { index, x = 0, y = 0 } of bodies) {
      found[index * 2] = x
      found[index * 2 + 1] = y
    }
    scope.postMessage(found)
    if (simulation.alpha() > simulation.alphaMin()) setTimeout(step, 16)
  }
  step()
}
