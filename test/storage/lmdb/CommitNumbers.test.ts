import { afterEach, describe, expect, it } from "vitest"
import { Environment } from "../../../src/storage/lmdb/Environment.ts"
import { knownTransactions } from "../../../src/storage/lmdb/FileLength.ts"
import { FILE } from "../../../src/storage/lmdb/GraphFiles.ts"
import { newFolder } from "../../Folders.ts"
import { openFilesIn, setBack } from "./Stores.ts"

const open: Array<Environment> = []

afterEach(async () => {
  for (const environment of open.splice(0)) await environment.close()
})

const environmentIn = (directory: string): Environment => {
  const environment = new Environment({ directory, sync: "none", readOnly: false })
  open.push(environment)
  return environment
}

const commit = (environment: Environment): void =>
  environment.transactionSync(() => environment.setState({ version: 1, schemaVersion: 0 }))

describe("The number of the commit from which a read transaction begins", () => {
  it("is that in the lock file, also after a commit and after another process has set it back", async () => {
    const directory = newFolder()
    const environment = environmentIn(directory)
    await environment.watchCommits()
    const inFile = (): number => Number(knownTransactions(`${directory}/${FILE}-lock`))
    const first = environment.knownCommit!
    expect(first).toBe(inFile())
    commit(environment)
    expect(environment.knownCommit).toBe(first + 1)
    expect(inFile()).toBe(first + 1)
    setBack(directory)
    expect(environment.knownCommit).toBe(first)
  })

  it("is not known of files that are not watched, and of closed ones", async () => {
    const directory = newFolder()
    const environment = environmentIn(directory)
    expect(environment.knownCommit).toBeUndefined()
    await environment.watchCommits()
    expect(environment.knownCommit).toBeGreaterThan(0)
    await environment.close()
    open.pop()
    expect(environment.knownCommit).toBeUndefined()
    expect(openFilesIn(directory)).toEqual([])
  })
})
