/** The way a traverser took: the objects it was at, and the labels (as()) each of them has. */
export class Path {
  readonly objects: readonly unknown[]
  readonly labels: ReadonlyArray<ReadonlySet<string>>
  constructor(objects: readonly unknown[], labels: ReadonlyArray<ReadonlySet<string>>) {
    this.objects = objects
    this.labels = labels
  }
}
