import { closest } from "../../structure/characters/Spelling.ts"
import { lastPart } from "../../structure/scalars/ClassNames.ts"

/** Exceptions that scripts throw, catch and construct, with the one that each extends; empty for the first. */
export const exceptionParents: { readonly [name: string]: string } = {
  Throwable: "",
  Error: "Throwable",
  AssertionError: "Error",
  StackOverflowError: "Error",
  Exception: "Throwable",
  RuntimeException: "Exception",
  ArithmeticException: "RuntimeException",
  ClassCastException: "RuntimeException",
  GroovyCastException: "ClassCastException",
  GroovyRuntimeException: "RuntimeException",
  IllegalArgumentException: "RuntimeException",
  NumberFormatException: "IllegalArgumentException",
  IllegalFormatException: "IllegalArgumentException",
  IllegalFormatConversionException: "IllegalFormatException",
  MissingFormatArgumentException: "IllegalFormatException",
  UnknownFormatConversionException: "IllegalFormatException",
  IllegalStateException: "RuntimeException",
  IndexOutOfBoundsException: "RuntimeException",
  JsonException: "GroovyRuntimeException",
  ArrayIndexOutOfBoundsException: "IndexOutOfBoundsException",
  StringIndexOutOfBoundsException: "IndexOutOfBoundsException",
  DateTimeException: "RuntimeException",
  DateTimeParseException: "DateTimeException",
  UnsupportedTemporalTypeException: "DateTimeException",
  ParseException: "Exception",
  MissingPropertyException: "GroovyRuntimeException",
  MissingMethodException: "GroovyRuntimeException",
  NoSuchElementException: "RuntimeException",
  FastNoSuchElementException: "NoSuchElementException",
  NullPointerException: "RuntimeException",
  UnsupportedOperationException: "RuntimeException",
  ConcurrentModificationException: "RuntimeException",
  TransactionException: "RuntimeException",
  VerificationException: "IllegalStateException",
  InterruptedException: "Exception",
  TimeoutException: "Exception",
  CancellationException: "IllegalStateException",
  ExecutionException: "Exception",
  IOException: "Exception",
  FileNotFoundException: "IOException",
  UncheckedIOException: "RuntimeException",
  SecurityException: "RuntimeException",
  JanusGraphException: "RuntimeException",
  InvalidElementException: "JanusGraphException",
  InvalidIDException: "JanusGraphException",
  QueryException: "JanusGraphException",
  SchemaViolationException: "JanusGraphException",
  BackendException: "Exception",
  PermanentBackendException: "BackendException",
  TemporaryBackendException: "BackendException",
  PermanentLockingException: "PermanentBackendException",
  TemporaryLockingException: "TemporaryBackendException"
}

/**
 * Exceptions of the packages that Groovy imports, which no script throws here. A clause that catches one is written for other programs
 * and does no harm.
 */
const foreignNames: ReadonlySet<string> = new Set(
  (
    "ArrayStoreException BindException ClassNotFoundException CloneNotSupportedException ConnectException EOFException " +
    "EmptyStackException EnumConstantNotPresentException ExceptionInInitializerError IOError IllegalAccessException " +
    "IllegalMonitorStateException IllegalThreadStateException " +
    "IncorrectClosureArgumentsException InputMismatchException InstantiationException InternalError " +
    "InterruptedIOException InvalidPropertiesFormatException LinkageError MalformedURLException MissingClassException " +
    "MissingFieldException MissingResourceException NegativeArraySizeException " +
    "NoClassDefFoundError NoRouteToHostException NoSuchFieldError NoSuchFieldException NoSuchMethodError " +
    "NoSuchMethodException NotSerializableException ObjectStreamException OutOfMemoryError ProtocolException " +
    "ReadOnlyPropertyException ReflectiveOperationException ResourceException ScriptException SocketException " +
    "SocketTimeoutException TypeNotPresentException URISyntaxException " +
    "UnknownHostException UnsatisfiedLinkError UnsupportedEncodingException VerifyError VirtualMachineError"
  ).split(" ")
)

/** A name with a package of other programs, such as `java.sql.SQLException`. */
const FOREIGN = /^(?!org\.(?:janusgraph|apache\.tinkerpop)\.)[a-z].*\.[A-Z]\w*(?:Exception|Error)$/

/** The error text for a type that a catch clause names; undefined for one that it may name. `def` stands for every type. */
export const problemOfCaught = (written: string): string | undefined => {
  const name = lastPart(written)
  if (name === "def" || Object.hasOwn(exceptionParents, name) || foreignNames.has(name) || FOREIGN.test(written))
    return undefined
  const every = "catch (Exception e) catches every exception of a script"
  const near = closest(name, Object.keys(exceptionParents))
  if (near !== undefined) return `scripts throw no ${name}. Did you mean ${near}? ${every}`
  return /(?:Exception|Error|Throwable)$/.test(name)
    ? `scripts throw no ${name}, so this clause would never run: ${every}`
    : `${name} is no exception: ${every}`
}
