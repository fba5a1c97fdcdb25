// Gremlin Server's sample configurations name this file. Nothing of it is run here: the server reads which traversal
// source is bound to which graph.
def globals = [:]
globals << [g : traversal().withEmbedded(graph)]
