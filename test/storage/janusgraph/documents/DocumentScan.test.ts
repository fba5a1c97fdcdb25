import { describe, expect, it } from "vitest"
import { DocumentScan } from "../../../../src/storage/janusgraph/documents/DocumentScan.ts"
import type { DocumentPage, SearchEngine } from "../../../../src/storage/janusgraph/documents/SearchEngine.ts"

describe("A search for documents that is closed before its page arrives", () => {
  it("is released in the engine", async () => {
    let answer: (page: DocumentPage) => void = () => undefined
    const released: Array<string> = []
    const engine: Partial<SearchEngine> = {
      search: () => new Promise((resolve) => void (answer = resolve)),
      release: (cursor) => void released.push(cursor)
    }
    const reading = { assertOpen: () => undefined, isEnded: false, searches: { documents: () => undefined } }
    const choice = { index: { id: 5, element: "vertex", documents: { store: "people" } }, query: "{}" }
    const scan = new DocumentScan(reading as never, {} as never, 5, choice as never, {
      engine: engine as SearchEngine,
      waiting: []
    })
    const fetched = scan.fetch()
    scan.close()
    answer({ ids: ["1"], cursor: "c" })
    await fetched
    expect(released).toEqual(["c"])
    expect(scan.next(1, [] as never)).toBe(false)
  })
})
