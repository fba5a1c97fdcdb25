import { dirname, sep } from "node:path"

/** The words of the command `import`, and those for a client of `/loader`, which has other options. */
const words: ReadonlyArray<readonly [command: string, client: string]> = [
  ["give --again to import anyway", "import anyway with the command engine-server import --again"],
  ["give --again", "import again with the command engine-server import --again"],
  ["give a label with --edge-label", "import the file with the command engine-server import --edge-label"],
  ["give that label with --edge-label", "import the file with the command engine-server import --edge-label"],
  ["run that command again, with the same options but without --again,", "load it again, with the same options,"],
  ["--id-property", "idProperty"]
]

/** Why a file is not opened. `name` is the path that was opened for the `source` of the client. */
export const openingRefused = (message: string, name: string, source: string): string =>
  message
    .replace(`io('${name}')`, () => source)
    .replace(/\bio\(\) (may|must)\b/, "loads $1")
    .replace(name, () => source)

/**
 * What the import of a file says to the client. The path of the folder is not the client's business.
 *
 * @param path the path of the file
 * @param source the path that the client has sent
 */
export const loadMessage = (message: string, path: string, source: string): string => {
  let said = message.replaceAll(path, () => source).replaceAll(dirname(path) + sep, "")
  for (const [command, client] of words) said = said.replaceAll(command, client)
  return said
}
