"""Drives a server with gremlinpython; prints one JSON object with what it saw.

Arguments: the server's URL. Used by Python.test.ts.
"""
import json
import sys

from gremlin_python.driver.client import Client
from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import GremlinServerError
from gremlin_python.driver.serializer import GraphBinarySerializersV1, GraphSONSerializersV3d0
from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.process.graph_traversal import __
from gremlin_python.process.strategies import ReadOnlyStrategy
from gremlin_python.process.traversal import P, T

url = sys.argv[1]


def error_of(run):
    try:
        return ["no error", str(run())]
    except GremlinServerError as error:
        return [error.status_code, str(error)]


def seen_with(serializer):
    seen = {}
    remote = DriverRemoteConnection(url, "g", message_serializer=serializer)
    g = traversal().with_remote(remote)
    seen["count"] = g.V().count().next()
    seen["names"] = g.V().has("age", P.gt(30)).order().by("age").values("name").to_list()
    vertex = g.V(1).next()
    seen["vertex"] = [vertex.id, vertex.label]
    edge = g.E(7).next()
    seen["edge"] = [edge.id, edge.label, edge.outV.id, edge.inV.id]
    seen["map"] = g.V(1).value_map("name").next()
    seen["element_map"] = {str(key).replace("T.", ""): value for key, value in g.V(1).element_map("name").next().items()}
    seen["grouped"] = g.V().group_count().by(T.label).next()
    seen["path"] = [str(one) for one in g.V(1).out("knows").out("created").path().by("name").next()]
    seen["nested"] = g.V().where(__.out("created").has("name", "ripple")).values("name").to_list()
    g.add_v("person").property("name", "py").iterate()
    seen["added"] = g.V().has("name", "py").count().next()
    g.V().has("name", "py").drop().iterate()
    seen["many"] = len(g.inject(*range(1000)).to_list())
    older = lambda: ("x -> x.get().value('age') > 30", "gremlin-groovy")
    down = lambda: ("a, b -> b.value('age') <=> a.value('age')", "gremlin-groovy")
    seen["lambda"] = g.V().has_label("person").filter_(older).values("name").to_list()
    seen["it"] = g.V(1).map(lambda: ("it.get().value('name').toUpperCase()", "gremlin-groovy")).next()
    seen["comparator"] = g.V().has_label("person").order().by(down).values("age").to_list()
    shown = "sprintf('%s is %05.1f', *[it.get().value('name').replaceAll('[aeiou]') { it.toUpperCase() }, it.get().value('age') as double])"
    seen["formatted"] = g.V(1).map(lambda: (shown, "gremlin-groovy")).next()
    seen["ends_lambda"] = g.V().flat_map(lambda: ("it.get().value('name').toList()[0, -1].iterator()", "gremlin-groovy")).dedup().count().next()
    seen["python_lambda"] = error_of(lambda: g.V().map(lambda: ("lambda x: x.get()", "gremlin-python")).next())
    seen["read_only"] = error_of(lambda: g.with_strategies(ReadOnlyStrategy()).add_v("x").iterate())[0] != "no error"
    seen["fail"] = error_of(lambda: g.V().fail("no luck").to_list())[0]

    tx_remote = DriverRemoteConnection(url, "gtx", message_serializer=serializer)
    outside = traversal().with_remote(tx_remote)
    tx = outside.tx()
    inside = tx.begin()
    inside.add_v("held").iterate()
    seen["inside"] = [inside.V().count().next(), outside.V().count().next()]
    tx.rollback()
    tx = outside.tx()
    inside = tx.begin()
    inside.add_v("kept").iterate()
    tx.commit()
    seen["committed"] = outside.V().count().next()
    outside.V().drop().iterate()
    tx_remote.close()
    remote.close()

    client = Client(url, "g", message_serializer=serializer)
    seen["script"] = client.submit("g.V(x).values('name')", {"x": 1}).all().result()
    seen["batches"] = len(client.submit("g.V()", request_options={"batchSize": 2}).all().result())
    seen["empty"] = client.submit("g.V(99)").all().result()
    seen["syntax"] = error_of(lambda: client.submit("g.V().nope()").all().result())
    seen["timeout"] = error_of(
        lambda: client.submit(
            "g.inject(1).repeat(__.identity()).until(__.is(2))", request_options={"evaluationTimeout": 50}
        ).all().result()
    )[0]
    client.close()

    session = Client(url, "g", session="a-session-of-python", message_serializer=serializer)
    session.submit("x = 41").all().result()
    seen["session"] = session.submit("x + 1").all().result()
    session.close()
    return seen


print(json.dumps({"GraphBinary": seen_with(GraphBinarySerializersV1()), "GraphSON 3": seen_with(GraphSONSerializersV3d0())}))
