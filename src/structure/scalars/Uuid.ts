/** A UUID in canonical lower-case text form. */
export class Uuid {
  readonly text: string
  constructor(text: string) {
    this.text = text.toLowerCase()
  }
}

const uuidForm = /^([0-9a-f]{1,8})-([0-9a-f]{1,4})-([0-9a-f]{1,4})-([0-9a-f]{1,4})-([0-9a-f]{1,12})$/i

/** The UUID of a text; undefined for another text. As in Java, each part may have fewer digits: `1-2-3-4-5`. */
export const uuidOfText = (text: string): Uuid | undefined => {
  const [, ...parts] = uuidForm.exec(text) ?? []
  const lengths = [8, 4, 4, 4, 12]
  return parts.length === 0 ? undefined : new Uuid(parts.map((part, at) => part.padStart(lengths[at]!, "0")).join("-"))
}
