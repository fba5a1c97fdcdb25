import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import { removeCompacted } from "./Compaction.ts"
import type { Flush } from "./Completion.ts"
import { lockDirectory } from "./DirectoryLock.ts"
import { Environment } from "./Environment.ts"
import { type LmdbOptions, makeFolder } from "./GraphFiles.ts"
import { GroupCommit } from "./GroupCommit.ts"
import { removeHandedFiles } from "./handover/HandedFile.ts"
import { Handover } from "./handover/Handover.ts"
import { LmdbStore, type StoreFiles } from "./LmdbStore.ts"
import { LOCK } from "./LockFile.ts"
import { reportedLockWait } from "./LockWait.ts"
import { announceOpening } from "./Opening.ts"
import type { OpeningLimits } from "./OpeningWait.ts"
import { alsoAtExit, watchExit } from "./ProcessEnd.ts"
import { refuseSameProcessId } from "./SameProcessId.ts"
import { removeUnfinished } from "./UnfinishedFiles.ts"
import { awaitWriteMutex, interruptibly } from "./WriteMutex.ts"

/** The parameters of {@link openLmdbStore}. */
export interface LmdbStoreOptions extends LmdbOptions, StoreFiles {
  /** Awaited before commits complete, in addition to lmdb's own sync. */
  readonly flush?: Flush
  /** Called once when no more commits are accepted. */
  readonly onFailure?: (failure: StorageFailure) => void
  /** Default 10,000: milliseconds after which commits that wait for another process are reported. */
  readonly notice?: number
  /** How long commits wait for another process that opens the files. */
  readonly openingLimits?: OpeningLimits | undefined
  /** Milliseconds that a sync takes at least to be shared with other processes. */
  readonly slowSync?: number
  /** Ends the wait for locks: the call fails with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Opens the store in a folder, which is created if necessary. Fails with StorageFailure when the folder cannot be used,
 * another server uses it, its format is unknown, or another process holds lmdb's write mutex for a minute.
 */
export const openLmdbStore = async (options: LmdbStoreOptions): Promise<LmdbStore> => {
  const { directory, flush, onFailure = () => undefined, onWait = () => undefined, readOnly, signal } = options
  const { server = randomUUID() } = options
  makeFolder(options)
  let commits: GroupCommit | undefined
  const lost = (): void => {
    // A graph in memory goes on when the system cleans the folder of temporary files. No other server takes this folder.
    if (!options.temporary) commits?.stop(lostFolder(directory))
  }
  const { release } = readOnly
    ? { release: () => undefined }
    : await lockDirectory({ directory, server, isShared: options.server !== undefined, onLost: lost, onWait, signal })
  const remove = removedFolder(options)
  const leave = (): void => {
    release()
    remove()
  }
  let opened: (() => void) | undefined
  try {
    opened = await announceOpening(directory, signal, onWait)
    await awaitWriteMutex(directory, onWait, signal)
    if (!options.temporary) await refuseSameProcessId(directory)
    if (!readOnly) {
      removeCompacted(directory)
      removeHandedFiles(directory)
      removeUnfinished(directory)
    }
    const isShared = options.server !== undefined
    const open = (): Environment => {
      const first = new Environment(options)
      try {
        // A second handle needs the write mutex when it is opened, and then blocks the event loop while another process has it. The
        // folder of a graph in memory may not be there later.
        if ((isShared || options.temporary) && !readOnly) first.second()
        // The first read takes lmdb's lock for this process, which the next one that opens the files looks for.
        first.state()
      } catch (cause) {
        void first.close()
        throw cause
      }
      return first
    }
    const environment = readOnly ? open() : interruptibly(directory, open)
    opened()
    if (isShared) await environment.watchCommits()
    const lockWait = reportedLockWait({ directory, server: options.server, onWait, notice: options.notice })
    // A flush is for the commits of this process only.
    const shares = isShared && flush === undefined && !readOnly
    const handover = shares ? new Handover(environment, { directory, server, slowSync: options.slowSync }) : undefined
    const { openingLimits } = options
    const group = new GroupCommit(environment, {
      directory,
      flush,
      isShared,
      handover,
      lockWait,
      openingLimits,
      onFailure
    })
    commits = group
    const unwatch = watchExit(() => group.isBusy)
    return new LmdbStore(environment, group, options, () => {
      unwatch()
      handover?.close()
      leave()
    })
  } catch (cause) {
    opened?.()
    leave()
    throw cause
  }
}

/** Returns a function that removes a temporary folder. An exit of the process does so, too. */
const removedFolder = ({ directory, temporary = false }: LmdbStoreOptions): (() => void) => {
  if (!temporary) return () => undefined
  return alsoAtExit(() => rmSync(directory, { recursive: true, force: true }))
}

const lostFolder = (directory: string): StorageFailure =>
  new StorageFailure(
    `The folder ${directory} was taken by another server, or its file ${LOCK} was removed: this server writes no more to ` +
      "it. Stop one of the two servers."
  )
