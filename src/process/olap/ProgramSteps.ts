import { toDouble } from "../../structure/numbers/Arithmetic.ts"
import { isNumber } from "../../structure/numbers/Numbers.ts"
import { text } from "../../structure/texts/Text.ts"
import { nameOf } from "../language/Arguments.ts"
import { TraversalInvalid } from "../language/Errors.ts"
import type { Activation } from "../plan/Activation.ts"
import { noParameters, type Operators, stepOperator } from "../plan/Operator.ts"
import type { PlanBuilder } from "../plan/Step.ts"
import type { Adjacency, VertexProgram } from "./Adjacency.ts"
import { ConnectedComponent } from "./ConnectedComponent.ts"
import { PageRank } from "./PageRank.ts"
import { PeerPressure } from "./PeerPressure.ts"
import { PropertyProgramStep } from "./PropertyProgramStep.ts"
import { ShortestPathStep } from "./ShortestPathStep.ts"

class PageRankStep extends PropertyProgramStep {
  readonly operator = "pageRank"
  readonly name = "PageRankVertexProgramStep"
  readonly #alpha: number

  constructor(alpha: number, compiler: PlanBuilder) {
    super("outE", "gremlin.pageRankVertexProgram.pageRank", 20, compiler)
    this.#alpha = alpha
  }

  protected program(graph: Adjacency, traversers: Float64Array | null): VertexProgram {
    return new PageRank(graph, { alpha: this.#alpha, iterations: this.times + 1, initial: traversers })
  }
}

class PeerPressureStep extends PropertyProgramStep {
  readonly operator = "peerPressure"
  readonly name = "PeerPressureVertexProgramStep"

  constructor(compiler: PlanBuilder) {
    super("outE", "gremlin.peerPressureVertexProgram.cluster", 30, compiler)
  }

  protected program(graph: Adjacency, traversers: Float64Array | null, { transaction }: Activation): VertexProgram {
    return new PeerPressure(graph, {
      iterations: this.times,
      strengths: traversers,
      id: (vertex) => transaction.vertexId(graph.vertices.refs[vertex]!),
      text
    })
  }
}

class ConnectedComponentStep extends PropertyProgramStep {
  readonly operator = "connectedComponent"
  readonly name = "ConnectedComponentVertexProgramStep"

  constructor(compiler: PlanBuilder) {
    super("bothE", "gremlin.connectedComponentVertexProgram.component", 0, compiler)
  }

  protected program(graph: Adjacency, _traversers: Float64Array | null, { transaction }: Activation): VertexProgram {
    return new ConnectedComponent(graph, (vertex) => text(transaction.vertexId(graph.vertices.refs[vertex]!)))
  }
}

const none = (operator: string, args: readonly unknown[]): void => {
  if (args.length > 0) throw new TraversalInvalid(`${operator}() takes no argument; set its options by with()`)
}

/** The operators of vertex programs. */
export const programSteps: Operators = {
  pageRank: stepOperator(noParameters, (args, compiler) => {
    const [alpha] = args
    if (alpha === undefined) return new PageRankStep(0.85, compiler)
    if (isNumber(alpha)) return new PageRankStep(toDouble(alpha), compiler)
    throw new TraversalInvalid(`pageRank() takes a number as its alpha, but was given ${nameOf(alpha)}`)
  }),
  peerPressure: stepOperator(noParameters, (args, compiler) => {
    none("peerPressure", args)
    return new PeerPressureStep(compiler)
  }),
  connectedComponent: stepOperator(noParameters, (args, compiler) => {
    none("connectedComponent", args)
    return new ConnectedComponentStep(compiler)
  }),
  shortestPath: stepOperator(noParameters, (args, compiler) => {
    none("shortestPath", args)
    return new ShortestPathStep(compiler)
  }),
  program: stepOperator(noParameters, () => {
    throw new TraversalInvalid(
      "program() takes a VertexProgram, which is Java code, and this server does not run Java. Use pageRank(), peerPressure(), " +
        "connectedComponent() or shortestPath(), or register a service and use call()."
    )
  })
}
