import type { SearchEngineSettings } from "../../services/GraphSettings.ts"
import type { SearchEngine } from "../../storage/janusgraph/documents/SearchEngine.ts"
import { RestEngine } from "../../storage/search/RestEngine.ts"
import type { SearchTls } from "../../storage/search/SearchOptions.ts"
import { readKeyFile } from "../keys/KeyFiles.ts"

const tlsOf = async ({ backend, tls }: SearchEngineSettings): Promise<SearchTls | undefined> => {
  if (tls === undefined) return undefined
  const option = (name: string): string => `index.${backend}.elasticsearch.ssl.${name}.location`
  const { keyStore, keyStorePassword, trustStore, trustStorePassword } = tls
  const trusted =
    trustStore === undefined ? undefined : await readKeyFile(option("truststore"), trustStore, trustStorePassword)
  const shown = keyStore === undefined ? undefined : await readKeyFile(option("keystore"), keyStore, keyStorePassword)
  return {
    ca: trusted?.certificates,
    certificate: shown?.certificates.join("\n"),
    key: shown?.key,
    passphrase: tls.keyPassword ?? keyStorePassword,
    hostnameValidation: tls.hostnameValidation,
    selfSigned: tls.selfSigned
  }
}

/** The clients of search engines by the name of their index backend. None connects before it is used. */
export const openEngines = async (
  settings: ReadonlyArray<SearchEngineSettings>
): Promise<ReadonlyMap<string, SearchEngine>> => {
  const engines = new Map<string, SearchEngine>()
  for (const engine of settings) {
    engines.set(engine.backend, new RestEngine({ ...engine, tls: await tlsOf(engine) }))
  }
  return engines
}
