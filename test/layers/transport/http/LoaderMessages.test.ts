import { expect, it } from "vitest"
import { loadMessage } from "../../../../src/layers/transport/http/LoaderMessages.ts"

it.each([
  [
    "/data/io/a.csv is already in the graph. Nothing was imported: leave the file out, or give --again to import anyway.",
    "a.csv is already in the graph. Nothing was imported: leave the file out, or import anyway with the command engine-server import --again."
  ],
  [
    "An import of /data/io/b.csv was interrupted: run that command again, with the same options but without --again, to resume it.",
    "An import of b.csv was interrupted: load it again, with the same options, to resume it."
  ],
  [
    "/data/io/a.csv: line 2: the edge has no label: give a label with --edge-label",
    "a.csv: line 2: the edge has no label: import the file with the command engine-server import --edge-label"
  ],
  [
    "Its edges have got the label 'to': give that label with --edge-label to resume it.",
    "Its edges have got the label 'to': import the file with the command engine-server import --edge-label to resume it."
  ],
  ["name their key with --id-property", "name their key with idProperty"]
])("A client of /loader reads what it can do: %s", (message, said) => {
  expect(loadMessage(message, "/data/io/a.csv", "a.csv")).toBe(said)
})
