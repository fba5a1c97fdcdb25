import { createHash } from "node:crypto"
import { basename } from "node:path"
import { bytesOf, guarded, type InputFile } from "./InputFiles.ts"
import { pause, type ToolContext } from "./Report.ts"

/** SHA-256 digests of the decompressed contents of a file, in hexadecimal digits. */
export interface FileDigests {
  /** Bytes of the contents. */
  readonly bytes: number
  readonly digest: string
  /** Digests of the requested prefixes by their length in bytes. Prefixes longer than the file are missing. */
  readonly prefixes: ReadonlyMap<number, string>
}

/** Reads a whole file. `lengths`: lengths of prefixes to digest, bytes. Throws ToolFailure. */
export const digestsOf = (file: InputFile, lengths: Iterable<number>, context: ToolContext): Promise<FileDigests> =>
  guarded(file.path, async () => {
    const hash = createHash("sha256")
    const prefixes = new Map<number, string>()
    const wanted = [...new Set(lengths)].sort((a, b) => a - b)
    const stage = `digest of ${basename(file.path)}`
    let bytes = 0
    let read = 0
    const take = (chunk: Buffer): void => {
      let from = 0
      for (; wanted.length > 0 && wanted[0]! <= bytes + chunk.length; wanted.shift()) {
        const to = wanted[0]! - bytes
        hash.update(chunk.subarray(from, to))
        from = to
        prefixes.set(wanted[0]!, hash.copy().digest("hex"))
      }
      hash.update(chunk.subarray(from))
      bytes += chunk.length
    }
    for await (const chunk of bytesOf(file, (so) => {
      read = so
    })) {
      take(chunk)
      context.report({ stage, done: read, total: file.bytes, unit: "bytes", note: "" })
      if (context.shared || context.signal.aborted) await pause(context.signal)
    }
    return { bytes, digest: hash.digest("hex"), prefixes }
  })
