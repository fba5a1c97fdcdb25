import { Writable } from "node:stream"
import { describe, expect, it } from "vitest"
import { AnswerFile } from "../../../../src/layers/transport/shared/AnswerFile.ts"
import { AnswerFiles } from "../../../../src/layers/transport/shared/AnswerFiles.ts"
import { patience } from "../../../Limits.ts"
import { eventually } from "../../support/TestServers.ts"

const PART = Buffer.alloc(100_000)

const filesOf = (
  limit: number,
  more: ConstructorParameters<typeof AnswerFiles>[2] = {},
  failed: (error: Error) => void = () => {}
) => new AnswerFiles(limit, failed, more)

describe("The files of answers", () => {
  it("leave room for other clients: each has at most what it leaves to them", () => {
    const files = filesOf(1_000_000)
    files.add("one", 500_000)
    expect(files.problem("one")).toBeUndefined()
    files.add("one", 1)
    expect(files.problem("one")).toMatch(/of this client .* 500001 bytes, more than answerFileLimit \(1000000\) leaves/)
    files.add("two", 200_000)
    expect(files.problem("two")).toBeUndefined()
    files.add("two", 100_000)
    expect(files.problem("two")).toMatch(/of this client/)
    files.add("one", -500_001)
    expect([files.problem("one"), files.problem("two")]).toEqual([undefined, undefined])
    files.add("three", 800_000)
    expect(files.problem("two")).toMatch(/more than 1000000 bytes together/)
  })

  it("have no limit with answerFileLimit 0", () => {
    const files = filesOf(0)
    files.add("one", 2 ** 50)
    expect(files.problem("one")).toBeUndefined()
  })

  it("share the limit with those of other workers, in which a client has as much again", () => {
    let set = 0
    const answers = { set: (bytes: number) => void (set = bytes), trySet: () => true, total: () => set + 400_000 }
    const files = filesOf(1_000_000, { shared: { answers, workers: () => 2 } })
    files.add("one", 200_000)
    expect([set, files.problem("one")]).toEqual([200_000, undefined])
    files.add("one", 1)
    expect(files.problem("one")).toMatch(/of this client/)
    files.add("one", -200_001)
    expect(set).toBe(0)
  })
})

describe("An answer in a file", () => {
  const sent = (output: Writable, files: AnswerFiles) => {
    const file = new AnswerFile(files, "one")
    for (let i = 0; i < 3; i++) file.append(PART)
    file.send(output, null, Buffer.from("end"))
    return file
  }

  it("that is read too slowly is cut with a line in the log, and its file is closed", async () => {
    const logged: Array<string> = []
    const files = filesOf(100_000, { patience: 50 }, (error) => void logged.push(error.message))
    // A client that takes one chunk and then waits, as behind an earlier answer that does not end.
    const output = new Writable({ highWaterMark: 1, write: () => {} })
    sent(output, files)
    await eventually(() => files.problem("two") !== undefined)
    await eventually(() => output.destroyed && files.problem("two") === undefined)
    expect(logged).toEqual(["The client has read less than 16384 bytes a second for 50 ms."])
  })

  it("is sent also when the time over which its speed is measured is longer than any timer", async () => {
    const files = filesOf(100_000, { patience: 4 * (2 ** 31 - 1) })
    let bytes = 0
    const output = new Writable({
      // A client that reads a chunk of the file each 20 ms.
      write: (chunk: Buffer, _, done) => {
        bytes += chunk.length
        setTimeout(done, 20)
      }
    })
    sent(output, files)
    await eventually(() => output.writableFinished || output.destroyed)
    expect(bytes).toBe(3 * PART.length + 3)
  })

  it("is closed when all of it is read, also while the last bytes wait for the client", async () => {
    const files = filesOf(100_000, { patience: 10_000 * patience })
    let bytes = 0
    const output = new Writable({
      write: (chunk: Buffer, _, done) => {
        bytes += chunk.length
        if (chunk.toString() !== "end") done()
      }
    })
    sent(output, files)
    await eventually(() => bytes === 3 * PART.length + 3)
    expect([files.problem("one"), output.writableFinished]).toEqual([undefined, false])
    output.destroy()
  })
})
