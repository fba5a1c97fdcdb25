import * as Effect from "effect/Effect"
import { ConnectionClosed } from "../../process/language/Errors.ts"
import { ServerStopping } from "../../services/Errors.ts"
import type { Evaluation, EvaluationRequest, EvaluationTimes, ResponseSink } from "../../services/Evaluator.ts"
import type { TaskDescription } from "../../services/RequestPool.ts"
import type { Session } from "../../services/Sessions.ts"
import { EvaluationClock } from "./EvaluationClock.ts"
import type { EvaluationContext } from "./EvaluationContext.ts"
import { EvaluationSlices } from "./EvaluationSlices.ts"

/** One request from its arrival to its answer, as the request pool, sessions and reports see it. */
export class TraversalEvaluation implements Evaluation {
  readonly requestId: string
  readonly request: EvaluationRequest
  waitsIn: { forget(): void } | null = null
  previous: Evaluation | undefined = undefined
  next: Evaluation | undefined = undefined
  readonly #context: EvaluationContext
  readonly #sink: ResponseSink
  readonly #onEnd: (evaluation: Evaluation) => void
  readonly #clock: EvaluationClock
  readonly #slices: EvaluationSlices
  /** Called when the answer is given; null during the first slice. */
  #ended: (() => void) | null = null

  constructor(
    context: EvaluationContext,
    request: EvaluationRequest,
    sink: ResponseSink,
    session: Session | null,
    onEnd: (evaluation: Evaluation) => void
  ) {
    this.requestId = request.requestId
    this.request = request
    this.#context = context
    this.#sink = sink
    this.#onEnd = onEnd
    this.#clock = new EvaluationClock(request.evaluationTimeout ?? context.evaluationTimeout)
    this.#slices = new EvaluationSlices(this, context, sink, session, this.#clock)
  }

  get deadline(): number {
    return this.#clock.deadline
  }

  get elapsed(): number {
    return this.#clock.elapsed
  }

  begin(): boolean {
    return this.#slices.begin()
  }

  /** Only the part of a request that outlives its first slice has a timer. */
  goOn(ended: () => void): void {
    this.#ended = ended
    this.#clock.arm(() => this.cancel(this.#clock.timeoutError()))
  }

  get rest(): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      this.goOn(() => resume(Effect.void))
      return Effect.suspend(() => {
        this.cancel(new ServerStopping("running"))
        return this.#slices.isEnded ? Effect.void : this.#end
      })
    })
  }

  /** Completes when the answer is given. */
  get #end(): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      this.#ended = () => resume(Effect.void)
    })
  }

  ended(): void {
    this.#onEnd(this)
    this.#ended?.()
  }

  submitted(): void {
    try {
      this.#slices.submitted()
    } catch (error) {
      this.cancel(error as Error)
    }
  }

  cancel(error: Error): void {
    if (this.#slices.state === "waiting") this.waitsIn?.forget()
    this.#slices.cancel(error)
  }

  abandon(): void {
    this.cancel(new ConnectionClosed())
  }

  expire(): void {
    this.#slices.fail(this.#clock.timeoutError())
  }

  get settles(): boolean {
    return this.#slices.settles
  }

  get rows(): number {
    return this.#sink.rows
  }

  times(): EvaluationTimes {
    return this.#clock.times()
  }

  describe(): TaskDescription {
    return {
      request: this.#context.programs.describe(this.request),
      step: this.#slices.currentStep,
      // Between two slices a request waits for milliseconds only: it runs.
      state: this.#slices.state === "queued" ? "running" : this.#slices.state,
      user: this.request.user.name
    }
  }
}
