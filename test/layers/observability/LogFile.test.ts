import { readFileSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { LogFile } from "../../../src/layers/observability/LogFile.ts"
import { newFolder } from "../../Folders.ts"

it.skipIf(process.platform !== "linux")(
  "A log on a full disk leaves lines out, says so once, and counts them when there is room again",
  () => {
    const folder = newFolder()
    const path = join(folder, "service.log")
    const warnings: Array<string> = []
    symlinkSync("/dev/full", path)
    const log = new LogFile(path, (text) => warnings.push(text))
    log.write("first")
    log.write("second")
    expect(warnings).toEqual([expect.stringMatching(/service\.log cannot be written, and lines are left out: ENOSPC/)])
    rmSync(path)
    symlinkSync(join(folder, "written.log"), path)
    log.reopen()
    log.write("third")
    log.write("fourth")
    log.close()
    expect(readFileSync(path, "utf8")).toBe("Here 2 lines are missing, which could not be written\nthird\nfourth\n")
    expect(warnings).toHaveLength(1)
  }
)
