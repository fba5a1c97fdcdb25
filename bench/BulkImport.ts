/** Scripts that run inside JanusGraph Server. This server understands the schema, too. */

/**
 * Imports the CSV files `vertices` and `edges` in bulk-loading transactions of 10,000 elements each, for at most `limit`
 * milliseconds. Writes the number of elements that it has read into the file `progress`.
 */
export const importScript = `
def known = new HashMap(); def taken = 0
def work = graph.buildTransaction().enableBatchLoading().start()
def until = System.currentTimeMillis() + limit
def next = { if (++taken % 10000 == 0) {
  work.commit(); work = graph.buildTransaction().enableBatchLoading().start(); new File(progress).text = '' + taken } }
def isHeader = true
new File(vertices).eachLine { line ->
  if (isHeader) { isHeader = false; return }
  def parts = line.split(',')
  def vertex = work.addVertex('person')
  vertex.property('uid', Integer.valueOf(parts[2])); vertex.property('name', parts[3])
  known.put(parts[0], vertex.id()); next()
}
isHeader = true
new File(edges).eachLine { line ->
  if (isHeader) { isHeader = false; return }
  if (System.currentTimeMillis() > until) return
  def parts = line.split(',')
  work.getVertex(known.get(parts[0])).addEdge('knows', work.getVertex(known.get(parts[1]))); next()
}
work.commit(); new File(progress).text = '' + taken; taken`

/** Makes the schema of the graphs of the benchmarks. */
export const schemaScript = `
mgmt = graph.openManagement()
uid = mgmt.makePropertyKey('uid').dataType(Integer.class).make()
mgmt.makePropertyKey('name').dataType(String.class).make()
mgmt.makePropertyKey('at').dataType(Integer.class).make()
mgmt.makeEdgeLabel('knows').make(); mgmt.makeVertexLabel('person').make(); mgmt.makeVertexLabel('visit').make(); mgmt.makeVertexLabel('event').make()
mgmt.buildIndex('byUid', Vertex.class).addKey(uid).buildCompositeIndex()
mgmt.commit(); 1`
