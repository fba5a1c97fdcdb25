import { GraphMLDecoder } from "../../protocol/graphml/GraphMLDecoder.ts"
import { GraphMLEncoder } from "../../protocol/graphml/GraphMLEncoder.ts"
import { AdjacencyDecoder } from "../../protocol/graphson/AdjacencyDecoder.ts"
import { AdjacencyEncoder } from "../../protocol/graphson/AdjacencyEncoder.ts"
import { GraphSONWriterV1 } from "../../protocol/graphson/GraphSONWriterV1.ts"
import { TypedGraphSONWriter } from "../../protocol/graphson/TypedGraphSONWriter.ts"
import { GryoDecoder } from "../../protocol/gryo/GryoDecoder.ts"
import { everything } from "../../protocol/Messages.ts"
import type { GraphEncoder, GraphFormats } from "../../structure/graph/GraphStream.ts"

const withJanusGraph = { ...everything, janusGraph: true }

const graphson = (version: string): GraphEncoder => {
  switch (version) {
    case "graphson-v1":
      return new AdjacencyEncoder(new GraphSONWriterV1(false, everything), 1)
    case "graphson-v2":
      return new AdjacencyEncoder(new TypedGraphSONWriter(true, false, withJanusGraph), 2)
    default:
      return new AdjacencyEncoder(new TypedGraphSONWriter(true, true, withJanusGraph), 3)
  }
}

/**
 * The formats of io(). GraphSON is written as version 3 by default, with JanusGraph's type for shapes in versions 2 and 3;
 * all versions can be read.
 */
export const fileFormats: GraphFormats = {
  decoder: (format, receiver) => {
    switch (format) {
      case "graphml":
        return new GraphMLDecoder(receiver)
      case "graphson":
      case "graphson-v1":
      case "graphson-v2":
      case "graphson-v3":
        return new AdjacencyDecoder(receiver)
      case "gryo":
      case "gryo-v1":
      case "gryo-v3":
        return new GryoDecoder(receiver)
      default:
        return undefined
    }
  },
  encoder: (format) => {
    if (format === "graphml") return new GraphMLEncoder()
    return /^graphson(-v[123])?$/.test(format) ? graphson(format) : undefined
  }
}
