/** The part of a dotted name after its last dot. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1)

/** The name of a Java class without its packages and enclosing classes. */
export const simpleName = (className: string): string => {
  const name = lastPart(className)
  return name.slice(name.lastIndexOf("$") + 1)
}
