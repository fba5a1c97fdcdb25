def globals = [:]
globals << [hook : [
  onStartUp: { ctx ->
    TinkerFactory.generateModern(modern)
  }
] as LifeCycleHook]
globals << [gmodern : traversal().withEmbedded(modern)]
globals << [gcrew : traversal().withEmbedded(crew)]
globals << [gtypes : traversal().withEmbedded(types)]
globals << [gloops : traversal().withEmbedded(loops)]
globals << [gscratch : traversal().withEmbedded(scratch)]
