import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { RequestMessage } from "../../protocol/Messages.ts"
import { StatusCode } from "../../protocol/StatusCode.ts"
import type { User } from "../../services/Authenticator.ts"
import { type Authorization, Authorizer } from "../../services/Authorizer.ts"
import { Config } from "../../services/Config.ts"
import { type AnsweringSink, type Client, Dispatcher } from "../../services/Dispatcher.ts"
import { isInternal, RequestBlocked, ServerStopping, SessionEnded, TooManyRequests } from "../../services/Errors.ts"
import { type Evaluation, type EvaluationRequest, Evaluator } from "../../services/Evaluator.ts"
import { Metrics } from "../../services/Metrics.ts"
import { RequestLog } from "../../services/RequestLog.ts"
import { RequestPool } from "../../services/RequestPool.ts"
import { type Session, Sessions } from "../../services/Sessions.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import { SharedState } from "../../services/SharedState.ts"
import { WorkerProcess, type WorkerProcessShape } from "../../services/WorkerProcess.ts"
import { LinkedList } from "../../structure/containers/LinkedList.ts"
import { answerToLoss } from "../evaluation/LossAnswers.ts"
import { ClosingTask } from "./ClosingTask.ts"
import { NamedRequests } from "./NamedRequests.ts"
import { isInSession, operationName, sessionOverHttp, unknownOperation } from "./Operations.ts"
import { poolFull } from "./PoolFull.ts"
import { readEvaluation, readSessionName } from "./RequestReader.ts"
import { SlowRequests } from "./SlowRequests.ts"

/** The services that the dispatcher uses. */
interface DispatcherContext {
  readonly settings: ServerSettings
  readonly pool: typeof RequestPool.Service
  readonly sessions: typeof Sessions.Service
  readonly evaluator: typeof Evaluator.Service
  readonly authorization: Authorization | null
  readonly metrics: typeof Metrics.Service
  readonly log: typeof RequestLog.Service
  readonly names: NamedRequests
  /** See WorkerProcess; undefined in a server of one process. */
  readonly refusal: WorkerProcessShape["refusal"] | undefined
}

/** Decides what a message asks for, and hands it to the request pool or to its session. */
class RequestDispatcher {
  readonly #context: DispatcherContext
  /** One error for all refusals: to create an error costs more than the rest of a refusal. */
  readonly #poolFull: TooManyRequests
  /** Clients with requests that are not yet answered. */
  readonly #clients = new LinkedList<Client>()
  readonly slow: SlowRequests
  /** Requests that are not yet answered. */
  active = 0
  #stopping = false
  #onIdle: (() => void) | null = null

  constructor(context: DispatcherContext) {
    this.#context = context
    this.slow = new SlowRequests(context.settings.slowQueryThreshold, context.log)
    this.#poolFull = poolFull(context.settings)
  }

  get stopping(): boolean {
    return this.#stopping
  }

  stop(onIdle: () => void): void {
    this.#stopping = true
    this.#onIdle = onIdle
    this.#checkIdle()
  }

  dispatch(message: RequestMessage, user: User, client: Client, sink: AnsweringSink): void {
    try {
      if (this.#stopping) throw new ServerStopping("new")
      const inSession = isInSession(message)
      // Nothing says that two requests of a connection are of one client: between them and the server there may be a proxy.
      if (inSession && client.transport === "http") throw sessionOverHttp()
      switch (message.op) {
        case "eval":
        case "bytecode":
          this.#evaluate(message, user, client, sink, inSession)
          return
        case "close":
          if (!inSession) throw unknownOperation(message.op)
          this.#close(message, user, client, sink)
          return
        default:
          throw unknownOperation(message.op)
      }
    } catch (error) {
      this.refuse(error, message.op, client, sink)
    }
  }

  refuse(error: unknown, op: string, client: Client, sink: AnsweringSink): void {
    const metrics = this.#context.metrics
    if (error instanceof TooManyRequests) metrics.refused("pool")
    else if (error instanceof RequestBlocked) metrics.refused("blocked")
    else if (error instanceof ServerStopping) metrics.refused("stopping")
    if (isInternal(error)) this.#context.log.failed("A request failed before it was evaluated", error)
    sink.fail(error)
    metrics.answered(client.transport, operationName(op), sink.status, 0)
  }

  release(client: Client): void {
    for (const evaluation of [...client.active]) evaluation.abandon()
    this.#context.sessions.release(client)
  }

  *running(): Iterable<Evaluation> {
    for (const client of this.#clients) yield* client.active
  }

  #evaluate(message: RequestMessage, user: User, client: Client, sink: AnsweringSink, inSession: boolean): void {
    const { authorization, evaluator, log, names, pool, sessions, settings } = this.#context
    // Under overload most requests end here: it must cost next to nothing.
    if (!inSession && pool.refuses()) {
      this.refuse(this.#poolFull, message.op, client, sink)
      return
    }
    const asked = readEvaluation(message, user, client.transport, settings)
    const request = authorization === null ? asked : this.#admitted(authorization, asked, client, sink)
    const blocked = this.#context.refusal?.(request)
    if (blocked !== undefined) throw blocked
    const session = inSession ? sessions.open(readSessionName(message), client, user, answerToLoss(request)) : null
    const releaseName = message.args.isNamed ? names.take(message.requestId, this.running()) : undefined
    const endsIfFailed = session === null || this.#survivesFailure(message) ? null : session
    const evaluation = evaluator.evaluation(request, sink, session, (ended) => {
      releaseName?.()
      this.#answered(ended, client, sink)
      // Nothing of a refused request has run: its client may send it again in the same session.
      const hasFailed = sink.status >= 400 && sink.status !== StatusCode.TOO_MANY_REQUESTS
      if (endsIfFailed !== null && hasFailed) sessions.drop(endsIfFailed)
    })
    this.active++
    if (settings.enableAuditLog) log.audit(evaluation, client.remoteAddress)
    if (client.active.size === 0) this.#clients.add(client)
    client.active.add(evaluation)
    const accepted = session === null ? pool.submit(evaluation) : sessions.submit(session, evaluation)
    if (accepted) evaluation.submitted()
    else evaluation.cancel(session === null ? this.#refusedByPool() : this.#sessionFull(session))
  }

  #admitted(
    authorization: Authorization,
    request: EvaluationRequest,
    client: Client,
    sink: AnsweringSink
  ): EvaluationRequest {
    try {
      const admitted = authorization.admit(request.user, request)
      // An authorizer that makes a new request may not know of reports. The traversal must not run in place of its explanation.
      return admitted.report === request.report ? admitted : { ...admitted, report: request.report ?? null }
    } catch (error) {
      const { evaluator, log, settings } = this.#context
      if (settings.enableAuditLog) {
        log.refused(
          evaluator.evaluation(request, sink, null, () => {}),
          client.remoteAddress
        )
      }
      throw error
    }
  }

  /** With UnifiedChannelizer, the request decides. Drivers of Java always send false, so the other channelizers ignore it. */
  #survivesFailure({ args }: RequestMessage): boolean {
    const asked = args.maintainStateAfterException
    return this.#context.settings.channelizer !== "UnifiedChannelizer" || asked === true || asked === "true"
  }

  /** Ends a session after its waiting requests, or at once with `force`. Succeeds if the session does not exist. */
  #close(message: RequestMessage, user: User, client: Client, sink: AnsweringSink): void {
    const arrived = performance.now()
    const { sessions } = this.#context
    const name = readSessionName(message)
    const session = sessions.find(name, client, user)
    const answer = (error: Error | null): void => {
      if (error === null) sink.complete()
      else {
        if (isInternal(error)) this.#context.log.failed("A session could not be closed", error)
        sink.fail(error)
      }
      this.#context.metrics.answered(client.transport, "close", sink.status, (performance.now() - arrived) / 1000)
    }
    if (session === undefined || message.args.force === true) {
      if (session === undefined) sessions.forget(name, client, user)
      else this.#end(session, sink)
      answer(null)
      return
    }
    // The close follows the requests before it.
    const task = new ClosingTask(message.requestId, (error) => {
      this.#end(session, sink)
      // Another request may have ended the session already, which counts as success.
      answer(error instanceof SessionEnded ? null : error)
      this.active--
      client.closing--
      if (this.#stopping) this.#checkIdle()
    })
    this.active++
    client.closing++
    if (sessions.submit(session, task)) return
    // The queue is full of other requests, and of a close.
    this.active--
    client.closing--
    answer(this.#sessionFull(session))
  }

  /** Ends a session, and warns the client of uncommitted changes. */
  #end(session: Session, sink: AnsweringSink): void {
    const lost = session.transactions.changed().map(({ name }) => `'${name}'`)
    this.#context.sessions.end(session)
    if (lost.length === 0) return
    sink.warn(
      `The session '${session.id}' was closed with uncommitted changes of the graph ${lost.join(" and of ")}. ` +
        "They are rolled back."
    )
  }

  #answered(evaluation: Evaluation, client: Client, sink: AnsweringSink): void {
    this.active--
    client.active.delete(evaluation)
    if (client.active.size === 0) this.#clients.delete(client)
    const { log, metrics, settings } = this.#context
    const elapsed = evaluation.elapsed
    const op = typeof evaluation.request.gremlin === "string" ? "eval" : "bytecode"
    metrics.answered(client.transport, op, sink.status, elapsed / 1000)
    if (elapsed >= this.slow.threshold) this.slow.add(evaluation, sink.status, Date.now())
    if (settings.enableAuditLog && (sink.status === 401 || sink.status === 403)) {
      log.refused(evaluation, client.remoteAddress)
    }
    if (this.#stopping) this.#checkIdle()
  }

  #checkIdle(): void {
    if (this.active > 0) return
    const onIdle = this.#onIdle
    this.#onIdle = null
    onIdle?.()
  }

  #refusedByPool(): TooManyRequests {
    this.#context.metrics.refused("pool")
    return this.#poolFull
  }

  #sessionFull(session: Session): TooManyRequests {
    this.#context.metrics.refused("session")
    return new TooManyRequests(
      `Rate limiting: ${this.#context.settings.maxSessionTaskQueueSize} requests are waiting in the session ` +
        `'${session.id}', which is all that maxSessionTaskQueueSize allows. Wait for answers before sending more.`
    )
  }
}

/** The dispatcher of the server. */
export const layer: Layer.Layer<
  Dispatcher,
  never,
  Authorizer | Config | Evaluator | Metrics | RequestLog | RequestPool | Sessions
> = Layer.effect(
  Dispatcher,
  Effect.gen(function* () {
    const dispatcher = new RequestDispatcher({
      settings: yield* Config,
      pool: yield* RequestPool,
      sessions: yield* Sessions,
      evaluator: yield* Evaluator,
      authorization: yield* Authorizer,
      metrics: yield* Metrics,
      log: yield* RequestLog,
      names: new NamedRequests(Option.getOrUndefined(yield* Effect.serviceOption(SharedState))?.requests),
      refusal: Option.getOrUndefined(yield* Effect.serviceOption(WorkerProcess))?.refusal
    })
    return {
      dispatch: (message, user, client, sink) => dispatcher.dispatch(message, user, client, sink),
      refuse: (error, op, client, sink) => dispatcher.refuse(error, op, client, sink),
      release: (client) => dispatcher.release(client),
      inTransaction: (yield* Sessions).inTransaction,
      stop: (onIdle) => dispatcher.stop(onIdle),
      stopping: () => dispatcher.stopping,
      active: () => dispatcher.active,
      running: () => dispatcher.running(),
      slow: () => dispatcher.slow.list(Date.now())
    }
  })
)
