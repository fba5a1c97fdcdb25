import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { openToRead, WrittenFile } from "../../../src/process/io/DataFiles.ts"

/** What another process does directly before and after a file is opened. */
const other = vi.hoisted(() => ({
  beforeOpen: (): void => undefined,
  afterOpen: (): void => undefined,
  hasProc: true
}))

vi.mock("node:fs/promises", async (original) => {
  const files = await original<typeof import("node:fs/promises")>()
  return {
    ...files,
    stat: async (path: string, options: { readonly bigint: true }) => {
      if (!other.hasProc && path.startsWith("/proc/")) throw Object.assign(new Error("no /proc"), { code: "ENOENT" })
      return files.stat(path, options)
    },
    open: async (path: string, flags: string, mode?: number) => {
      if (!other.hasProc && path.startsWith("/proc/")) throw Object.assign(new Error("no /proc"), { code: "ENOENT" })
      other.beforeOpen()
      const handle = await files.open(path, flags, mode)
      other.afterOpen()
      return handle
    }
  }
})

let root = ""
const at = (...parts: ReadonlyArray<string>): string => join(root, ...parts)

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "engine-server-io-"))
  await mkdir(at("io", "sub"), { recursive: true })
  await mkdir(at("secrets"))
  writeFileSync(at("io", "sub", "a.csv"), "allowed")
  writeFileSync(at("secrets", "a.csv"), "secret")
})

afterEach(async () => {
  other.beforeOpen = () => undefined
  other.afterOpen = () => undefined
  other.hasProc = true
  await rm(root, { recursive: true, force: true })
})

/** The folder of the file becomes a link to one that nobody may read. */
const exchange = (): void => {
  renameSync(at("io", "sub"), at("io", "old"))
  symlinkSync(at("secrets"), at("io", "sub"))
}

const read = async (name: string): Promise<string> => {
  const handle = await openToRead({ path: at("io"), closed: new Set() }, name)
  try {
    return String(await handle.readFile())
  } finally {
    await handle.close()
  }
}

describe("A file of the data folder", () => {
  it("is read, also by a link that stays in the folder", async () => {
    symlinkSync(at("io", "sub", "a.csv"), at("io", "link.csv"))
    expect(await read("sub/a.csv")).toBe("allowed")
    expect(await read("link.csv")).toBe("allowed")
  })

  it("is not another one when its folder becomes a link after the check", async () => {
    other.beforeOpen = exchange
    await expect(read("sub/a.csv")).rejects.toThrow("io('sub/a.csv') is outside the folder")
  })

  it("is refused when its folder was a link only while the file was opened", async () => {
    other.beforeOpen = exchange
    other.afterOpen = () => {
      rmSync(at("io", "sub"))
      renameSync(at("io", "old"), at("io", "sub"))
    }
    await expect(read("sub/a.csv")).rejects.toThrow("sub/a.csv was replaced while it was opened: try again")
  })
})

describe.skipIf(process.platform === "win32")("A named pipe in the data folder", () => {
  it("is not waited for", async () => {
    execFileSync("mkfifo", [at("io", "pipe")])
    await expect(read("pipe")).rejects.toThrow("pipe cannot be read: it is not a file")
    await expect(read("pipe/a.csv")).rejects.toThrow("pipe/a.csv cannot be read: a folder of its path is a file")
    const write = WrittenFile.create({ path: at("io"), closed: new Set() }, "pipe/a.csv")
    await expect(write).rejects.toThrow("pipe/a.csv cannot be written: a folder of its path is a file")
  })

  it("is not waited for when it takes the place of a file or folder after the check", async () => {
    const replace = (...place: ReadonlyArray<string>) => {
      other.beforeOpen = () => {
        rmSync(at(...place), { recursive: true })
        execFileSync("mkfifo", [at(...place)])
      }
    }
    replace("io", "sub", "a.csv")
    await expect(read("sub/a.csv")).rejects.toThrow("sub/a.csv cannot be read: it is not a file")
    replace("io", "sub")
    await expect(WrittenFile.create({ path: at("io"), closed: new Set() }, "sub/a.csv")).rejects.toThrow(
      "sub/a.csv cannot be written: a folder of its path is a file"
    )
  })
})

describe("A file that io() writes", () => {
  const write = async (name: string, before: () => void = () => undefined): Promise<void> => {
    const file = await WrittenFile.create({ path: at("io"), closed: new Set() }, name)
    try {
      await file.write("new")
      before()
      await file.complete()
    } catch (error) {
      await file.abandon()
      throw error
    }
  }

  it.skipIf(process.platform === "win32")("cannot be read by users outside of the group", async () => {
    await write("a.csv")
    expect(statSync(at("io", "a.csv")).mode & 0o137).toBe(0)
  })

  /** Exchanges the folder before the n-th file or folder is opened. */
  const exchangeBefore = (n: number): void => {
    let opened = 0
    other.beforeOpen = () => {
      if (++opened === n) exchange()
    }
  }

  afterEach(() => {
    expect(readdirSync(at("secrets"))).toEqual(["a.csv"])
    expect(readFileSync(at("secrets", "a.csv"), "utf8")).toBe("secret")
  })

  it("replaces the file of its name, also in a folder that a link names", async () => {
    symlinkSync(at("io", "sub"), at("io", "link"))
    await write("link/a.csv")
    expect(readFileSync(at("io", "sub", "a.csv"), "utf8")).toBe("new")
    expect(readdirSync(at("io", "sub"))).toEqual(["a.csv"])
  })

  it("is written where the system has no /proc", async () => {
    other.hasProc = false
    await write("sub/a.csv")
    expect(readFileSync(at("io", "sub", "a.csv"), "utf8")).toBe("new")
    expect(readdirSync(at("io", "sub"))).toEqual(["a.csv"])
  })

  it.each([1, 2])("is not written elsewhere when its folder becomes a link before the opening %d", async (n) => {
    exchangeBefore(n)
    await expect(write("sub/a.csv")).rejects.toThrow("io('sub/a.csv') is outside the folder")
    expect(readFileSync(at("io", "old", "a.csv"), "utf8")).toBe("allowed")
  })

  it("is not written elsewhere when its folder becomes a link meanwhile", async () => {
    await expect(write("sub/a.csv", exchange)).rejects.toThrow("io('sub/a.csv') is outside the folder")
    expect(readdirSync(at("io", "old"))).toEqual(["a.csv"])
  })

  it("is refused when its folder became another one", async () => {
    const replace = (): void => {
      renameSync(at("io", "sub"), at("io", "old"))
      renameSync(at("io", "empty"), at("io", "sub"))
    }
    await mkdir(at("io", "empty"))
    await expect(write("sub/a.csv", replace)).rejects.toThrow("The folder of sub/a.csv was replaced")
  })
})
