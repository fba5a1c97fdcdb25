import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.commons.configuration2.MapConfiguration;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphFactory;
import org.janusgraph.graphdb.database.StandardJanusGraph;
import org.janusgraph.graphdb.management.ConfigurationManagementGraph;

/** JanusGraph's graph of configurations, see {@link Requests}. */
public class Configured {
  private static final Map<String, String> storage = new HashMap<>();

  public static void main(String[] arguments) throws Exception {
    storage.putAll(Requests.NODE);
    for (String option : arguments) {
      if (option.startsWith("storage.port=")) storage.put("storage.port", option.substring("storage.port=".length()));
    }
    JanusGraph graph = Requests.open(arguments);
    new ConfigurationManagementGraph((StandardJanusGraph) graph);
    Requests.serve(graph, line -> answer(ConfigurationManagementGraph.getInstance(), line.split(" ")));
  }

  private static String answer(ConfigurationManagementGraph configurations, String[] words) {
    switch (words[0]) {
      case "create": {
        Map<String, Object> options = new HashMap<>(storage);
        options.put("graph.graphname", words[1]);
        options.put("storage.cql.keyspace", words[2]);
        configurations.createConfiguration(new MapConfiguration(options));
        return "created";
      }
      case "template": {
        Map<String, Object> options = new HashMap<>(storage);
        options.put("query.force-index", "false");
        configurations.createTemplateConfiguration(new MapConfiguration(options));
        return "created";
      }
      case "update": {
        Map<String, Object> options = new HashMap<>();
        options.put(words[2], words[3]);
        configurations.updateConfiguration(words[1], new MapConfiguration(options));
        return "updated";
      }
      case "remove":
        configurations.removeConfiguration(words[1]);
        return "removed";
      case "names":
        return configurations.getConfigurations().stream().map(each -> String.valueOf(each.get("graph.graphname"))).sorted()
            .collect(Collectors.joining(" "));
      case "get": {
        Map<String, Object> found = configurations.getConfiguration(words[1]);
        return found == null ? "none" : new TreeMap<>(found).toString();
      }
      case "count": {
        // With a name of the graph, JanusGraph needs the manager of a server.
        Map<String, Object> options = new HashMap<>(configurations.getConfiguration(words[1]));
        options.remove("graph.graphname");
        options.putIfAbsent("storage.cql.keyspace", words[1]);
        JanusGraph graph = JanusGraphFactory.open(new MapConfiguration(options));
        try {
          return String.valueOf(graph.traversal().V().count().next());
        } finally {
          graph.close();
        }
      }
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }
}
