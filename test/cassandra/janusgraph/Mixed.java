import java.util.Date;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.janusgraph.core.Cardinality;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphTransaction;
import org.janusgraph.core.attribute.Geo;
import org.janusgraph.core.attribute.Geoshape;
import org.janusgraph.core.attribute.Text;
import org.janusgraph.core.schema.JanusGraphManagement;
import org.janusgraph.core.schema.Mapping;

/** A JanusGraph with mixed indexes in a search engine, see {@link Requests}. */
public class Mixed {
  public static void main(String[] arguments) throws Exception {
    JanusGraph graph = Requests.open(arguments);
    Requests.serve(graph, line -> answer(graph, line.split(" ")));
  }

  private static String answer(JanusGraph graph, String[] words) {
    switch (words[0]) {
      case "define":
        return define(graph);
      case "add":
        return in(graph, g -> {
          Vertex vertex = g.addV("person").property("name", words[1]).property("bio", "Written by " + words[1] + " there")
              .property("title", words[1] + " One").property("age", Integer.parseInt(words[2])).property("big", 9007199254740993L)
              .property("height", 1.5).property("ratio", 0.1f).property("born", new Date(1_700_000_000_123L)).property("alive", true)
              .property("place", Geoshape.point(52.5, 13.4)).property("area", Geoshape.circle(52.5, 13.4, 5))
              .property("zone", Geoshape.box(52, 13, 53, 14)).property("tag", "x").property("tag", "y").next();
          g.addE("knows").from(vertex).to(vertex).property("note", "met " + words[1]).property("weight", 0.5).iterate();
          return "added";
        });
      case "town":
        return in(graph, g -> {
          g.addV("town").property("name", words[1]).property("city name", words[1]).property("about", words[1] + " is on a river")
              .property("motto", words[1] + " first").property("people", Integer.parseInt(words[2])).property("spot", Geoshape.point(52.5, 13.4))
              .iterate();
          return "added";
        });
      case "change":
        return in(graph, g -> {
          g.V().has("name", words[1]).property("age", Integer.parseInt(words[2])).property("tag", "z").iterate();
          return "changed";
        });
      case "drop":
        return in(graph, g -> {
          g.V().has("name", words[1]).drop().iterate();
          return "dropped";
        });
      case "find":
        return in(graph, g -> names(g, words));
      case "note":
        return in(graph, g -> g.E().has("note", Text.textContains(words[1])).values("note").toList().toString());
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }

  private static String names(GraphTraversalSource g, String[] words) {
    String key = words[1].replace('_', ' ');
    P<?> predicate;
    switch (words[1]) {
      case "name": predicate = P.eq(words[2]); break;
      case "bio": predicate = Text.textContains(words[2]); break;
      case "title": predicate = P.eq(words[2] + " One"); break;
      case "age": predicate = P.gte(Integer.parseInt(words[2])); break;
      case "big": predicate = P.eq(9007199254740993L); break;
      case "height": predicate = P.between(1.0, 2.0); break;
      case "ratio": predicate = P.eq(0.1f); break;
      case "born": predicate = P.eq(new Date(1_700_000_000_123L)); break;
      case "alive": predicate = P.eq(true); break;
      case "about": predicate = Text.textContains(words[2]); break;
      case "motto": predicate = P.eq(words[2] + " first"); break;
      case "people": predicate = P.gte(Integer.parseInt(words[2])); break;
      case "area":
      case "zone": predicate = Geo.geoIntersect(Geoshape.line(List.of(new double[] {13.4, 52}, new double[] {13.4, 53}))); break;
      case "spot":
      case "place": predicate = Geo.geoWithin(Geoshape.circle(52.5, 13.4, 10)); break;
      default: predicate = P.eq(words[2]);
    }
    List<Object> found = g.V().has(key, predicate).values("name").toList();
    return found.stream().map(Object::toString).sorted().collect(Collectors.joining(" "));
  }

  private static String define(JanusGraph graph) {
    JanusGraphManagement management = graph.openManagement();
    JanusGraphManagement.IndexBuilder people = management.buildIndex("People", Vertex.class);
    people.addKey(management.makePropertyKey("name").dataType(String.class).make(), Mapping.STRING.asParameter());
    people.addKey(management.makePropertyKey("bio").dataType(String.class).make());
    people.addKey(management.makePropertyKey("title").dataType(String.class).make(), Mapping.TEXTSTRING.asParameter());
    people.addKey(management.makePropertyKey("age").dataType(Integer.class).make());
    people.addKey(management.makePropertyKey("big").dataType(Long.class).make());
    people.addKey(management.makePropertyKey("height").dataType(Double.class).make());
    people.addKey(management.makePropertyKey("ratio").dataType(Float.class).make());
    people.addKey(management.makePropertyKey("born").dataType(Date.class).make());
    people.addKey(management.makePropertyKey("alive").dataType(Boolean.class).make());
    people.addKey(management.makePropertyKey("place").dataType(Geoshape.class).make());
    people.addKey(management.makePropertyKey("area").dataType(Geoshape.class).make(), Mapping.PREFIX_TREE.asParameter());
    people.addKey(management.makePropertyKey("zone").dataType(Geoshape.class).make(), Mapping.BKD.asParameter());
    people.addKey(
        management.makePropertyKey("tag").dataType(String.class).cardinality(Cardinality.LIST).make(), Mapping.STRING.asParameter());
    people.buildMixedIndex("search");
    JanusGraphManagement.IndexBuilder ties = management.buildIndex("ties", Edge.class);
    ties.addKey(management.makePropertyKey("note").dataType(String.class).make());
    ties.addKey(management.makePropertyKey("weight").dataType(Double.class).make());
    ties.buildMixedIndex("search");
    management.commit();
    return "defined";
  }

  private static String in(JanusGraph graph, Function<GraphTraversalSource, String> work) {
    JanusGraphTransaction transaction = graph.newTransaction();
    try {
      String answer = work.apply(transaction.traversal());
      transaction.commit();
      return answer;
    } finally {
      if (transaction.isOpen()) transaction.rollback();
    }
  }
}
