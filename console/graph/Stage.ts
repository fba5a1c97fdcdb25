import { signal } from "@preact/signals"
import { elementsOf } from "../results/Exports.ts"
import { pause } from "../shell/Format.ts"
import { messageOf } from "../shell/Server.ts"
import { texts } from "../texts.ts"
import { type ElementId, type Value, Vertex } from "../wire/Values.ts"
import type { Camera } from "./Drawing.ts"
import { completeDrawn, countText, expand, joinDrawn, type Neighbourhood, neighbourhoodsOf } from "./Expansion.ts"
import { type Layout, layOutRadially, layOutTree } from "./Layouts.ts"
import { GraphModel, type GraphNode, VERTICES_PER_CLICK } from "./Model.ts"
import { Simulation } from "./Simulation.ts"

const standIn = (id: ElementId, label: string): Vertex => new Vertex(id, label, new Map())

/** Vertices that one task adds. */
const VERTICES_PER_PART = 2_000

/** The kinds of edges that a double click follows. */
const MAX_FOLLOWED = 8

/** One drawing: its elements, what is selected, and what is visible. */
export class Stage {
  readonly model: GraphModel
  readonly selection = signal<ReadonlySet<string>>(new Set())
  readonly layout = signal<Layout>("force")
  readonly problem = signal("")
  /** What the last action left out: of the drawing, or of an exported file. */
  readonly note = signal("")
  /** Counts the changes of the model, so that the page shows them. */
  readonly version = signal(0)
  camera: Camera = { scale: 1, dx: 0, dy: 0 }
  /** The camera shows all vertices until the user moves it. */
  isFollowing = true
  repaint: () => void = () => {}
  /** All results are there, and they are vertices alone: the edges between them are fetched. */
  readonly #isJoined: boolean
  readonly #ending = new AbortController()
  /** Ends the request for the edges between the vertices that were drawn before. */
  #joining = new AbortController()
  /** Vertices of the result are being added. */
  #isAdding = false
  readonly #simulation = new Simulation(() => this.repaint())

  /** `isDone`: no more results will come. */
  constructor(values: ReadonlyArray<Value>, isDone: boolean) {
    const { edges, vertices } = elementsOf(values)
    this.model = new GraphModel(vertices.values(), edges.values(), standIn)
    this.arrange()
    this.#isJoined = isDone && edges.size === 0
    this.#join()
    this.#complete()
  }

  #complete(): void {
    const { signal } = this.#ending
    completeDrawn(this.model, () => this.changed(), signal).catch((error: unknown) => {
      this.problem.value = messageOf(error)
    })
  }

  #join(): void {
    this.#joining.abort()
    if (!this.#isJoined) return
    this.note.value = ""
    this.#joining = new AbortController()
    joinDrawn(this.model, this.#joining.signal).then(
      ({ isChanged, leftOut }) => {
        if (leftOut !== "") this.note.value = leftOut
        if (isChanged) this.#placeNew()
      },
      // The drawing is complete without these edges: the query did not ask for them.
      () => {}
    )
  }

  /** Places all vertices by the layout. */
  arrange(): void {
    const nodes = [...this.model.nodes.values()]
    const links = [...this.model.links.values()]
    if (this.layout.value === "force") this.#simulation.start(this.model)
    else {
      this.#simulation.stop()
      const place = this.layout.value === "tree" ? layOutTree : layOutRadially
      place(nodes, links)
    }
    this.changed()
  }

  #placeNew(): void {
    this.arrange()
  }

  setLayout(layout: Layout): void {
    this.model.remember()
    this.model.layout = layout
    this.layout.value = layout
    this.isFollowing = true
    this.arrange()
  }

  /** The model changed. */
  changed(): void {
    this.version.value++
    this.repaint()
  }

  select(id: string | undefined, isAdded = false): void {
    const next = new Set(isAdded ? this.selection.value : [])
    if (id !== undefined && !next.delete(id)) next.add(id)
    this.selection.value = next
    this.repaint()
  }

  /** Selects the next vertex in the order of the table. */
  selectNext(step: number): void {
    const ids = [...this.model.nodes.keys()]
    const [selected] = this.selection.value
    const at = selected === undefined ? -1 : ids.indexOf(selected)
    this.select(ids[(at + step + ids.length) % ids.length])
  }

  hideSelected(): void {
    if (this.selection.value.size === 0) return
    this.model.remember()
    this.model.hide(this.selection.value)
    this.selection.value = new Set()
    this.changed()
  }

  undo(): void {
    this.model.undo()
    this.layout.value = this.model.layout
    this.#simulation.stop()
    this.changed()
  }

  /** Draws the next vertices of the result, `count` at most, in parts that are short tasks of the page. */
  async drawMore(count = VERTICES_PER_CLICK): Promise<void> {
    if (this.#isAdding) return
    this.#isAdding = true
    this.model.remember()
    for (let left = count; left > 0 && this.model.waiting > 0; left -= VERTICES_PER_PART) {
      this.model.drawMore(Math.min(left, VERTICES_PER_PART))
      await pause()
    }
    this.#isAdding = false
    this.#join()
    this.#complete()
    this.arrange()
  }

  /** Shows all vertices. */
  fit(): void {
    this.isFollowing = true
    this.repaint()
  }

  /** Adds neighbours along one kind of edges. */
  expand(node: GraphNode, neighbourhood: Neighbourhood): void {
    this.problem.value = ""
    this.note.value = ""
    expand(this.model, node, neighbourhood).then(
      (drawn) => {
        if (drawn < neighbourhood.count) this.note.value = texts.graph.partly(drawn, countText(neighbourhood.count))
        this.#placeNew()
      },
      (error: unknown) => {
        this.problem.value = messageOf(error)
      }
    )
  }

  /** Adds the neighbours along the first kinds of edges. */
  expandAll(node: GraphNode): void {
    this.select(node.id)
    neighbourhoodsOf(node.vertex).then(
      (found) => {
        for (const neighbourhood of found.slice(0, MAX_FOLLOWED)) this.expand(node, neighbourhood)
      },
      (error: unknown) => {
        this.problem.value = messageOf(error)
      }
    )
  }

  /** Ends the worker, and the requests of the drawing. */
  end(): void {
    this.#joining.abort()
    this.#ending.abort()
    this.#simulation.end()
  }
}
