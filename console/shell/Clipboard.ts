/**
 * Copies a text. Browsers have a clipboard for pages of https and of this machine only; on other pages the text is selected and
 * copied as a person does it. Returns whether it was copied.
 */
export const copy = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

const copySelected = (text: string): boolean => {
  const focused = document.activeElement
  const field = document.createElement("textarea")
  field.value = text
  field.setAttribute("aria-hidden", "true")
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand("copy")
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
