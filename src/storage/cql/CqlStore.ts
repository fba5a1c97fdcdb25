import type { Later } from "../../structure/GraphStore.ts"
import type { CellBatch, CellSnapshot, CellStore } from "../cells/CellStore.ts"
import { Commits } from "./Commits.ts"
import { connect } from "./Connection.ts"
import { CqlColumns } from "./CqlColumns.ts"
import type { CqlOptions } from "./CqlOptions.ts"
import { CqlPages } from "./CqlPages.ts"
import { CqlSnapshot } from "./CqlSnapshot.ts"
import { prepareKeyspace } from "./Keyspace.ts"

/** Cells in the tables of a keyspace of Cassandra, or of what speaks its protocol. */
export class CqlStore implements CellStore {
  readonly place: string
  readonly answersLater = true
  readonly persistent = true
  readonly countsElements = false
  readonly columns: CqlColumns
  readonly #pages: CqlPages
  readonly #commits: Commits

  constructor(columns: CqlColumns, tables: ReadonlySet<string>) {
    this.columns = columns
    this.place = columns.place
    this.#pages = new CqlPages(columns, tables)
    this.#commits = new Commits(this.#pages)
  }

  snapshot(): CellSnapshot {
    return new CqlSnapshot(this.#pages, this.#commits.version, this.#commits.schemaVersion)
  }

  commit(work: (batch: CellBatch) => void): Later {
    return this.#commits.commit((batch) => {
      work(batch)
      return undefined
    })
  }

  commitInPieces(work: (batch: CellBatch) => Iterator<unknown>): Later {
    return this.#commits.commit(work)
  }

  commitNow(): never {
    throw new Error("This store answers later")
  }

  async close(): Promise<void> {
    await this.#commits.settled()
    await this.columns.close()
  }
}

/** Opens a keyspace, and makes it where it is not there. Fails with StorageFailure, whose message says what to do. */
export const openCqlStore = async (options: CqlOptions): Promise<CqlStore> => {
  const client = await connect(options)
  const columns = new CqlColumns(client, options)
  try {
    return new CqlStore(columns, await prepareKeyspace(client, options))
  } catch (cause) {
    await columns.close()
    throw cause
  }
}
