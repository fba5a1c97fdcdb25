import { linkSync } from "node:fs"
import { dirname } from "node:path"
import { reasonOf } from "../../structure/errors/Reason.ts"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"

/** What link() fails with on a file system without hard links: FAT, exFAT and vboxsf; SMB; file systems of other programs. */
export const NO_HARD_LINKS: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])

/**
 * Gives a file of this process a second name, as link() does. Throws the error of the system, or StorageFailure if the file system has no
 * hard links: it then is none for a graph, whatever the user may write.
 */
export const makeLink = (file: string, name: string): void => {
  try {
    linkSync(file, name)
  } catch (cause) {
    if (!NO_HARD_LINKS.has((cause as NodeJS.ErrnoException).code)) throw cause
    throw new StorageFailure(
      `The file system of ${dirname(name)} has no hard links (${reasonOf(cause)}), by which only one server opens a graph. ` +
        "Keep the graph on a file system of a disk, such as ext4, XFS or APFS, and not on a share of SMB (Azure Files), a shared folder " +
        "of VirtualBox, FAT or exFAT.",
      { cause }
    )
  }
}
