import { readFile } from "node:fs/promises"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import type { KeyStoreContents } from "./KeyStoreContents.ts"
import { keyStoreProblem, readKeyStore } from "./KeyStores.ts"

/** Reads certificates and key of a file in PEM, PKCS#12 or JKS. Fails with StorageFailure, which names the option. */
export const readKeyFile = async (
  option: string,
  path: string,
  password: string | undefined
): Promise<KeyStoreContents> => {
  const file = await readFile(path).catch((cause: Error) => {
    throw new StorageFailure(`${option}: ${path} cannot be read (${cause.message}).`, { cause })
  })
  const problem = keyStoreProblem(file, path)
  if (problem !== undefined) throw new StorageFailure(`${option}: ${problem}`)
  const text = file.toString("latin1")
  if (text.includes("-----BEGIN ")) return { certificates: [text], key: text }
  return readKeyStore(file, password ?? "").catch((cause: Error) => {
    throw new StorageFailure(
      `${option}: ${path} is neither PEM nor a PKCS#12 or JKS store with this password (${cause.message}).`,
      {
        cause
      }
    )
  })
}
