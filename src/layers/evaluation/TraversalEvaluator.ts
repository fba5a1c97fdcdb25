import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Authorizer } from "../../services/Authorizer.ts"
import { CallServices } from "../../services/CallServices.ts"
import { Config } from "../../services/Config.ts"
import { InvalidRequestArguments } from "../../services/Errors.ts"
import { Evaluator } from "../../services/Evaluator.ts"
import { GraphRegistry } from "../../services/GraphRegistry.ts"
import { MemoryBudget } from "../../services/MemoryBudget.ts"
import { RequestLog } from "../../services/RequestLog.ts"
import { RunQueue } from "../../services/RunQueue.ts"
import { closedFiles } from "../config/ClosedFiles.ts"
import { fileFormats } from "../graphs/FileFormats.ts"
import { TraversalEvaluation } from "./Evaluation.ts"
import type { EvaluationContext } from "./EvaluationContext.ts"
import { RequestPrograms } from "./RequestPrograms.ts"

/**
 * Memory of one traversal, whatever the settings are. V8 ends the process when a list grows beyond some 100 million members,
 * and each member counts 32 bytes.
 */
const MAX_TRAVERSAL_BYTES = 2 ** 31

/** Throws when a request changed a graph that its aliases do not name. Without aliases (over HTTP) it may change all graphs. */
const strictly =
  ({ graphs, sources }: typeof GraphRegistry.Service): NonNullable<EvaluationContext["strict"]> =>
  ({ aliases }, changed) => {
    if (aliases === null) return
    const named = Array.from(aliases.values(), (name) => sources.get(String(name))?.store ?? graphs.get(String(name)))
    const stray = changed.find((store) => !named.includes(store))
    if (stray === undefined) return
    throw new InvalidRequestArguments(
      `The request changed the graph '${stray.name}', which its [aliases] do not name: with strictTransactionManagement ` +
        "nothing of it is committed. Name the graph in the aliases."
    )
  }

/** Evaluates the Gremlin language over the graphs of the registry. */
export const layer: Layer.Layer<
  Evaluator,
  never,
  Authorizer | CallServices | Config | GraphRegistry | MemoryBudget | RequestLog | RunQueue
> = Layer.effect(
  Evaluator,
  Effect.gen(function* () {
    const settings = yield* Config
    const registry = yield* GraphRegistry
    const log = yield* RequestLog
    const context: EvaluationContext = {
      programs: new RequestPrograms({
        registry,
        environment: {
          maxBytes:
            settings.requestMemoryLimit > 0
              ? Math.min(settings.requestMemoryLimit, MAX_TRAVERSAL_BYTES)
              : MAX_TRAVERSAL_BYTES,
          services: yield* CallServices,
          dataFolder: { path: settings.ioDirectory, closed: closedFiles(settings) },
          formats: fileFormats,
          materializeProperties: true
        },
        authorization: yield* Authorizer,
        maxNestingDepth: settings.maxNestingDepth,
        scriptLogLength: settings.scriptLogLength
      }),
      runQueue: yield* RunQueue,
      evaluationTimeout: settings.evaluationTimeout,
      conflictRetries: settings.conflictRetries,
      memory: yield* MemoryBudget,
      requestMemoryLimit: settings.requestMemoryLimit,
      strict: settings.strictTransactionManagement ? strictly(registry) : null,
      failed: log.failed
    }
    return {
      evaluation: (request, sink, session, onEnd) => new TraversalEvaluation(context, request, sink, session, onEnd)
    }
  })
)
