import { simpleName } from "../structure/scalars/ClassNames.ts"
import { GraphBinarySerializer } from "./graphbinary/GraphBinarySerializer.ts"
import { GraphSONSerializer } from "./graphson/GraphSONSerializer.ts"
import type { Serializer } from "./Serializer.ts"
import { TextSerializer } from "./TextSerializer.ts"

/** All serializers, by a short name. */
export const serializers = {
  graphSONV1: new GraphSONSerializer(1, true),
  graphSONV1Untyped: new GraphSONSerializer(1, false),
  graphSONV2: new GraphSONSerializer(2, true),
  graphSONV2Untyped: new GraphSONSerializer(2, false),
  graphSONV3: new GraphSONSerializer(3, true),
  graphSONV3Untyped: new GraphSONSerializer(3, false),
  graphBinaryV1: new GraphBinarySerializer(false),
  graphBinaryV1Text: new GraphBinarySerializer(true),
  text: new TextSerializer()
} as const

/** Typed serializers whose responses also use JanusGraph's types, by their names in the settings. */
export const janusGraphSerializers = {
  "graphson-v1": new GraphSONSerializer(1, true, true),
  "graphson-v2": new GraphSONSerializer(2, true, true),
  "graphson-v3": new GraphSONSerializer(3, true, true),
  "graphbinary-v1": new GraphBinarySerializer(false, true)
} as const

/** Simple class names of the serializers of Gremlin Server 3.4 to 3.8. */
const classes: ReadonlyMap<string, Serializer> = new Map<string, Serializer>([
  ["GraphSONMessageSerializerV1", serializers.graphSONV1],
  ["GraphSONMessageSerializerGremlinV1", serializers.graphSONV1],
  ["GraphSONMessageSerializerGremlinV1d0", serializers.graphSONV1],
  // This class was untyped before TinkerPop had classes named Untyped.
  ["GraphSONMessageSerializerV1d0", serializers.graphSONV1Untyped],
  ["GraphSONUntypedMessageSerializerV1", serializers.graphSONV1Untyped],
  ["GraphSONUntypedMessageSerializerV1d0", serializers.graphSONV1Untyped],
  ["GraphSONMessageSerializerV2", serializers.graphSONV2],
  ["GraphSONMessageSerializerV2d0", serializers.graphSONV2],
  ["GraphSONMessageSerializerGremlinV2", serializers.graphSONV2],
  ["GraphSONMessageSerializerGremlinV2d0", serializers.graphSONV2],
  ["GraphSONUntypedMessageSerializerV2", serializers.graphSONV2Untyped],
  ["GraphSONUntypedMessageSerializerV2d0", serializers.graphSONV2Untyped],
  ["GraphSONMessageSerializerV3", serializers.graphSONV3],
  ["GraphSONMessageSerializerV3d0", serializers.graphSONV3],
  ["GraphSONMessageSerializerGremlinV3d0", serializers.graphSONV3],
  ["GraphSONUntypedMessageSerializerV3", serializers.graphSONV3Untyped],
  ["GraphSONUntypedMessageSerializerV3d0", serializers.graphSONV3Untyped],
  ["GraphBinaryMessageSerializerV1", serializers.graphBinaryV1],
  ["GraphBinaryMessageSerializerV1d0", serializers.graphBinaryV1]
])

/** An entry of the setting `serializers`. */
interface SerializerEntry {
  readonly className: string
  /** GraphBinary's `config.serializeResultToString`: the variant that sends results as text. */
  readonly asText: boolean
}

/** The serializer of a configured class, by the last part of its name; undefined when there is none (Gryo). */
export const serializerOfClass = ({ className, asText }: SerializerEntry): Serializer | undefined => {
  const found = classes.get(simpleName(className))
  return found === serializers.graphBinaryV1 && asText ? serializers.graphBinaryV1Text : found
}

/** The serializers without the setting: all formats that drivers use. `application/json` is GraphSON 3. */
export const defaultSerializers: readonly Serializer[] = [
  serializers.graphSONV3,
  serializers.graphBinaryV1,
  serializers.graphBinaryV1Text,
  serializers.graphSONV2,
  serializers.graphSONV1,
  serializers.graphSONV3Untyped,
  serializers.graphSONV2Untyped,
  serializers.graphSONV1Untyped
]
