"""Authenticates with gremlinpython; prints one JSON object with what it saw.

Arguments: the server's URL, a user, the right password. The password comes by the environment. Used by
Authentication.test.ts.
"""
import json
import os
import ssl
import sys

from gremlin_python.driver.client import Client
from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import GremlinServerError
from gremlin_python.process.anonymous_traversal import traversal

url, user = sys.argv[1:3]
password = os.environ["PASSWORD"]
options = {}
if "CERTIFICATE" in os.environ:
    options["ssl_options"] = ssl.create_default_context(cafile=os.environ["CERTIFICATE"])


def outcome(name, secret):
    client = Client(url, "g", username=name, password=secret, **options)
    try:
        return client.submit("g.V().count()").all().result()
    except GremlinServerError as error:
        return error.status_code
    finally:
        client.close()


remote = DriverRemoteConnection(url, "g", username=user, password=password, **options)
counted = traversal().with_remote(remote).V().count().next()
remote.close()
print(
    json.dumps(
        {
            "right": outcome(user, password),
            "traversal": counted,
            "wrong": outcome(user, password + "x"),
            "nobody": outcome("nobody", password),
        }
    )
)
