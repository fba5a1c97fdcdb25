import { afterEach, expect, it, vi } from "vitest"
import { parentProcess, pidState, stateOf, thisProcess } from "../../../src/storage/shared/ProcessIdentity.ts"

const reads = vi.hoisted(() => ({ failure: undefined as string | undefined }))

vi.mock("node:fs", async (original) => {
  const files = await original<typeof import("node:fs")>()
  return {
    ...files,
    readFileSync: (path: string, encoding: BufferEncoding) => {
      if (reads.failure !== undefined && path.endsWith("/stat"))
        throw Object.assign(new Error(reads.failure), { code: reads.failure })
      return files.readFileSync(path, encoding)
    }
  }
})

afterEach(() => {
  reads.failure = undefined
})

it("A process does not count as ended while this one has no free file descriptor to look at it", () => {
  const [other, own] = [parentProcess(), thisProcess()]
  expect(stateOf(other, own)).toBe("running")
  reads.failure = "EMFILE"
  expect([stateOf(other, own), pidState(other.pid)]).toEqual(["unknown", "unknown"])
  reads.failure = "ENOENT"
  expect(stateOf(other, own)).toBe("ended")
})
