import java.util.concurrent.ExecutionException;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/** Reads a remote file as the Gremlin Console does; arguments: one with the right password, and one with a wrong one. */
public final class Remote {
    private static void expect(final String what, final Object got, final Object wanted) {
        if (!wanted.equals(got)) throw new AssertionError(what + ": " + got + ", not " + wanted);
    }

    public static void main(final String[] arguments) throws Exception {
        final Cluster right = Cluster.open(arguments[0]);
        expect("without a session", right.connect().submit("g.V().count()").all().get().get(0).getString(), "6");
        final Client session = right.connect("a session");
        session.submit("x = 41").all().get();
        expect("in a session", session.submit("x + 1").all().get().get(0).getString(), "42");
        session.close();
        right.close();

        final Cluster wrong = Cluster.open(arguments[1]);
        try {
            wrong.connect().submit("g.V().count()").all().get();
            throw new AssertionError("a wrong password is let in");
        } catch (ExecutionException refused) {
            final ResponseException cause = (ResponseException) refused.getCause();
            expect("a wrong password", cause.getResponseStatusCode(), ResponseStatusCode.UNAUTHORIZED);
        } finally {
            wrong.close();
        }
        System.exit(0);
    }
}
