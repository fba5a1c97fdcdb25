import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphTransaction;
import org.janusgraph.core.PropertyKey;
import org.janusgraph.core.schema.ConsistencyModifier;
import org.janusgraph.core.schema.JanusGraphIndex;
import org.janusgraph.core.schema.JanusGraphManagement;
import org.janusgraph.core.schema.SchemaStatus;
import org.janusgraph.graphdb.database.management.ManagementSystem;

/** A JanusGraph that adds, reads and changes vertices, types, indexes and options, see {@link Requests}. */
public class Peer {
  public static void main(String[] arguments) throws Exception {
    JanusGraph graph = Requests.open(arguments);
    Requests.serve(graph, line -> answer(graph, line.split(" ")));
  }

  private static String answer(JanusGraph graph, String[] words) throws Exception {
    switch (words[0]) {
      case "add":
        return add(graph, Integer.parseInt(words[1]));
      case "put":
        return put(graph, words[1], words[2]);
      case "count": {
        JanusGraphTransaction transaction = graph.newTransaction();
        long count = words.length == 1
            ? transaction.traversal().V().count().next()
            : transaction.traversal().V().has(words[1], words[2]).count().next();
        transaction.rollback();
        return Long.toString(count);
      }
      case "unique":
        return unique(graph, words[1]);
      case "key": {
        JanusGraphManagement management = graph.openManagement();
        management.makePropertyKey(words[1]).dataType(String.class).make();
        management.commit();
        return "made";
      }
      case "locked": {
        JanusGraphManagement management = graph.openManagement();
        management.setConsistency(management.makePropertyKey(words[1]).dataType(Integer.class).make(), ConsistencyModifier.LOCK);
        management.commit();
        return "made";
      }
      case "partitioned": {
        JanusGraphManagement management = graph.openManagement();
        management.makeVertexLabel(words[1]).partition().make();
        management.commit();
        return "made";
      }
      case "hub":
        return hub(graph, words[1], words[2], Integer.parseInt(words[3]));
      case "in": {
        JanusGraphTransaction transaction = graph.newTransaction();
        long count = transaction.traversal().V().hasLabel(words[1]).in(words[2]).count().next();
        transaction.rollback();
        return Long.toString(count);
      }
      case "label": {
        JanusGraphTransaction transaction = graph.newTransaction();
        long count = transaction.traversal().V().hasLabel(words[1]).count().next();
        transaction.rollback();
        return Long.toString(count);
      }
      case "edges": {
        JanusGraphTransaction transaction = graph.newTransaction();
        long count = transaction.traversal().E().hasLabel(words[1]).count().next();
        transaction.rollback();
        return Long.toString(count);
      }
      case "drop": {
        JanusGraphTransaction transaction = graph.newTransaction();
        transaction.traversal().V().hasLabel(words[1]).drop().iterate();
        transaction.commit();
        return "dropped";
      }
      case "expiring": {
        JanusGraphManagement management = graph.openManagement();
        PropertyKey key = management.makePropertyKey(words[1]).dataType(String.class).make();
        management.setTTL(key, Duration.ofSeconds(Long.parseLong(words[3])));
        management.setTTL(management.makeEdgeLabel(words[2]).make(), Duration.ofSeconds(Long.parseLong(words[3])));
        management.buildIndex("by_" + words[1], Vertex.class).addKey(key).buildCompositeIndex();
        management.commit();
        return "made";
      }
      case "raise":
        return raise(graph, words[1]);
      case "index":
        return index(graph, words[1], Long.parseLong(words[2]));
      case "status": {
        JanusGraphManagement management = graph.openManagement();
        JanusGraphIndex index = management.getGraphIndex(words[1]);
        String status = index == null ? "none" : index.getIndexStatus(index.getFieldKeys()[0]).toString();
        management.rollback();
        return status;
      }
      case "instances": {
        JanusGraphManagement management = graph.openManagement();
        String names = String.join(" ", new TreeSet<>(management.getOpenInstances()));
        management.rollback();
        return names;
      }
      case "option": {
        JanusGraphManagement management = graph.openManagement();
        String value = management.get(words[1]);
        management.rollback();
        return value;
      }
      case "set": {
        JanusGraphManagement management = graph.openManagement();
        // JanusGraph takes an option of true or false as a Boolean only.
        boolean isFlag = words[2].equals("true") || words[2].equals("false");
        management.set(words[1], isFlag ? Boolean.valueOf(words[2]) : words[2]);
        management.commit();
        return "set";
      }
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }

  /** Makes vertices, each with an edge to itself; their ids. */
  private static String add(JanusGraph graph, int count) {
    List<String> ids = new ArrayList<>();
    for (int left = count; left > 0; left -= 100) {
      JanusGraphTransaction transaction = graph.newTransaction();
      List<Vertex> made = new ArrayList<>();
      for (int i = 0; i < Math.min(left, 100); i++) {
        Vertex vertex = transaction.addVertex();
        vertex.addEdge("self", vertex);
        made.add(vertex);
      }
      transaction.commit();
      for (Vertex vertex : made) ids.add(vertex.id().toString());
    }
    return String.join(" ", ids);
  }

  /** Makes a vertex with edges from new vertices, each in its own transaction, so that they are in several partitions. */
  private static String hub(JanusGraph graph, String label, String edge, int count) {
    JanusGraphTransaction transaction = graph.newTransaction();
    Object id = transaction.addVertex(label).id();
    transaction.commit();
    for (int i = 0; i < count; i++) {
      transaction = graph.newTransaction();
      transaction.addVertex().addEdge(edge, transaction.getVertex(id));
      transaction.commit();
    }
    return id.toString();
  }

  private static String put(JanusGraph graph, String key, String value) {
    JanusGraphTransaction transaction = graph.newTransaction();
    try {
      transaction.addVertex(key, value);
      transaction.commit();
      return "put";
    } finally {
      if (transaction.isOpen()) transaction.rollback();
    }
  }

  private static String unique(JanusGraph graph, String name) {
    JanusGraphManagement management = graph.openManagement();
    PropertyKey key = management.makePropertyKey(name).dataType(String.class).make();
    JanusGraphIndex index = management.buildIndex("by_" + name, Vertex.class).addKey(key).unique().buildCompositeIndex();
    management.setConsistency(index, ConsistencyModifier.LOCK);
    management.commit();
    return "made";
  }

  /** Adds 1 to a property of the vertex that has it; makes that vertex where there is none. */
  private static String raise(JanusGraph graph, String key) {
    JanusGraphTransaction transaction = graph.newTransaction();
    try {
      var found = transaction.traversal().V().has(key);
      Vertex vertex = found.hasNext() ? found.next() : transaction.addVertex(key, 0);
      int value = vertex.<Integer>value(key);
      vertex.property(key, value + 1);
      transaction.commit();
      return Integer.toString(value + 1);
    } finally {
      if (transaction.isOpen()) transaction.rollback();
    }
  }

  /** Makes an index on a key that is there, and waits until every instance writes it. */
  private static String index(JanusGraph graph, String name, long seconds) throws Exception {
    JanusGraphManagement management = graph.openManagement();
    management.buildIndex("by_" + name, Vertex.class).addKey(management.getPropertyKey(name)).buildCompositeIndex();
    management.commit();
    return ManagementSystem.awaitGraphIndexStatus(graph, "by_" + name)
        .status(SchemaStatus.REGISTERED)
        .timeout(seconds, ChronoUnit.SECONDS)
        .call()
        .getSucceeded() ? "registered" : "not registered";
  }
}
