import { CommitOutcomeUnknown } from "../../structure/errors/StoreErrors.ts"
import { type Item, verticesOf } from "./ImportItems.ts"
import { counted, ToolFailure } from "./Report.ts"

/** A number of elements. */
export interface ElementCounts {
  readonly vertices: number
  readonly edges: number
}

const NONE: ElementCounts = { vertices: 0, edges: 0 }

const countsOf = (items: ReadonlyArray<Item>): ElementCounts => {
  const vertices = verticesOf(items).length
  return { vertices, edges: items.length - vertices }
}

/** Counts of elements in words: `1,000 vertices and 1 edge`. */
export const elementsIn = ({ edges, vertices }: ElementCounts): string =>
  `${counted(vertices, "vertex")} and ${counted(edges, "edge")}`

/** Counts the elements that an import has added, and those that may or may not be in the graph. */
export class ImportCounts {
  #added: ElementCounts
  #unsure = NONE

  /** @param added what is in the graph already */
  constructor(added: ElementCounts = NONE) {
    this.#added = { vertices: added.vertices, edges: added.edges }
  }

  /** The elements that are in the graph. */
  get added(): ElementCounts {
    return this.#added
  }

  /** Elements that are being added, or whose commit failed in the middle: none, a part or all of them are in the graph. */
  get unsure(): ElementCounts | undefined {
    return this.#unsure.vertices + this.#unsure.edges > 0 ? this.#unsure : undefined
  }

  /** Called before elements are added. */
  begin(items: ReadonlyArray<Item>): void {
    this.#unsure = countsOf(items)
  }

  /** Called after elements were added: all of those that were begun, or some of them. */
  add(items: ReadonlyArray<Item>): void {
    const { edges, vertices } = countsOf(items)
    this.#added = { vertices: this.#added.vertices + vertices, edges: this.#added.edges + edges }
    this.#unsure = { vertices: this.#unsure.vertices - vertices, edges: this.#unsure.edges - edges }
  }

  /** Called after an error. Returns it, with the elements of which it is not known whether they are in the graph. */
  failed(error: unknown): unknown {
    if (!(error instanceof CommitOutcomeUnknown)) {
      this.#unsure = NONE
      return error
    }
    return new ToolFailure(
      `${error.message} The import had added ${elementsIn(this.#added)} before. The commit has ${elementsIn(this.#unsure)}.`
    )
  }
}
