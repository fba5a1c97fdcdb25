import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.ArrayList;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphFactory;
import org.janusgraph.core.JanusGraphRelation;
import org.janusgraph.core.JanusGraphTransaction;
import org.janusgraph.core.JanusGraphVertex;
import org.janusgraph.core.JanusGraphVertexProperty;
import org.janusgraph.core.JanusGraphEdge;
import org.janusgraph.core.log.Change;
import org.janusgraph.core.log.ChangeState;
import org.janusgraph.core.log.TransactionRecovery;
import org.janusgraph.graphdb.log.StandardTransactionLogProcessor;

/** A JanusGraph that processes logs of transactions, see {@link Requests}. */
public class Logs {
  private static final List<String> changes = Collections.synchronizedList(new ArrayList<>());
  private static TransactionRecovery recovery;

  public static void main(String[] arguments) throws Exception {
    Instant start = Instant.now();
    JanusGraph graph = Requests.open(arguments);
    Requests.serve(graph, line -> answer(graph, start, line.split(" ")));
  }

  private static String answer(JanusGraph graph, Instant start, String[] words) throws Exception {
    switch (words[0]) {
      case "process":
        JanusGraphFactory.openTransactionLog(graph).addLogProcessor(words[1]).setStartTime(start)
            .addProcessor((transaction, id, state) -> changes.add(id.getInstanceId() + describe(state))).build();
        return "processes";
      case "changes":
        synchronized (changes) {
          return changes.stream().sorted().collect(Collectors.joining(" | "));
        }
      case "write": {
        JanusGraphTransaction transaction = graph.buildTransaction().logIdentifier(words[1]).start();
        transaction.addVertex("person").property("name", words[2]);
        transaction.commit();
        return "written";
      }
      case "recover":
        recovery = JanusGraphFactory.startTransactionRecovery(graph, start);
        return "recovers";
      case "recovered":
        long[] counts = ((StandardTransactionLogProcessor) recovery).getStatistics();
        return counts[0] + " complete, " + counts[1] + " incomplete";
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }

  private static String describe(ChangeState state) {
    StringBuilder text = new StringBuilder();
    for (Change change : new Change[] {Change.ADDED, Change.REMOVED}) {
      String sign = change == Change.ADDED ? "+" : "-";
      for (int i = 0; i < state.getVertices(change).size(); i++) text.append(" ").append(sign).append("vertex");
      List<String> relations = new ArrayList<>();
      for (JanusGraphRelation relation : state.getRelations(change)) relations.add(sign + describe(relation));
      Collections.sort(relations);
      for (String relation : relations) text.append(" ").append(relation);
    }
    return text.toString();
  }

  private static String describe(JanusGraphRelation relation) {
    if (relation instanceof JanusGraphVertexProperty) {
      JanusGraphVertexProperty<?> property = (JanusGraphVertexProperty<?>) relation;
      return property.key() + "=" + property.value();
    }
    JanusGraphEdge edge = (JanusGraphEdge) relation;
    String properties = StreamSupport.stream(((Iterable<String>) edge.keys()).spliterator(), false).sorted()
        .map(key -> key + ":" + edge.value(key)).collect(Collectors.joining(","));
    return edge.label() + "(" + properties + ")";
  }
}
