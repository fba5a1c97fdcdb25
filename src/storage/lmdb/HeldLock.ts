import { closeSync, rmSync, writeSync } from "node:fs"
import { create, type Holder, holderIn, joinLock, LOCK, type OpenLock, put, read } from "./LockFile.ts"
import { atExit } from "./ProcessEnd.ts"
import { changeLeft, type Replacement } from "./Replacement.ts"
import { hasEnded, processesOf, type ServerProcess } from "./ServerProcesses.ts"

/** A lock of this process. */
export interface HeldLock {
  /** Removes the lock file, unless another server has replaced it or another process of this server needs it. */
  readonly release: () => void
}

/** How a lock is held. */
interface Holding {
  /** Milliseconds between two renewals. */
  readonly renewal: number
  readonly onLost: () => void
  readonly own: Holder
  /** Removes the note of this process; undefined for a server of one process. */
  readonly forget: (() => void) | undefined
}

/**
 * Renews a lock until it is released. The file of the moment is renewed: another process of this server may have replaced the one that was
 * there before. The lock of another server is never written.
 */
export const hold = (directory: string, text: string, { forget, onLost, own, renewal }: Holding): HeldLock => {
  const path = `${directory}/${LOCK}`
  const isShared = forget !== undefined
  const isOwn = (found: string): boolean => (isShared ? holderIn(found)?.server === own.server : found === text)
  /** Renews the lock. False when it belongs to another server. */
  const renew = (): boolean => {
    const lock = joinLock(path) ?? (isShared ? made(path, own) : undefined)
    if (lock === undefined) return false
    try {
      if (!isOwn(lock.text)) return false
      if (isShared && isOfEnded(lock.text, own)) handOver(path, own)
      // Writing the same text makes the file system set the time with its own clock.
      else writeSync(lock.file, lock.text, 0)
      return true
    } finally {
      closeSync(lock.file)
    }
  }
  const timer = setInterval(() => {
    let isHeld = true
    try {
      isHeld = renew()
    } catch {
      // The folder cannot be read or written at the moment. Commits report that error.
    }
    if (isHeld) return
    clearInterval(timer)
    onLost()
  }, renewal)
  timer.unref()
  let isReleased = false
  const release = (): void => {
    if (isReleased) return
    isReleased = true
    clearInterval(timer)
    unwatch()
    forget?.()
    leave(directory, own, isOwn, isShared)
  }
  const unwatch = atExit(release)
  return { release }
}

/**
 * Removes the lock, or makes it name another process of this server. Looks again after each change: another process may have ended since,
 * and relied on this one, or may have begun with the lock that was removed.
 */
const leave = (directory: string, own: Holder, isOwn: (found: string) => boolean, isShared: boolean): void => {
  const path = `${directory}/${LOCK}`
  let hasRemoved = false
  for (;;) {
    const found = readable(path)
    if (found !== undefined && !isOwn(found)) return
    const others = isShared ? othersOf(directory, own) : []
    if (others === undefined) return
    const [next] = others
    if (next === undefined) {
      if (found === undefined) return
      const removed = altered(path, found, own, () => rmSync(path, { force: true }))
      if (removed === "busy") return
      hasRemoved ||= removed === "done"
    } else if (found === undefined) {
      if (hasRemoved) giveBack(path, { ...next, since: own.since })
      return
    } else {
      if (!needsOther(found, own, others)) return
      let isWritten = true
      const changed = altered(path, found, own, () => {
        isWritten = handOver(path, { ...next, since: own.since })
      })
      if (changed === "busy" || !isWritten) return
    }
  }
}

/**
 * Changes the lock of this server. If the lock names a process that has ended, another server may be about to take it. It then stays as it
 * is ("busy") when another process changes a file, or the folder cannot be written. It does no harm, because others may take it.
 */
const altered = (path: string, found: string, own: Holder, change: () => void): Replacement => {
  if (isOfEnded(found, own)) {
    try {
      return changeLeft(path, found, change)
    } catch {
      return "busy"
    }
  }
  change()
  return "done"
}

/** Creates a lock again that another process of this server uses. If it fails, that process does it with its next renewal. */
const giveBack = (path: string, to: Holder): void => {
  try {
    const { file } = create(path, `${JSON.stringify(to)}\n`)
    if (file !== undefined) closeSync(file)
  } catch {
    // The folder cannot be written at the moment.
  }
}

/** True when a lock names this process, or one that has ended, and none of the others. */
const needsOther = (found: string, own: Holder, others: ReadonlyArray<ServerProcess>): boolean => {
  const holder = holderIn(found)
  if (others.some(({ pid, started }) => pid === holder?.pid && started === holder.started)) return false
  return holder?.pid === own.pid || isOfEnded(found, own)
}

/** The text of a lock; undefined when there is none, or it cannot be read. */
const readable = (path: string): string | undefined => {
  try {
    return read(path)
  } catch {
    return undefined
  }
}

/** The other processes of this server that have the folder open; undefined when the folder cannot be read. */
const othersOf = (directory: string, own: Holder): ReadonlyArray<ServerProcess> | undefined => {
  try {
    return processesOf(directory, own.server, own).map(({ state: _, ...process }) => process)
  } catch {
    return undefined
  }
}

/** True when the process that a lock names has ended. A server that reads only the lock would take the folder. */
const isOfEnded = (text: string, own: Holder): boolean => {
  const holder = holderIn(text)
  return holder !== undefined && hasEnded(holder, own)
}

/** Makes the lock name another process of this server. False when the folder cannot be written. */
const handOver = (path: string, to: Holder): boolean => {
  try {
    put(path, `${JSON.stringify(to)}\n`)
    return true
  } catch {
    return false
  }
}

/**
 * Creates the lock again that another process of this server has removed, because it did not know of this process yet. Undefined when
 * another process has removed it once more.
 */
const made = (path: string, own: Holder): OpenLock | undefined => {
  const text = `${JSON.stringify(own)}\n`
  const { file } = create(path, text)
  return file === undefined ? joinLock(path) : { file, text }
}
