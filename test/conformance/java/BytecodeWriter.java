import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinAntlrToJava;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinErrorListener;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParser;
import org.apache.tinkerpop.gremlin.language.grammar.VariableResolver;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONMapper;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONVersion;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONXModuleV3;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;

/**
 * Writes traversals of the conformance suite as the JVM driver would send them, so that the server's own parser and
 * codecs have no part in the requests it is tested with. One JSON object a line in, one a line out:
 *
 * <pre>
 * {"id": 1, "format": "graphson" | "graphbinary", "bindings": true | false, "gremlin": "g.V(x)", "source": "gmodern",
 *  "parameters": {"x": "GraphSON 3 document"}}
 * {"id": 1, "payload": "base64 of the request message, without mime type"} or {"id": 1, "error": "message"}
 * </pre>
 *
 * With "bindings" a parameter is a Binding in the bytecode, without it the plain value. The request id is all zeros;
 * the sender puts its own in.
 */
public final class BytecodeWriter {

    private final ObjectMapper json = new ObjectMapper();
    private final ObjectMapper graphson = GraphSONMapper.build().version(GraphSONVersion.V3_0)
            .addCustomModule(GraphSONXModuleV3.build()).create().createMapper();
    private final Map<String, MessageSerializer<?>> serializers = new HashMap<>();
    private final ByteBufAllocator allocator = UnpooledByteBufAllocator.DEFAULT;

    private BytecodeWriter() {
        serializers.put("graphson", new GraphSONMessageSerializerV3());
        serializers.put("graphbinary", new GraphBinaryMessageSerializerV1());
    }

    public static void main(final String[] args) throws Exception {
        final BytecodeWriter writer = new BytecodeWriter();
        final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8.name());
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(writer.answer(line));
        }
    }

    private String answer(final String line) throws Exception {
        final JsonNode request = json.readTree(line);
        final Map<String, Object> answer = new HashMap<>();
        answer.put("id", request.get("id").asLong());
        try {
            answer.put("payload", Base64.getEncoder().encodeToString(write(request)));
        } catch (Exception refused) {
            answer.put("error", String.valueOf(refused.getMessage()));
        }
        return json.writeValueAsString(answer);
    }

    private byte[] write(final JsonNode request) throws Exception {
        final RequestMessage message = RequestMessage.build(Tokens.OPS_BYTECODE)
                .processor("traversal")
                .overrideRequestId(new UUID(0, 0))
                .addArg(Tokens.ARGS_GREMLIN, bytecode(request))
                .addArg(Tokens.ARGS_ALIASES, Collections.singletonMap("g", request.get("source").asText()))
                .create();
        final ByteBuf buffer = serializers.get(request.get("format").asText()).serializeRequestAsBinary(message, allocator);
        try {
            buffer.skipBytes(buffer.readUnsignedByte());
            final byte[] bytes = new byte[buffer.readableBytes()];
            buffer.readBytes(bytes);
            return bytes;
        } finally {
            buffer.release();
        }
    }

    private Bytecode bytecode(final JsonNode request) throws Exception {
        final Map<String, Object> parameters = new HashMap<>();
        for (final Map.Entry<String, JsonNode> parameter : request.get("parameters").properties()) {
            parameters.put(parameter.getKey(), graphson.readValue(parameter.getValue().asText(), Object.class));
        }
        final VariableResolver<?> variables = request.get("bindings").asBoolean()
                ? new VariableResolver.DefaultVariableResolver(parameters)
                : new VariableResolver.DirectVariableResolver(parameters);
        final GraphTraversalSource g = AnonymousTraversalSource.traversal().withEmbedded(EmptyGraph.instance());

        final GremlinLexer lexer = new GremlinLexer(CharStreams.fromString(request.get("gremlin").asText()));
        lexer.removeErrorListeners();
        lexer.addErrorListener(new GremlinErrorListener());
        final GremlinParser parser = new GremlinParser(new CommonTokenStream(lexer));
        parser.removeErrorListeners();
        parser.addErrorListener(new GremlinErrorListener());
        final Object parsed = new GremlinAntlrToJava(g, variables).visitQuery(parser.query());
        return ((Traversal<?, ?>) parsed).asAdmin().getBytecode();
    }
}
