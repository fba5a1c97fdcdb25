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
 * Exceptions that no script throws here, by package: all others of the packages that Groovy imports, and two of JanusGraph. A clause that
 * catches one is written for other programs and does no harm.
 */
const foreign: { readonly [owner: string]: string } = {
  "groovy.lang":
    "ClosureException DeprecationException IllegalPropertyAccessException IncorrectClosureArgumentsException " +
    "MissingClassException MissingFieldException ReadOnlyPropertyException SpreadListEvaluatingException " +
    "SpreadMapEvaluatingException StringWriterIOException",
  "groovy.util": "ResourceException ScriptException",
  "java.io":
    "CharConversionException EOFException IOError InterruptedIOException InvalidClassException InvalidObjectException " +
    "NotActiveException NotSerializableException ObjectStreamException OptionalDataException StreamCorruptedException " +
    "SyncFailedException UTFDataFormatException UnsupportedEncodingException WriteAbortedException",
  "java.lang":
    "AbstractMethodError ArrayStoreException BootstrapMethodError ClassCircularityError ClassFormatError " +
    "ClassNotFoundException CloneNotSupportedException EnumConstantNotPresentException ExceptionInInitializerError " +
    "IllegalAccessError IllegalAccessException IllegalCallerException IllegalMonitorStateException " +
    "IllegalThreadStateException IncompatibleClassChangeError InstantiationError InstantiationException InternalError " +
    "LayerInstantiationException LinkageError MatchException NegativeArraySizeException NoClassDefFoundError " +
    "NoSuchFieldError NoSuchFieldException NoSuchMethodError NoSuchMethodException OutOfMemoryError " +
    "ReflectiveOperationException ThreadDeath TypeNotPresentException UnknownError UnsatisfiedLinkError " +
    "UnsupportedClassVersionError VerifyError VirtualMachineError WrongThreadException",
  "java.net":
    "BindException ConnectException HttpRetryException MalformedURLException NoRouteToHostException " +
    "PortUnreachableException ProtocolException SocketException SocketTimeoutException URISyntaxException " +
    "UnknownHostException UnknownServiceException",
  "java.util":
    "DuplicateFormatFlagsException EmptyStackException FormatFlagsConversionMismatchException " +
    "FormatterClosedException IllegalFormatArgumentIndexException IllegalFormatCodePointException " +
    "IllegalFormatFlagsException IllegalFormatPrecisionException IllegalFormatWidthException IllformedLocaleException " +
    "InputMismatchException InvalidPropertiesFormatException MissingFormatWidthException MissingResourceException " +
    "ServiceConfigurationError TooManyListenersException UnknownFormatFlagsException",
  "org.janusgraph.core": "JanusGraphConfigurationException ReadOnlyTransactionException"
}

const foreignNames: ReadonlySet<string> = new Set(Object.values(foreign).flatMap((names) => names.split(" ")))

/** True for an exception with this package that only other programs throw: an import of it is for a clause that catches it. */
export const isForeignException = (owner: string, name: string): boolean =>
  Object.hasOwn(foreign, owner) && foreign[owner]!.split(" ").includes(name)

/** True for a package of exceptions that only other programs throw. */
export const isForeignPackage = (owner: string): boolean => Object.hasOwn(foreign, owner)

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
