import type { Serializer } from "../../../protocol/Serializer.ts"
import { serializers } from "../../../protocol/Serializers.ts"
import type { Formats } from "../shared/Formats.ts"

/** What a client speaks: the format of its messages, and the kind of their frames. */
export interface SpokenFormat {
  readonly serializer: Serializer
  readonly binary: boolean
}

/** Drivers whose default format is GraphBinary. */
const speaksGraphBinary = /\bGremlin-(?:Python|Java|Go|Dotnet|Javascript\.3\.(?:[89]|\d\d))\./i

/** What the driver with this User-Agent most likely speaks, before its first message. */
export const presumedFormat = (userAgent: string | undefined, formats: Formats): SpokenFormat =>
  userAgent !== undefined && speaksGraphBinary.test(userAgent)
    ? { serializer: serializers.graphBinaryV1, binary: true }
    : { serializer: formats.json, binary: false }
