/** A duration as text, in milliseconds or seconds. */
export const durationOf = (milliseconds: number): string => {
  if (milliseconds < 10) return `${milliseconds.toFixed(2)} ms`
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  return `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`
}

/** Offers a file to the user. */
export const download = (name: string, type: string, content: BlobPart): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
