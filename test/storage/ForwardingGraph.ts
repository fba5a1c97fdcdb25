import type {
  BeginOptions,
  GraphFeatures,
  GraphManagement,
  GraphStore,
  GraphTransaction
} from "../../src/structure/graph/GraphStore.ts"

/** A graph that forwards every call to another one; subclasses make transactions of their own. */
export abstract class ForwardingGraph implements GraphStore {
  readonly inner: GraphStore

  constructor(inner: GraphStore) {
    this.inner = inner
  }

  get name(): string {
    return this.inner.name
  }

  get features(): GraphFeatures {
    return this.inner.features
  }

  get management(): GraphManagement {
    return this.inner.management
  }

  describe(): string {
    return this.inner.describe()
  }

  abstract begin(options?: BeginOptions): GraphTransaction

  close(): Promise<void> {
    return this.inner.close()
  }
}
