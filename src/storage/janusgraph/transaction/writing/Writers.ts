import type { ElementSource } from "../../../../structure/elements/Element.ts"
import type { GraphCore } from "../../GraphCore.ts"
import type { Expander } from "../Expander.ts"
import type { TransactionView } from "../TransactionView.ts"
import { EdgePropertyWrites } from "./EdgePropertyWrites.ts"
import { ElementWrites } from "./ElementWrites.ts"
import { ExpiredWrites } from "./ExpiredWrites.ts"
import { VertexPropertyWrites } from "./VertexPropertyWrites.ts"
import { WritingState } from "./WritingState.ts"

/** The writers of a transaction and their state. Most transactions only read, and make none. */
export class Writers {
  readonly state: WritingState
  readonly elements: ElementWrites
  readonly vertexProperties: VertexPropertyWrites
  readonly edgeProperties: EdgePropertyWrites
  readonly expired: ExpiredWrites

  constructor(source: ElementSource, reading: TransactionView, core: GraphCore, expander: Expander) {
    this.state = new WritingState(source, reading, core)
    this.elements = new ElementWrites(this.state, expander, !core.cells.answersLater)
    this.vertexProperties = new VertexPropertyWrites(this.state)
    this.edgeProperties = new EdgePropertyWrites(this.state)
    this.expired = new ExpiredWrites(this.state, this.elements)
  }
}
