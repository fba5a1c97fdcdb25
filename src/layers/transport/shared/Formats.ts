import { randomUUID } from "node:crypto"
import { type HttpRequest, readHttpBody, readHttpQuery } from "../../../protocol/HttpRequest.ts"
import { RequestArgs, RequestMessage } from "../../../protocol/Messages.ts"
import { httpPayload, MIME_JSON, SerializerSet } from "../../../protocol/Mime.ts"
import { ProtocolError, UnservedFormat } from "../../../protocol/ProtocolError.ts"
import { passSliceOver, type ResumableRead } from "../../../protocol/ResumableRead.ts"
import type { Serializer } from "../../../protocol/Serializer.ts"
import { defaultSerializers, janusGraphSerializers, serializers } from "../../../protocol/Serializers.ts"
import type { SerializerSettings } from "../../../services/Settings.ts"

/** The format of an HTTP answer, and the MIME type by which the client asked for it. */
export interface AcceptedFormat {
  readonly mime: string
  readonly serializer: Serializer
}

const configured = ({ format, janusGraphTypes, serializeResultToString, untyped }: SerializerSettings): Serializer => {
  if (janusGraphTypes && !untyped && !serializeResultToString) {
    return janusGraphSerializers[format]
  }
  switch (format) {
    case "graphson-v1":
      return untyped ? serializers.graphSONV1Untyped : serializers.graphSONV1
    case "graphson-v2":
      return untyped ? serializers.graphSONV2Untyped : serializers.graphSONV2
    case "graphson-v3":
      return untyped ? serializers.graphSONV3Untyped : serializers.graphSONV3
    default:
      return serializeResultToString ? serializers.graphBinaryV1Text : serializers.graphBinaryV1
  }
}

/** Reads messages in all formats. The configured serializers come first; the default ones follow. */
export class Formats {
  readonly #set: SerializerSet
  /** The format of `application/json` and of text frames. */
  readonly json: Serializer
  readonly #maximumDepth: number

  /** `maximumDepth`: levels to which values of a request may nest. */
  constructor(settings: ReadonlyArray<SerializerSettings>, maximumDepth: number) {
    this.#maximumDepth = maximumDepth
    this.#set = new SerializerSet([...settings.map(configured), ...defaultSerializers])
    this.json = this.#set.json
  }

  /** The format and the payload of a binary WebSocket frame, after the prefix that names the format. Throws ProtocolError. */
  frame(data: Buffer): { readonly serializer: Serializer; readonly payload: Buffer } {
    const { mime, payload, serializer } = this.#set.frame(data)
    if (serializer !== undefined) return { serializer, payload }
    if (driverFormat(mime) !== undefined) throw new UnservedFormat(mime)
    throw new ProtocolError(
      mime === ""
        ? "A binary message begins with the length of a MIME type (one byte) and the MIME type; this one does not."
        : `Messages in the format ${mime} are not read here.`
    )
  }

  /** The format that an Accept header asks for. Throws ProtocolError. */
  accepted(accept: string | undefined, requestId: string | null): AcceptedFormat {
    const found = this.#set.negotiate(accept)
    if (found !== undefined) return found
    throw new ProtocolError(`no serializer for requested Accept header: ${accept}`, requestId)
  }

  /**
   * Reads the body of a POST: a serialized message when the Content-Type names a driver's format, otherwise JSON with the
   * script. Throws ProtocolError.
   */
  readBody(contentType: string | undefined, body: Buffer, long?: ResumableRead): RequestMessage {
    const named = contentType === undefined || contentType === MIME_JSON ? undefined : driverFormat(contentType)
    const serializer = named === undefined ? undefined : this.#set.byMime(named)
    if (serializer !== undefined) return readEither(serializer, body, this.#maximumDepth, long)
    try {
      return evalOf(readHttpBody(body, this.#maximumDepth, long))
    } catch (error) {
      passSliceOver(error)
      // A body in JSON has an error of its own.
      throw named === undefined || isJsonObject(body) ? error : new UnservedFormat(named)
    }
  }

  /** Reads the query string of a GET. Throws ProtocolError. */
  readQuery(query: string): RequestMessage {
    return evalOf(readHttpQuery(new URLSearchParams(query)))
  }
}

/** The Content-Type of a driver's format; undefined for any other, which means a JSON body with a script. */
const driverFormat = (contentType: string): string | undefined =>
  contentType.trimStart().toLowerCase().startsWith("application/vnd.") ? contentType : undefined

/** Whether a body begins as a JSON object does, which all requests in JSON are. */
const isJsonObject = (body: Buffer): boolean => /^\s*\{\s*["}]/.test(body.toString("latin1", 0, 256))

/** Reads a serialized message, or JSON with a script: people send it with the Content-Type of a driver, too. */
const readEither = (
  serializer: Serializer,
  body: Buffer,
  maximumDepth: number,
  long: ResumableRead | undefined
): RequestMessage => {
  const payload = httpPayload(serializer, body)
  if (payload === undefined) {
    throw new ProtocolError("Mime type mismatch. Value in content-type header is not equal payload header.")
  }
  let refusal = long?.refusal
  if (refusal === undefined) {
    try {
      return serializer.readMessage(payload, maximumDepth, long)
    } catch (error) {
      if (serializer.binary || !(error instanceof ProtocolError)) throw error
      refusal = error
      long?.beginAgain(error)
    }
  }
  try {
    return evalOf(readHttpBody(payload, maximumDepth, long))
  } catch (error) {
    throw error instanceof ProtocolError ? refusal : error
  }
}

const evalOf = (request: HttpRequest): RequestMessage => {
  const args = new RequestArgs()
  args.gremlin = request.gremlin
  args.bindings = request.bindings
  if (request.aliases.size > 0) args.aliases = request.aliases
  args.language = request.language
  args.evaluationTimeout = request.evaluationTimeout
  args.batchSize = request.batchSize
  args.materializeProperties = request.materializeProperties
  args.isNamed = request.isNamed
  return new RequestMessage(request.requestId ?? randomUUID(), "eval", "", args, request.heldBytes)
}
