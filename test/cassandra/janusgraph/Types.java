import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphTransaction;
import org.janusgraph.core.PropertyKey;
import org.janusgraph.core.attribute.Geoshape;
import org.janusgraph.core.schema.JanusGraphManagement;

/**
 * A JanusGraph that writes values of every data type, and compares them with those that another program has written, see
 * {@link Requests}.
 */
public class Types {
  /** Values by the names of their types. The keys of arrays have no index. SharedTypes.test.ts has the same values. */
  private static final Map<String, Object[]> VALUES = new LinkedHashMap<>();

  static {
    VALUES.put("String", new Object[] {"", "a", "\u00e4\u20ac\ud83d\ude00\u0000\u007f", "x".repeat(20_000)});
    VALUES.put("Character", new Object[] {'a', '\u20ac', '\uffff'});
    VALUES.put("Boolean", new Object[] {true, false});
    VALUES.put("Byte", new Object[] {(byte) 0, Byte.MAX_VALUE, Byte.MIN_VALUE});
    VALUES.put("Short", new Object[] {(short) 0, Short.MAX_VALUE, Short.MIN_VALUE});
    VALUES.put("Integer", new Object[] {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE});
    VALUES.put("Long", new Object[] {0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE});
    VALUES.put("Float", new Object[] {0f, -1.5f, Float.MAX_VALUE, Float.MIN_VALUE, Float.NEGATIVE_INFINITY});
    VALUES.put("Double", new Object[] {0d, -1.5, Double.MAX_VALUE, Double.MIN_VALUE, Double.NEGATIVE_INFINITY});
    VALUES.put("Date", new Object[] {new Date(0), new Date(1_700_000_000_123L), new Date(-1)});
    VALUES.put("UUID", new Object[] {UUID.fromString("00000000-0000-0001-ffff-ffffffffffff")});
    VALUES.put("Instant", new Object[] {Instant.EPOCH, Instant.ofEpochSecond(1_700_000_000L, 123_456_789), Instant.ofEpochSecond(-2, 999)});
    VALUES.put("Duration", new Object[] {Duration.ZERO, Duration.ofSeconds(3, 5), Duration.ofSeconds(-3, 999_999_999)});
    VALUES.put("Geoshape", new Object[] {Geoshape.point(1.5, -2.25), Geoshape.circle(10, 20, 5), Geoshape.box(1, 2, 3, 4)});
    VALUES.put("byte[]", new Object[] {new byte[] {}, new byte[] {0, 127, -128}});
    VALUES.put("short[]", new Object[] {new short[] {}, new short[] {0, 32767, -32768}});
    VALUES.put("int[]", new Object[] {new int[] {}, new int[] {0, Integer.MAX_VALUE, Integer.MIN_VALUE}});
    VALUES.put("long[]", new Object[] {new long[] {}, new long[] {0, Long.MAX_VALUE, Long.MIN_VALUE}});
    VALUES.put("float[]", new Object[] {new float[] {}, new float[] {0, -1.5f, Float.MAX_VALUE}});
    VALUES.put("double[]", new Object[] {new double[] {}, new double[] {0, -1.5, Double.MAX_VALUE}});
    VALUES.put("char[]", new Object[] {new char[] {}, new char[] {'a', '\u20ac'}});
    VALUES.put("boolean[]", new Object[] {new boolean[] {}, new boolean[] {true, false}});
    VALUES.put("String[]", new Object[] {new String[] {}, new String[] {"a", "", "\u20ac"}});
  }

  private static String keyOf(String type) {
    return "of" + type.replace("[]", "Array");
  }

  /** Indexes have long strings as a compressor of the writer has left them: another program does not find them. */
  private static boolean isFound(String type, Object value) {
    return isIndexed(type) && !(value instanceof String && ((String) value).length() > 16_000);
  }

  private static boolean isIndexed(String type) {
    return !type.endsWith("[]") && !type.equals("Geoshape");
  }

  public static void main(String[] arguments) throws Exception {
    JanusGraph graph = Requests.open(arguments);
    Requests.serve(graph, request -> answer(graph, request));
  }

  private static String answer(JanusGraph graph, String request) {
    switch (request) {
      case "make":
        return make(graph);
      case "write":
        return write(graph);
      case "compare":
        return compare(graph);
      default:
        throw new IllegalArgumentException(request);
    }
  }

  /** Makes a key for each type, with an index where values are found by equality. */
  private static String make(JanusGraph graph) {
    JanusGraphManagement management = graph.openManagement();
    management.makeVertexLabel("java").make();
    management.makeVertexLabel("other").make();
    management.makePropertyKey("at").dataType(Integer.class).make();
    for (String type : VALUES.keySet()) {
      PropertyKey key = management.makePropertyKey(keyOf(type)).dataType(VALUES.get(type)[0].getClass()).make();
      if (isIndexed(type)) management.buildIndex("by" + keyOf(type), Vertex.class).addKey(key).buildCompositeIndex();
    }
    management.commit();
    return "made";
  }

  /** Adds a vertex for each value. */
  private static String write(JanusGraph graph) {
    int count = 0;
    for (String type : VALUES.keySet()) {
      Object[] values = VALUES.get(type);
      for (int at = 0; at < values.length; at++) {
        JanusGraphTransaction transaction = graph.newTransaction();
        transaction.addVertex("java").property(keyOf(type), values[at]).element().property("at", at);
        transaction.commit();
        count++;
      }
    }
    return Integer.toString(count);
  }

  /** Compares the values of the vertices of the other program with its own. Returns the differences, and the number of equal values. */
  private static String compare(JanusGraph graph) {
    List<String> problems = new ArrayList<>();
    int same = 0;
    JanusGraphTransaction transaction = graph.newTransaction();
    for (String type : VALUES.keySet()) {
      Object[] values = VALUES.get(type);
      for (int at = 0; at < values.length; at++) {
        String place = type + " " + at;
        try {
          List<Object> found =
              transaction.traversal().V().hasLabel("other").has(keyOf(type)).has("at", at).values(keyOf(type)).toList();
          boolean isSame = found.size() == 1 && found.get(0).getClass() == values[at].getClass()
              && Objects.deepEquals(found.get(0), values[at]);
          if (!isSame) problems.add(place + ": " + Arrays.deepToString(found.toArray()));
          else same++;
          // Both vertices are in the index.
          if (isFound(type, values[at])) {
            long count = transaction.traversal().V().has(keyOf(type), values[at]).count().next();
            if (count != 2) problems.add(place + ": the index has " + count);
          }
        } catch (Exception problem) {
          problems.add(place + ": " + problem);
        }
      }
    }
    transaction.rollback();
    return problems.isEmpty() ? same + " equal" : String.join("; ", problems);
  }
}
