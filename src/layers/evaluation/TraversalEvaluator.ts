import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { staticImportsOf } from "../../gremlin/Parser.ts"
import { Authorizer } from "../../services/Authorizer.ts"
import { CallServices } from "../../services/CallServices.ts"
import { Config } from "../../services/Config.ts"
import { InvalidRequestArguments } from "../../services/Errors.ts"
import { Evaluator } from "../../services/Evaluator.ts"
import { GraphRegistry, sourceNamed } from "../../services/GraphRegistry.ts"
import { MemoryBudget } from "../../services/MemoryBudget.ts"
import { RequestLog } from "../../services/RequestLog.ts"
import { RequestRecords } from "../../services/RequestRecords.ts"
import { RunQueue } from "../../services/RunQueue.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import { TraversalEvaluation } from "./Evaluation.ts"
import type { EvaluationContext } from "./EvaluationContext.ts"
import { graphOptions } from "./GraphOptions.ts"
import { RequestPrograms } from "./RequestPrograms.ts"
import { runEnvironment } from "./RunEnvironments.ts"

/** Throws when a request changed a graph that its aliases do not name. Without aliases (over HTTP) it may change all graphs. */
const strictly =
  (registry: typeof GraphRegistry.Service): NonNullable<EvaluationContext["strict"]> =>
  ({ aliases }, changed) => {
    if (aliases === null) return
    const named = Array.from(
      aliases.values(),
      (name) => sourceNamed(registry, String(name))?.store ?? registry.graphs.get(String(name))
    )
    const stray = changed.find((store) => !named.includes(store))
    if (stray === undefined) return
    throw new InvalidRequestArguments(
      `The request changed the graph '${stray.name}', which its [aliases] do not name: with strictTransactionManagement ` +
        "nothing of it is committed. Name the graph in the aliases."
    )
  }

/** Whether steps take closures: by default not if users are known and nothing limits what they do. */
const closuresOf = ({ authentication, authorization, closures }: ServerSettings): boolean =>
  closures ?? (authentication.authenticator === "AllowAllAuthenticator" || authorization.authorizer !== undefined)

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
        environment: runEnvironment(settings, yield* CallServices),
        authorization: yield* Authorizer,
        maxNestingDepth: settings.maxNestingDepth,
        allowsClosures: closuresOf(settings),
        imports: staticImportsOf(settings.methodImports),
        scriptLogLength: settings.scriptLogLength,
        printed: log.printed,
        optionsOf: graphOptions(settings, registry.dynamic)
      }),
      runQueue: yield* RunQueue,
      evaluationTimeout: settings.evaluationTimeout,
      conflictRetries: settings.conflictRetries,
      memory: yield* MemoryBudget,
      requestMemoryLimit: settings.requestMemoryLimit,
      strict: settings.strictTransactionManagement ? strictly(registry) : null,
      records: Option.getOrNull(yield* Effect.serviceOption(RequestRecords)),
      failed: log.failed
    }
    return {
      evaluation: (request, sink, session, onEnd) => new TraversalEvaluation(context, request, sink, session, onEnd)
    }
  })
)
