import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1"
import { ConfigMap, Service } from "kubernetes-models/v1"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { post } from "../layers/support/HttpClient.ts"
import { endless, startServer } from "../layers/support/TestServers.ts"
import { root } from "./Projects.ts"

const deploy = join(root, "deploy")
const text = (path: string): string => readFileSync(join(deploy, path), "utf8")

/** The YAML files below a folder. */
const manifests = readdirSync(join(deploy, "kubernetes"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".yaml"))
  .map((path) => ({ path: join("kubernetes", path), value: parse(text(join("kubernetes", path))) }))

const kinds = { ConfigMap, Deployment, Service, StatefulSet } as const

describe("The Kubernetes manifests", () => {
  it("are valid by the schemas of Kubernetes", () => {
    const resources = manifests.filter(({ value }) => Object.hasOwn(kinds, value.kind))
    expect(resources.map(({ value }) => value.kind).sort()).toEqual([
      "ConfigMap",
      "Deployment",
      "Service",
      "StatefulSet"
    ])
    for (const { path, value } of resources) {
      const Kind = kinds[value.kind as keyof typeof kinds]
      expect(() => new Kind(value).validate(), path).not.toThrow()
      expect(() => new Kind({ ...value, spec: 1, data: 1 }).validate(), path).toThrow()
    }
  })

  it("have overlays whose files exist, and contain every resource", () => {
    const overlays = manifests.filter(({ value }) => value.kind === "Kustomization")
    const used = new Set<string>()
    for (const { path, value } of overlays) {
      const files = (value.configMapGenerator ?? []).flatMap(({ files }: { files: ReadonlyArray<string> }) => files)
      for (const file of [...value.resources, ...files]) {
        expect([path, file, existsSync(join(deploy, dirname(path), file))]).toEqual([path, file, true])
        used.add(join(dirname(path), file))
      }
    }
    for (const { path, value } of manifests)
      if (Object.hasOwn(kinds, value.kind)) expect([path, used.has(path)]).toEqual([path, true])
  })

  it("run one server over files, and probe paths that the server has", async () => {
    const find = (kind: string) => manifests.find(({ value }) => value.kind === kind)!.value
    expect(find("StatefulSet").spec.replicas).toBe(1)
    const { authority } = await startServer()
    for (const kind of ["StatefulSet", "Deployment"]) {
      const [{ livenessProbe, readinessProbe, startupProbe }] = find(kind).spec.template.spec.containers
      for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
        expect((await fetch(`http://${authority}${probe.httpGet.path}`)).status).toBe(200)
      }
    }
  })
})

describe("The dashboard and the alert rules", () => {
  it("name only metrics and labels that the server has", async () => {
    const { authority } = await startServer({ maxWorkQueueSize: 0 })
    await post(authority, "g.V()", { evaluationTimeout: 1_000 })
    await post(authority, endless, { evaluationTimeout: 10 })
    const metrics = await (await fetch(`http://${authority}/metrics`)).text()
    const names = new Set([...metrics.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!))
    for (const name of [...names]) for (const end of ["bucket", "sum", "count"]) names.add(`${name}_${end}`)
    const labels = new Set(["instance", "le", ...[...metrics.matchAll(/[{,](\w+)="/g)].map(([, label]) => label!)])
    const dashboard = JSON.parse(text("grafana/engine-server.json"))
    const rules = parse(text("prometheus/alerts.yaml")).groups.flatMap(
      ({ rules }: { rules: Array<{ expr: string }> }) => rules
    )
    const queries: ReadonlyArray<string> = [
      ...dashboard.panels.flatMap(({ targets }: { targets: Array<{ expr: string }> }) =>
        targets.map(({ expr }) => expr)
      ),
      ...rules.map(({ expr }: { expr: string }) => expr)
    ]
    expect(queries.length).toBeGreaterThan(25)
    const used = queries.flatMap((query) => query.match(/\b(?:engine_server|process|nodejs)_\w+/g) ?? [])
    expect(used.filter((name) => !names.has(name))).toEqual([])
    const grouped = queries.flatMap((query) => [
      ...[...query.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, list]) => list!.split(/, */)),
      ...[...query.matchAll(/[{,](\w+)(?:=|!~|=~)"/g)].map(([, label]) => label!)
    ])
    expect(grouped.filter((label) => !labels.has(label))).toEqual([])
  })
})
