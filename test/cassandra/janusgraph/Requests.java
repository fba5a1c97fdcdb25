import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Map;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphFactory;

/** The loop of each program: a line for each request on its input, a line for each answer on its output. */
final class Requests {
  /** The node of the tests. The options of the command line name its port and the keyspace. */
  static final Map<String, String> NODE = Map.of(
      "storage.backend", "cql",
      "storage.hostname", "127.0.0.1",
      "storage.cql.local-datacenter", "datacenter1");

  /** Answers a request, which is one line. */
  interface Program {
    String answer(String request) throws Exception;
  }

  /** Opens a graph with the options of a command line, each `name=value`. */
  static JanusGraph open(String[] arguments) {
    JanusGraphFactory.Builder builder = JanusGraphFactory.build();
    NODE.forEach(builder::set);
    for (String option : arguments) {
      int at = option.indexOf('=');
      builder.set(option.substring(0, at), option.substring(at + 1));
    }
    return builder.open();
  }

  /** Says that the graph is open, answers requests until the input ends, and ends the process. The request `close` closes the graph. */
  static void serve(JanusGraph graph, Program program) throws Exception {
    System.out.println("open");
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String answer;
      try {
        answer = line.equals("close") ? close(graph) : program.answer(line);
      } catch (Throwable problem) {
        Throwable cause = problem;
        while (cause.getCause() != null) cause = cause.getCause();
        answer = "error " + problem.getClass().getSimpleName() + " " + cause.getMessage();
      }
      System.out.println(answer.replace('\n', ' '));
    }
    // The test has ended. Threads of JanusGraph would keep the process alive.
    Runtime.getRuntime().halt(0);
  }

  private static String close(JanusGraph graph) {
    graph.close();
    return "closed";
  }
}
