import type { GremlinMap } from "./Collections.ts"
import { Keyed, keyText } from "./Equivalence.ts"

/** A tree of paths (tree()): each key with the tree below it, in insertion order. */
export class Tree extends Keyed {
  readonly children: GremlinMap
  constructor(children: GremlinMap) {
    super()
    this.children = children
  }

  equivalenceKey(): string {
    return `\0T${keyText(this.children)}`
  }
}
