import { VERSION } from "./graphbinary/DataType.ts"
import type { Serializer } from "./Serializer.ts"
import { serializers } from "./Serializers.ts"

/** Plain JSON: the GraphSON format that the configuration names first. */
export const MIME_JSON = "application/json"

/** The parts of a WebSocket frame. */
interface Frame {
  /** The format that the frame names; undefined when the server does not offer it, or the frame is malformed. */
  readonly serializer: Serializer | undefined
  /** The name in the frame, for messages; empty when there is none. */
  readonly mime: string
  readonly payload: Buffer
}

/** One type of an Accept header. */
interface Acceptable {
  readonly mime: string
  readonly quality: number
  /** 2 for a full name, 1 for `application/*`, 0 for the full wildcard. */
  readonly specificity: number
}

/** The formats that a server offers. Finds the one that a frame, a Content-Type or an Accept header names. */
export class SerializerSet {
  readonly #byMime = new Map<string, Serializer>()
  /** The serializer of plain JSON, which also answers text frames. */
  readonly json: Serializer

  /** Of two serializers with the same type the first one keeps it. text/plain is always offered. */
  constructor(offered: readonly Serializer[]) {
    for (const serializer of offered)
      if (!this.#byMime.has(serializer.mime)) this.#byMime.set(serializer.mime, serializer)
    this.json = offered.find((serializer) => !serializer.binary) ?? serializers.graphSONV3
    this.#byMime.set(MIME_JSON, this.json)
    this.#byMime.set(serializers.text.mime, serializers.text)
  }

  /** The serializer of a MIME type. Parameters other than `types=false` are ignored. */
  byMime(mime: string): Serializer | undefined {
    return this.#byMime.get(mime) ?? this.#byMime.get(normalized(mime))
  }

  /**
   * Splits a binary frame: one byte with the length of the MIME type, the type, the message. When GraphBinary is offered, it
   * also reads messages with a type that is not offered, as in Gremlin Server, if they begin as GraphBinary does.
   */
  frame(bytes: Buffer): Frame {
    const length = bytes.length === 0 ? 0 : bytes[0]!
    if (length === 0 || length >= bytes.length) return { serializer: undefined, mime: "", payload: bytes }
    const mime = bytes.toString("latin1", 1, 1 + length)
    const payload = bytes.subarray(1 + length)
    const named = this.byMime(mime)
    if (named !== undefined) return { serializer: named === serializers.text ? undefined : named, mime, payload }
    // A message of Gryo begins with the id of the request, which may have any byte.
    const isGraphBinary = payload[0] === VERSION && !mime.includes("gryo")
    return { serializer: isGraphBinary ? this.byMime(serializers.graphBinaryV1.mime) : undefined, mime, payload }
  }

  /**
   * The serializer for an Accept header: the offered type with the highest quality; of equal ones the more specific one, then
   * the earlier one. Wildcards and an absent header mean plain JSON. Undefined when no offered type fits.
   */
  negotiate(accept: string | undefined): { readonly mime: string; readonly serializer: Serializer } | undefined {
    if (accept === undefined || accept.trim() === "" || accept === "*/*")
      return { mime: MIME_JSON, serializer: this.json }
    const exact = this.#byMime.get(accept)
    if (exact !== undefined) return { mime: accept, serializer: exact }
    const items = accept.split(",").map(acceptable)
    const refused = new Set(items.filter(({ quality }) => quality === 0).map(({ mime }) => mime))
    const wanted = items.filter(({ mime, quality }) => mime !== "" && quality > 0)
    const sorted = wanted.sort((a, b) => b.quality - a.quality || b.specificity - a.specificity)
    for (const { mime } of sorted) {
      const found = this.#matching(mime)
      if (found !== undefined && !refused.has(found)) return { mime: found, serializer: this.#byMime.get(found)! }
    }
    return undefined
  }

  #matching(mime: string): string | undefined {
    if (mime === "*/*" || mime === "application/*") return MIME_JSON
    if (mime === "text/*") return serializers.text.mime
    return this.#byMime.has(mime) ? mime : undefined
  }
}

/** The name of a type without parameters, except `types=false`, in lower case. */
const normalized = (mime: string): string => {
  const [name = "", ...parameters] = mime.split(";").map((part) => part.trim().toLowerCase())
  return parameters.includes("types=false") ? `${name};types=false` : name
}

const acceptable = (item: string): Acceptable => {
  const mime = normalized(item)
  const parameter = /;\s*q\s*=\s*([^;]*)/i.exec(item)?.[1]?.trim()
  const quality = Number(parameter ?? 1)
  return {
    mime,
    // A quality that is not a number counts as 1.
    quality: parameter === "" || Number.isNaN(quality) ? 1 : quality,
    specificity: mime === "*/*" ? 0 : mime.endsWith("/*") ? 1 : 2
  }
}

/**
 * The message in an HTTP body whose Content-Type names a serializer. The body may have the prefix of a WebSocket frame.
 * Undefined when the prefix names another type.
 */
export const httpPayload = (serializer: Serializer, body: Buffer): Buffer | undefined => {
  const length = body[0] ?? 0
  const name = body.toString("latin1", 1, 1 + length)
  if (!frameName.test(name)) return body
  return normalized(name) === serializer.mime ? body.subarray(1 + length) : undefined
}

/** The prefix of a frame. Neither JSON nor GraphBinary can begin so. */
const frameName = /^(?:application|text)\/[\w.+-]+(?:;\s*types=(?:true|false))?$/i
