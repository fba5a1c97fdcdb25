/** The path of a traverser: its objects, and the labels (as()) of each of them. */
export class Path {
  readonly objects: readonly unknown[]
  readonly labels: ReadonlyArray<ReadonlySet<string>>
  constructor(objects: readonly unknown[], labels: ReadonlyArray<ReadonlySet<string>>) {
    this.objects = objects
    this.labels = labels
  }
}
