/** The terminal method of a traversal in a script. */
export interface Terminal {
  readonly name: "next" | "toList" | "toSet" | "toBulkSet" | "iterate" | "hasNext" | "tryNext" | "iterator" | "explain"
  /** The argument of `next(n)`. */
  readonly count: number | undefined
}

/** The terminal method of a traversal, and the offset of what follows its steps. */
export type TraversalEnd = readonly [terminal: Terminal | undefined, end: number]
