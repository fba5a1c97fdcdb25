import { Property } from "../../../structure/elements/Element.ts"

/** A missing property, as Java's Property.empty(). */
export const ABSENT_PROPERTY = new Property(null, "", undefined)
