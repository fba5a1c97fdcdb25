"""Uses each connection of the pool, is idle for the given seconds, and uses each of them again. Prints what the second half returns."""

import json
import sys
import time

from gremlin_python.driver.client import Client

POOL = 4

url, seconds = sys.argv[1], float(sys.argv[2])
client = Client(url, "g", pool_size=POOL)
for _ in range(POOL):
    client.submit("g.V().count()").all().result(30)
# The driver reads only while it waits for a result, so it answers no ping now.
time.sleep(seconds)
print(json.dumps([client.submit("g.V().count()").all().result(30) for _ in range(POOL)]))
client.close()
