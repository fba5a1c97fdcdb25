/** Names that a worker has, of which another worker can have none. */
export interface SharedNames {
  /** Takes a name. `elsewhere`: another worker has it. `full`: there is no room for further names. */
  readonly take: (name: string) => "taken" | "elsewhere" | "full"
  /** Gives a name back. */
  readonly giveBack: (name: string) => void
  /** Whether another worker has the name. */
  readonly isElsewhere: (name: string) => boolean
}

/** How the opening of a session ended. `full`: there are as many as allowed. `crowded`: there is no room for further names. */
export type SessionOpening = "opened" | "elsewhere" | "full" | "crowded"

/** The sessions of the whole server. */
export interface SharedSessions {
  /**
   * Takes a name and one of the server's `bound` places. `elsewhere`: another worker has a session of this name. `full`: all
   * workers together have that many sessions.
   */
  readonly open: (id: string, bound: number) => SessionOpening
  readonly close: (id: string) => void
  /** Whether another worker has a session of this name. */
  readonly isElsewhere: (id: string) => boolean
  /** Open sessions of all workers. */
  readonly total: () => number
}
