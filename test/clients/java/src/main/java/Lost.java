import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Transaction;

/** Cuts the connection of a transaction: the driver connects again by itself, and must not commit what is lost. */
final class Lost {
    private static final List<Socket> open = new CopyOnWriteArrayList<>();

    private static void copy(final Socket from, final Socket to) {
        final Thread thread = new Thread(() -> {
            try (from; to; InputStream in = from.getInputStream()) {
                in.transferTo(to.getOutputStream());
            } catch (IOException ended) {
                // The connection was cut.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Forwards connections to the server. Returns the port. */
    private static int forward(final String host, final int port) throws IOException {
        final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        final Thread thread = new Thread(() -> {
            try {
                while (true) {
                    final Socket client = server.accept();
                    final Socket upstream = new Socket(host, port);
                    open.addAll(List.of(client, upstream));
                    copy(client, upstream);
                    copy(upstream, client);
                }
            } catch (IOException ended) {
                throw new AssertionError(ended);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server.getLocalPort();
    }

    private static void cut() throws Exception {
        for (final Socket socket : open) socket.close();
        open.clear();
        Thread.sleep(500);
    }

    private static void refused(final String what, final Runnable run) {
        try {
            run.run();
        } catch (Exception error) {
            for (Throwable cause = error; cause != null; cause = cause.getCause()) {
                if (String.valueOf(cause.getMessage()).contains("has ended without a commit")) return;
            }
            throw new AssertionError(what + ": " + error, error);
        }
        throw new AssertionError(what + ": no error");
    }

    static void check(final String host, final int port) throws Exception {
        final Cluster cluster = Cluster.build("127.0.0.1").port(forward(host, port)).create();
        final GraphTraversalSource g = traversal().withRemote(DriverRemoteConnection.using(cluster, "gtx"));
        final Transaction committed = g.tx();
        committed.<GraphTraversalSource>begin().addV("lost").iterate();
        cut();
        refused("commit", committed::commit);
        final Transaction continued = g.tx();
        final GraphTraversalSource inside = continued.begin();
        inside.addV("lost").iterate();
        cut();
        for (int i = 0; i < 2; i++) refused("traversal", () -> inside.addV("lost").iterate());
        continued.rollback();
        if (g.V().hasNext()) throw new AssertionError("a part of a lost transaction is committed");
        cluster.close();
    }

    private Lost() {}
}
