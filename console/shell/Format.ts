/** A duration as text, in milliseconds or seconds. */
export const durationOf = (milliseconds: number): string => {
  if (milliseconds < 10) return `${milliseconds.toFixed(2)} ms`
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  return `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`
}

/** A text as XML has it. Characters that XML cannot have are left out. */
export const escaped = (text: string): string =>
  text
    .replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")

/** Offers a file to the user. */
export const download = (name: string, type: string, content: BlobPart): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Lets other tasks of the page run. Long work calls it between its parts. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
