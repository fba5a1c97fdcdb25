import { readFileSync } from "node:fs"
import type { SslSettings } from "../../services/Config.ts"
import { keyStoreProblem } from "../keys/KeyStores.ts"
import { type ConfigFolders, locate } from "./ConfigFolders.ts"
import type { FileSettings } from "./Fields.ts"
import { failIfMissing, type Report } from "./Report.ts"

const fileSettings = ["keyStore", "keyCertChainFile", "keyFile", "trustStore", "trustCertChainFile"] as const

/** The first bytes of a file. A file that cannot be read fails when it is used. */
const firstBytes = (path: string): Buffer => {
  try {
    return readFileSync(path).subarray(0, 4)
  } catch {
    return Buffer.alloc(0)
  }
}

/** Completes `ssl`, locates its files, and reports a missing key. */
export const decodeSsl = (
  decoded: NonNullable<FileSettings["ssl"]>,
  defaults: SslSettings,
  file: string,
  folders: ConfigFolders,
  report: Report
): SslSettings => {
  const enabled = decoded.enabled ?? defaults.enabled
  if (decoded.enabled === undefined) {
    const given = Object.keys(decoded).map((name) => `ssl.${name}`)
    failIfMissing(report, ["ssl", "enabled"], given, "set it to true, or to false to serve without TLS")
  }
  // A disabled block may name missing files, as sample files do.
  const located = (setting: (typeof fileSettings)[number]): string | undefined => {
    const path = decoded[setting]
    if (path === undefined || !enabled) return path
    const result = locate(folders, file, path)
    if (!("found" in result)) return report.fail(["ssl", setting], result.reason)
    const problem = setting.endsWith("Store") ? keyStoreProblem(firstBytes(result.found), result.found) : undefined
    if (problem !== undefined) report.fail(["ssl", setting], problem)
    return result.found
  }
  if (enabled && decoded.keyStore === undefined && decoded.keyCertChainFile === undefined) {
    report.fail(
      ["ssl", "keyStore"],
      "is missing; name a PKCS#12 or JKS file here, or PEM files in keyCertChainFile and keyFile"
    )
  }
  if (enabled && (decoded.keyCertChainFile === undefined) !== (decoded.keyFile === undefined)) {
    const missing = decoded.keyFile === undefined ? "keyFile" : "keyCertChainFile"
    report.fail(["ssl", missing], "is missing; keyCertChainFile and keyFile go together")
  }
  const needClientAuth = decoded.needClientAuth === "OPTIONAL" ? "REQUIRE" : decoded.needClientAuth
  if (decoded.needClientAuth === "OPTIONAL") {
    report.notes.push({ level: "warn", text: "ssl.needClientAuth: OPTIONAL is taken as REQUIRE, as in Gremlin Server" })
  }
  if (enabled && needClientAuth === "REQUIRE" && !decoded.trustStore && !decoded.trustCertChainFile) {
    report.fail(
      ["ssl", "trustStore"],
      "is missing; needClientAuth needs the certificates of the authorities that sign the certificates of clients"
    )
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
