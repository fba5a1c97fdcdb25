/** A duration as text, in milliseconds or seconds. */
export const durationOf = (milliseconds: number): string => {
  if (milliseconds < 10) return `${milliseconds.toFixed(2)} ms`
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  return `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`
}

/** A character that XML 1.0 cannot hold, not even as a reference. */
const NO_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

/** Whether XML can hold a text. */
export const isXmlText = (text: string): boolean => !NO_XML.test(text)

/**
 * A text as XML has it. A character that XML cannot hold becomes the replacement character. Line ends are references: readers change
 * others.
 */
export const escaped = (text: string): string =>
  text
    .replace(/[<>&"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(new RegExp(NO_XML, "gu"), "\ufffd")

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
