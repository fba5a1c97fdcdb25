// Loaded lazily through this module: in a bundle, import() of the package itself has no names.
export { errno, load, view } from "koffi"
