import type { Value } from "../wire/Values.ts"
import type { ParsedFile } from "./ParsedFile.ts"
import { typedValue } from "./TypedValue.ts"

/** Reads GraphML. The parser of the browser loads nothing from elsewhere. */
export const readGraphml = (text: string, label: string): ParsedFile => {
  const document = new DOMParser().parseFromString(text, "application/xml")
  const broken = document.querySelector("parsererror")
  if (broken !== null) throw new Error(broken.textContent?.slice(0, 200) ?? "it is not XML")
  const keys = new Map(
    Array.from(document.getElementsByTagName("key"), (key) => [
      key.getAttribute("id") ?? "",
      {
        name: key.getAttribute("attr.name") ?? key.getAttribute("id") ?? "",
        type: key.getAttribute("attr.type") ?? "string"
      }
    ])
  )
  const dataOf = (element: Element): ReadonlyArray<readonly [string, Value]> =>
    Array.from(element.children)
      .filter(({ localName }) => localName === "data")
      .map((data) => {
        const key = data.getAttribute("key") ?? ""
        const { name, type } = keys.get(key) ?? { name: key, type: "string" }
        return [
          name,
          typedValue(
            data.textContent ?? "",
            type === "float" || type === "long" ? (type === "long" ? "int" : "double") : type,
            name
          )
        ] as const
      })
  const isLabel = ([name]: readonly [string, Value]): boolean => name === "labelV" || name === "labelE"
  const partsOf = (element: Element) => {
    const data = dataOf(element)
    return { label: String(data.find(isLabel)?.[1] ?? label), properties: data.filter((pair) => !isLabel(pair)) }
  }
  const vertices = Array.from(document.getElementsByTagName("node"), (node) => ({
    key: node.getAttribute("id") ?? "",
    ...partsOf(node)
  }))
  const edges = Array.from(document.getElementsByTagName("edge"), (edge) => ({
    from: edge.getAttribute("source") ?? "",
    to: edge.getAttribute("target") ?? "",
    ...partsOf(edge)
  }))
  return { vertices, edges, columns: [...keys.values()].filter(({ name }) => !/^label[VE]$/.test(name)) }
}
