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

describe("A search for documents that finds one element again and again", () => {
  it("examines a limited number of documents in one call, and counts each element once", () => {
    const ids = Array.from({ length: 20_000 }, () => "256")
    const reading = {
      assertOpen: () => undefined,
      searches: { documents: () => ids, seenBytes: 0 },
      vertexRefs: { of: () => 256 },
      hasVertex: () => true,
      own: null
    }
    const choice = { index: { id: 5, element: "vertex", documents: { store: "people" } }, query: "{}" }
    const scan = new DocumentScan(reading as never, {} as never, 5, choice as never, {
      engine: {} as never,
      waiting: []
    })
    const out = { refs: new Float64Array(16), length: 0 }
    let calls = 1
    while (scan.next(16, out)) {
      expect(reading.searches.seenBytes).toBeLessThan(100)
      calls++
    }
    expect([out.length, out.refs[0], reading.searches.seenBytes]).toEqual([1, 256, 0])
    expect(calls).toBeGreaterThan(2)
  })
})
