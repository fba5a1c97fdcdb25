import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { RequestMessage } from "../../../protocol/Messages.ts"
import { anonymous, type SaslExchange, UncheckedCredentials, type User } from "../../../services/Authenticator.ts"
import type { Client } from "../../../services/Dispatcher.ts"
import { InvalidRequestArguments, Unauthorized } from "../../../services/Errors.ts"
import {
  authenticationError,
  notAsked,
  notInTime,
  otherUser,
  tooManyAnswers,
  tooManyWait
} from "../shared/AuthenticationErrors.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import type { WebSocketSink } from "./WebSocketSink.ts"

/** Requests that may wait for the authentication. Their total size is limited by maxContentLength. */
const MAX_PARKED_REQUESTS = 64

/**
 * Answers of one connection to the challenge that may be wrong: as many as a person mistypes. A client that guesses passwords must open
 * connections, which proxies and their limits see.
 */
const MAX_WRONG_ANSWERS = 5

/**
 * Answers of one connection that may be refused because a limit is used up. A driver with the right password repeats its request some
 * times. More attempts would be guesses, because the password of a user who was here before is accepted above the limits, too.
 */
const MAX_UNCHECKED_ANSWERS = 20

/** A request that waits for the authentication. */
interface Parked {
  readonly message: RequestMessage
  readonly sink: WebSocketSink
}

/** The SASL exchange of a connection that has not authenticated yet. */
interface Handshake {
  readonly exchange: SaslExchange
  readonly parked: Array<Parked>
  /** The client was asked to authenticate for the first of the parked requests. */
  isAsked: boolean
  /** Bytes of their messages as they arrived. */
  parkedBytes: number
  /** Memory of their messages. Of a list of small values it is many times the bytes that arrived. */
  heldBytes: number
  /** Answers to the challenge that are being checked. The time limit does not run during these checks. */
  checking: number
  /** The time limit passed during a check. */
  late: boolean
  readonly timer: NodeJS.Timeout
}

/** The connection, as its admission uses it. */
interface AdmittedConnection {
  readonly isOpen: () => boolean
  /** Called with the memory of the messages that wait for the authentication, in bytes, each time it changes. */
  readonly parks: (bytes: number) => void
  /** Closes the connection after too many wrong answers. */
  readonly hangUp: () => void
}

/**
 * The response to an `authentication` message that answers no challenge. The answer to a challenge gets no response of its own: the server
 * answers the requests that waited for it. Drivers send this answer under the id of such a request, which a response would end, or under a
 * new id, for which they expect none.
 */
interface Reply {
  /** The id of the message. */
  readonly requestId: string
  readonly accept: () => void
  readonly refuse: (error: unknown) => void
}

/** The user of a WebSocket. Requests wait until the client has authenticated. */
export class WebSocketAdmission {
  readonly #context: TransportContext
  readonly #client: Client
  readonly #connection: AdmittedConnection
  /** Null until the client has authenticated. */
  #user: User | null
  #handshake: Handshake | null = null
  /** Wrong answers since the connection was opened, or the client has authenticated. */
  #wrong = 0
  /** Answers that no password was compared with, since then. */
  #unchecked = 0
  /** Answers of all handshakes that are being checked. */
  #checking = 0
  /** Challenges without an answer. The next answers belong to them, also when their requests have been answered meanwhile. */
  #unanswered = 0

  constructor(context: TransportContext, client: Client, connection: AdmittedConnection) {
    this.#context = context
    this.#client = client
    this.#connection = connection
    this.#user = context.authenticator.required ? null : anonymous
  }

  /** True when no request waits for the authentication, and no password is being checked. */
  get isIdle(): boolean {
    return this.#handshake === null || (this.#handshake.parked.length === 0 && this.#handshake.checking === 0)
  }

  /** Passes a request to the dispatcher: at once, or when the client has authenticated. */
  dispatch(message: RequestMessage, bytes: number, sink: WebSocketSink): void {
    const user = this.#current()
    if (user === null) this.#park(message, bytes, sink)
    else this.#context.dispatcher.dispatch(message, user, this.#client, sink)
  }

  /** The user of the connection. One who was removed, or whose password was changed, must authenticate again. */
  #current(): User | null {
    if (this.#user !== null && !this.#context.authenticator.isCurrent(this.#user)) this.#user = null
    return this.#user
  }

  #park(message: RequestMessage, bytes: number, sink: WebSocketSink): void {
    const handshake = this.#handshake ?? this.#beginHandshake()
    handshake.parkedBytes += bytes
    if (
      handshake.parked.length >= MAX_PARKED_REQUESTS ||
      handshake.parkedBytes > this.#context.settings.maxContentLength
    ) {
      handshake.parkedBytes -= bytes
      const error = tooManyWait(MAX_PARKED_REQUESTS, this.#context.settings.maxContentLength)
      this.#context.dispatcher.refuse(error, message.op, this.#client, sink)
      return
    }
    handshake.parked.push({ message, sink })
    handshake.heldBytes += Math.max(bytes, message.heldBytes)
    this.#countParked()
    this.#ask(handshake)
  }

  /** Asks the client to authenticate. A client whose credentials are being checked is not asked: its next answer would not be needed. */
  #ask(handshake: Handshake): void {
    const [first] = handshake.parked
    if (first === undefined || handshake.isAsked || handshake.checking > 0) return
    handshake.isAsked = true
    this.#unanswered++
    first.sink.challenge()
  }

  #countParked(): void {
    this.#connection.parks(this.#handshake?.heldBytes ?? 0)
  }

  #beginHandshake(): Handshake {
    const handshake: Handshake = {
      exchange: this.#context.authenticator.sasl(this.#client.remoteAddress),
      parked: [],
      isAsked: false,
      parkedBytes: 0,
      heldBytes: 0,
      checking: 0,
      late: false,
      timer: setTimeout(() => {
        if (handshake.checking > 0) handshake.late = true
        else this.#timeOut(handshake)
      }, this.#context.settings.authentication.authenticationTimeout)
    }
    this.#handshake = handshake
    return handshake
  }

  #timeOut(handshake: Handshake): void {
    if (this.#handshake === handshake) this.#handshake = null
    const { authenticationTimeout } = this.#context.settings.authentication
    this.#refuseParked(handshake, notInTime(authenticationTimeout))
  }

  #refuseParked(handshake: Handshake, error: Error): void {
    handshake.isAsked = false
    handshake.parkedBytes = 0
    handshake.heldBytes = 0
    this.#countParked()
    for (const { message, sink } of handshake.parked.splice(0)) {
      this.#context.dispatcher.refuse(error, message.op, this.#client, sink)
    }
  }

  /** Handles an answer to the challenge, or a client that authenticates before the challenge. */
  authenticate({ args }: RequestMessage, reply: Reply): void {
    if (!this.#isExpected(reply)) return
    const { sasl, saslMechanism } = args
    if (typeof sasl !== "string" && !(sasl instanceof Uint8Array)) {
      const reason = "An [authentication] message requires a [sasl] argument: Base64 text or bytes."
      this.#notChecked(new InvalidRequestArguments(reason), reply)
      return
    }
    // Many answers at once must not be more guesses than many answers after one another.
    if (this.#wrong + this.#checking >= MAX_WRONG_ANSWERS) {
      this.#notChecked(tooManyAnswers(MAX_WRONG_ANSWERS), reply)
      return
    }
    const handshake = this.#handshake ?? this.#beginHandshake()
    const isAnswer = this.#takeAnswer()
    const mechanism = typeof saslMechanism === "string" ? saslMechanism : "PLAIN"
    const user = handshake.exchange.respond(mechanism, sasl)
    if (!Effect.isEffect(user)) {
      this.#authenticated(handshake, user, isAnswer, reply)
      return
    }
    handshake.checking++
    this.#checking++
    this.#context.runFork("An authentication over a WebSocket failed", user, (exit) => {
      handshake.checking--
      this.#checking--
      if (Exit.isSuccess(exit)) this.#authenticated(handshake, exit.value, isAnswer, reply)
      else this.#failed(handshake, authenticationError(exit.cause), isAnswer, reply)
    })
  }

  /** True if an `authentication` message is the answer to a challenge. Each challenge has one answer. */
  #takeAnswer(): boolean {
    if (this.#unanswered === 0) return false
    this.#unanswered--
    return true
  }

  /**
   * Whether the connection needs an `authentication` message. Refuses another one, but not the late answer to a challenge: its request is
   * under way or has been answered, and would fail at the client although it succeeds here.
   */
  #isExpected(reply: Reply): boolean {
    if (!this.#context.authenticator.required) {
      reply.refuse(notAsked())
      return false
    }
    const user = this.#current()
    if (user !== null && !this.#takeAnswer()) reply.refuse(otherUser(user))
    return user === null
  }

  /**
   * Refuses a message that is unreadable, or one too many. It is no answer to the challenge: the requests still wait for one. With the id
   * of one of them it ends this request at the client, which must then not begin here.
   */
  #notChecked(error: Error, reply: Reply): void {
    const handshake = this.#handshake
    if (handshake?.parked.some(({ message }) => message.requestId === reply.requestId)) {
      this.#takeAnswer()
      this.#refuseParked(handshake, error)
    } else reply.refuse(error)
  }

  #failed(handshake: Handshake, error: Error, isAnswer: boolean, reply: Reply): void {
    if (error instanceof InvalidRequestArguments) {
      if (isAnswer) this.#unanswered++
      this.#notChecked(error, reply)
    } else {
      if (!isAnswer) reply.refuse(error)
      this.#refuseParked(handshake, error)
    }
    if (handshake.late && handshake.checking === 0) this.#timeOut(handshake)
    else this.#ask(handshake)
    if (!(error instanceof Unauthorized)) return
    if (
      error instanceof UncheckedCredentials
        ? ++this.#unchecked >= MAX_UNCHECKED_ANSWERS
        : ++this.#wrong >= MAX_WRONG_ANSWERS
    )
      this.#connection.hangUp()
  }

  #authenticated(handshake: Handshake, user: User, isAnswer: boolean, reply: Reply): void {
    clearTimeout(handshake.timer)
    // The client may have closed the connection while its password was checked.
    if (!this.#connection.isOpen()) return
    // Another answer may have authenticated the client during the check. Its requests and sessions keep their user.
    const known = this.#current()
    if (known !== null) {
      if (isAnswer) return
      if (known.name === user.name) reply.accept()
      else reply.refuse(otherUser(known))
      return
    }
    // Another answer may have ended this handshake during the check. Then requests wait in the next handshake.
    const waiting = this.#handshake ?? handshake
    clearTimeout(waiting.timer)
    this.#handshake = null
    this.#countParked()
    this.#user = user
    this.#wrong = 0
    this.#unchecked = 0
    if (!isAnswer) reply.accept()
    for (const { message, sink } of waiting.parked.splice(0)) {
      this.#context.dispatcher.dispatch(message, user, this.#client, sink)
    }
  }

  /** The connection is closed. The check of an answer may refer to the handshake for seconds. */
  end(): void {
    clearTimeout(this.#handshake?.timer)
    this.#handshake?.parked.splice(0)
    this.#handshake = null
  }
}
