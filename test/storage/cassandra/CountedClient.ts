import type { Client } from "cassandra-driver"

/** What a client has sent, without the tables of background work (`systemlog`, `janusgraph_ids`). */
export class Sent {
  /** Statements that read. */
  reads = 0
  /** Rows that these statements read: a statement for several keys reads several rows. */
  rows = 0
  /** Statements and batches that write. */
  writes = 0

  clear(): void {
    this.reads = 0
    this.rows = 0
    this.writes = 0
  }
}

const isBackground = (text: string): boolean => text.includes('."systemlog"') || text.includes('."janusgraph_ids"')

interface PageOptions {
  readonly pageState?: Buffer
}

/** The same client, which counts what it sends. */
export const countedClient = (client: Client, sent: Sent): Client => {
  const execute = (text: string, parameters: ReadonlyArray<unknown>, options: PageOptions): Promise<unknown> => {
    if (!isBackground(text)) {
      if (text.startsWith("SELECT")) {
        sent.reads++
        // A further page reads no further row.
        if (options.pageState === undefined) sent.rows += Array.isArray(parameters[0]) ? parameters[0].length : 1
      } else sent.writes++
    }
    return client.execute(text, parameters as Array<unknown>, options as object)
  }
  const batch = (queries: Array<{ readonly query: string; readonly params: Array<unknown> }>, options: object) => {
    if (!isBackground(queries[0]!.query)) sent.writes++
    return client.batch(queries, options)
  }
  return new Proxy(client, {
    get: (target, name) => {
      // Without metadata, no statement bypasses execute().
      if (name === "metadata") return undefined
      if (name === "execute") return execute
      if (name === "batch") return batch
      const value: unknown = Reflect.get(target, name)
      return typeof value === "function" ? value.bind(target) : value
    }
  })
}
