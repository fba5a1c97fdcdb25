/** A sack that the next step that splits sacks passes on as it is: its traverser is new, or leaves a repeat() by until(). */
export class UnsplitSack {
  readonly sack: unknown
  constructor(sack: unknown) {
    this.sack = sack
  }
}
