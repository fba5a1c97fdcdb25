import { texts } from "../texts.ts"
import { readCsv } from "./CsvFile.ts"
import { readGraphml } from "./GraphmlFile.ts"
import { readGraphson } from "./GraphsonFile.ts"
import type { ChosenTypes, ParsedFile } from "./ParsedFile.ts"

/** Reads a file by the end of its name. */
export const readFile = (name: string, text: string, label: string, types: ChosenTypes = new Map()): ParsedFile => {
  if (/\.csv$/i.test(name)) return readCsv(text, label, types)
  if (/\.(?:graphml|xml)$/i.test(name)) return readGraphml(text, label)
  if (/\.(?:graphson|json|jsonl)$/i.test(name)) return readGraphson(text)
  throw new Error(texts.data.unknownFormat)
}
