import { signal } from "@preact/signals"
import { elementsOf } from "../results/Exports.ts"
import { messageOf } from "../shell/Server.ts"
import { type ElementId, type Value, Vertex } from "../wire/Values.ts"
import type { Camera } from "./Drawing.ts"
import { expand, joinDrawn, type Neighbourhood, neighbourhoodsOf } from "./Expansion.ts"
import { layOutRadially, layOutTree } from "./Layouts.ts"
import { GraphModel, type GraphNode } from "./Model.ts"
import { Simulation } from "./Simulation.ts"

/** How the vertices are placed. */
export type Layout = "force" | "tree" | "radial"

const standIn = (id: ElementId, label: string): Vertex => new Vertex(id, label, new Map())

/** The kinds of edges that a double click follows. */
const MAX_FOLLOWED = 8

/** One drawing: its elements, what is selected, and what is visible. */
export class Stage {
  readonly model: GraphModel
  readonly selection = signal<ReadonlySet<string>>(new Set())
  readonly layout = signal<Layout>("force")
  readonly problem = signal("")
  /** Counts the changes of the model, so that the page shows them. */
  readonly version = signal(0)
  camera: Camera = { scale: 1, dx: 0, dy: 0 }
  /** The camera shows all vertices until the user moves it. */
  isFollowing = true
  repaint: () => void = () => {}
  /** The result has vertices alone: the edges between them are fetched. */
  readonly #hasNoEdges: boolean
  readonly #simulation = new Simulation(() => this.repaint())

  constructor(values: ReadonlyArray<Value>) {
    const { edges, vertices } = elementsOf(values)
    this.model = new GraphModel(vertices.values(), edges.values(), standIn)
    this.arrange()
    this.#hasNoEdges = edges.size === 0
    if (this.#hasNoEdges) this.#join()
  }

  #join(): void {
    joinDrawn(this.model).then(
      (isChanged) => {
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
    this.#simulation.stop()
    this.changed()
  }

  drawMore(count?: number): void {
    this.model.remember()
    this.model.drawMore(count)
    if (this.#hasNoEdges) this.#join()
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
    expand(this.model, node, neighbourhood).then(
      () => this.#placeNew(),
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

  /** Ends the worker. */
  end(): void {
    this.#simulation.end()
  }
}
