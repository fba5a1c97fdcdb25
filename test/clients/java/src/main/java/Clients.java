import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.RequestOptions;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.function.Lambda;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;

/** Drives a server with the Java driver and with Java's HTTP client; arguments: host and port. */
public final class Clients {
    private static void expect(final String what, final Object got, final Object wanted) {
        if (!Objects.equals(got, wanted)) throw new AssertionError(what + ": " + got + ", not " + wanted);
    }

    private static void failing(final String what, final Runnable run, final String text) {
        try {
            run.run();
        } catch (Exception error) {
            for (Throwable cause = error; cause != null; cause = cause.getCause()) {
                if (String.valueOf(cause.getMessage()).contains(text)) return;
            }
            throw new AssertionError(what + ": " + error, error);
        }
        throw new AssertionError(what + ": no error");
    }

    private static void withFormat(final String host, final int port, final MessageSerializer<?> serializer) throws Exception {
        final Cluster cluster = Cluster.build(host).port(port).serializer(serializer).create();
        try {
            final GraphTraversalSource g = traversal().withRemote(DriverRemoteConnection.using(cluster, "g"));
            expect("count", g.V().count().next(), 6L);
            expect("names", g.V().has("age", P.gt(30)).order().by("age").values("name").toList(), List.of("josh", "peter"));
            final Vertex vertex = g.V(1).next();
            expect("vertex", List.of(vertex.id(), vertex.label()), List.of(1, "person"));
            expect("grouped", g.V().groupCount().by(T.label).next(), Map.of("person", 4L, "software", 2L));
            g.addV("person").property("name", "java").iterate();
            expect("added", g.V().has("name", "java").count().next(), 1L);
            g.V().has("name", "java").drop().iterate();
            expect("lambda", g.V(1).map(Lambda.function("it.get().value('name').toUpperCase()")).next(), "MARKO");
            final String formatted = "sprintf('%s is %05.1f', *[it.get().value('name').replaceAll('[aeiou]') { it.toUpperCase() }, 29d])";
            expect("formatted lambda", g.V(1).map(Lambda.function(formatted)).next(), "mArkO is 029.0");
            expect("filter", g.V().filter(Lambda.predicate("it.get().label() == 'software'")).count().next(), 2L);
            final Object down = g.V().hasLabel("person").order()
                .by(Lambda.comparator("a, b -> b.value('age') <=> a.value('age')")).values("age").next();
            expect("comparator", down, 35);
            failing("other language", () -> g.V().map(Lambda.function("lambda x: x", "gremlin-python")).next(), "gremlin-python");
            failing("fail", () -> g.V().fail("no luck").iterate(), "no luck");

            final GraphTraversalSource outside = traversal().withRemote(DriverRemoteConnection.using(cluster, "gtx"));
            final Transaction tx = outside.tx();
            final GraphTraversalSource inside = tx.begin();
            inside.addV("held").iterate();
            expect("outside", outside.V().count().next(), 0L);
            tx.commit();
            expect("committed", outside.V().count().next(), 1L);
            outside.V().drop().iterate();

            final GraphTraversalSource going = outside.tx().begin();
            going.addV("held").iterate();
            failing("fail inside", () -> going.V().fail("no luck").iterate(), "no luck");
            going.tx().commit();
            expect("committed after a failed traversal", outside.V().count().next(), 1L);
            outside.V().drop().iterate();

            final Client client = cluster.connect();
            expect("script", client.submit("g.V(x).values('name')", Map.of("x", 1)).one().getString(), "marko");
            final RequestOptions options = RequestOptions.build().batchSize(2).timeout(5000).create();
            expect("batches", client.submit("g.V()", options).all().get().size(), 6);
            failing("syntax", () -> client.submit("g.V().nope()").all().join(), "nope");
            final Client session = cluster.connect("a-session-of-java");
            session.submit("x = 41").all().get();
            expect("session", session.submit("x + 1").one().getInt(), 42);
            session.close();
        } finally {
            cluster.close();
        }
    }

    public static void main(final String[] args) throws Exception {
        final int port = Integer.parseInt(args[1]);
        withFormat(args[0], port, new GraphBinaryMessageSerializerV1());
        withFormat(args[0], port, new GraphSONMessageSerializerV3());
        Lost.check(args[0], port);
        // Offers HTTP/2 with an upgrade, which a server may decline.
        final HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + args[0] + ":" + port + "/"))
            .POST(HttpRequest.BodyPublishers.ofString("{\"gremlin\":\"g.V().count()\"}"))
            .build();
        final HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        expect("HTTP", response.statusCode(), 200);
        System.out.println("ok");
        System.exit(0);
    }
}
