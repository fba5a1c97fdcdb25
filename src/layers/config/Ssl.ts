import type { SslSettings } from "../../services/Config.ts"
import type { FileSettings } from "./Fields.ts"
import { locate, type Places } from "./Places.ts"
import type { Report } from "./Report.ts"

const fileSettings = ["keyStore", "keyCertChainFile", "keyFile", "trustStore", "trustCertChainFile"] as const

/** Completes `ssl`: files are located, and a server without a key is refused. */
export const decodeSsl = (
  decoded: NonNullable<FileSettings["ssl"]>,
  defaults: SslSettings,
  file: string,
  places: Places,
  report: Report
): SslSettings => {
  const enabled = decoded.enabled ?? defaults.enabled
  // A block that is switched off may name files that are not there, as sample files do.
  const located = (setting: (typeof fileSettings)[number]): string | undefined => {
    const path = decoded[setting]
    if (path === undefined || !enabled) return path
    const result = locate(places, file, path)
    return "found" in result ? result.found : report.fail(["ssl", setting], result.reason)
  }
  if (enabled && decoded.keyStore === undefined && decoded.keyCertChainFile === undefined) {
    report.fail(
      ["ssl", "keyStore"],
      "is missing; name a PKCS#12 file here, or PEM files in keyCertChainFile and keyFile"
    )
  }
  if (enabled && (decoded.keyCertChainFile === undefined) !== (decoded.keyFile === undefined)) {
    const missing = decoded.keyFile === undefined ? "keyFile" : "keyCertChainFile"
    report.fail(["ssl", missing], "is missing; keyCertChainFile and keyFile go together")
  }
  for (const type of ["keyStoreType", "trustStoreType"] as const) {
    if (enabled && decoded[type] === "JKS") {
      const store = type === "keyStoreType" ? "keyStore" : "trustStore"
      const command = "keytool -importkeystore -srckeystore FILE -destkeystore FILE.p12 -deststoretype PKCS12"
      report.fail(["ssl", type], `a JKS ${store} cannot be read here; convert it: ${command}`)
    }
  }
  const needClientAuth = decoded.needClientAuth === "OPTIONAL" ? "REQUIRE" : decoded.needClientAuth
  if (decoded.needClientAuth === "OPTIONAL") {
    report.notes.push({ level: "warn", text: "ssl.needClientAuth: OPTIONAL is taken as REQUIRE, as in Gremlin Server" })
  }
  if (enabled && needClientAuth === "REQUIRE" && !decoded.trustStore && !decoded.trustCertChainFile) {
    report.fail(["ssl", "trustStore"], "is missing; needClientAuth needs the certificates that sign the clients")
  }
  return {
    ...defaults,
    ...decoded,
    enabled,
    needClientAuth: needClientAuth ?? defaults.needClientAuth,
    keyStore: located("keyStore"),
    keyCertChainFile: located("keyCertChainFile"),
    keyFile: located("keyFile"),
    trustStore: located("trustStore"),
    trustCertChainFile: located("trustCertChainFile")
  }
}
