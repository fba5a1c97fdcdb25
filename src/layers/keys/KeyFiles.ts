import { readFile } from "node:fs/promises"
import { StorageFailure } from "../../structure/StoreErrors.ts"
import { javaKeyStoreProblem } from "./JavaKeyStores.ts"
import { readPkcs12 } from "./Pkcs12.ts"

/** The contents of a key store or trust store, as PEM. */
interface KeyFile {
  readonly certificates: ReadonlyArray<string>
  readonly key: string | undefined
}

/** Reads certificates and key of a PEM or PKCS#12 file. Fails with StorageFailure, which names the option. */
export const readKeyFile = async (option: string, path: string, password: string | undefined): Promise<KeyFile> => {
  const file = await readFile(path).catch((cause: Error) => {
    throw new StorageFailure(`${option}: ${path} cannot be read (${cause.message}).`, { cause })
  })
  const problem = javaKeyStoreProblem(file, path)
  if (problem !== undefined) throw new StorageFailure(`${option}: ${problem}`)
  const text = file.toString("latin1")
  if (text.includes("-----BEGIN ")) return { certificates: [text], key: text }
  return readPkcs12(file, password ?? "").catch((cause: Error) => {
    throw new StorageFailure(`${option}: ${path} is neither PEM nor PKCS#12 with this password (${cause.message}).`, {
      cause
    })
  })
}
