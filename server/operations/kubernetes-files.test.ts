import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BarmanObjectStoreConfiguration } from '@kubernetes-models/cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api/BarmanObjectStoreConfiguration'
import { Cluster, ScheduledBackup } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

type Resource = { apiVersion: string; kind: string; metadata: { name: string }; [key: string]: unknown }
type Kustomization = {
  resources: string[]
  images?: { name: string; newName: string; newTag: string }[]
  patches?: { target: { kind: string; name: string }; patch: string }[]
}
type Operation = { op: 'add' | 'replace' | 'remove'; path: string; value?: unknown }
type Validates = { prototype: { validate(): void } }

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = `${root}deploy/kubernetes/`
const read = (path: string) => readFileSync(`${folder}${path}`, 'utf8')
const resourcesOf = (path: string) =>
  parseAllDocuments(read(path)).map((document) => {
    expect(document.errors, path).toEqual([])
    return document.toJS() as Resource
  })

/** The schemas that Kubernetes and CloudNativePG publish, by kind. */
const schemas: Record<string, Validates> = {
  'v1 ConfigMap': ConfigMap,
  'v1 Namespace': Namespace,
  'v1 Service': Service,
  'apps/v1 Deployment': Deployment,
  'autoscaling/v2 HorizontalPodAutoscaler': HorizontalPodAutoscaler,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'networking.k8s.io/v1 Ingress': Ingress,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'postgresql.cnpg.io/v1 Cluster': Cluster,
  'postgresql.cnpg.io/v1 ScheduledBackup': ScheduledBackup,
}

/** @throws if `value` doesn't meet the schema, or has a field that the schema doesn't know, which Kubernetes would drop without a word. */
function validate(schema: Validates, value: object): void {
  const unread = new Set<string>()
  schema.prototype.validate.call(watchReads(value, '', unread))
  expect([...unread], 'fields that the schema doesn’t know').toEqual([])
}

/** A validator reads the fields that its schema knows, and lists those of a map. `unread` keeps the others. */
function watchReads<Value extends object>(value: Value, path: string, unread: Set<string>): Value {
  if (!Array.isArray(value)) for (const key of Object.keys(value)) unread.add(`${path}/${key}`)
  return new Proxy(value, {
    get(target, key) {
      const child = Reflect.get(target, key)
      if (typeof key !== 'string') return child
      unread.delete(`${path}/${key}`)
      if (typeof child !== 'object' || child === null) return child
      const inside = `${path}/${key}`
      const known = watched.get(child)
      if (known?.path === inside) return known.proxy
      const proxy = watchReads(child, inside, unread)
      watched.set(child, { path: inside, proxy })
      return proxy
    },
    ownKeys(target) {
      for (const key of Object.keys(target)) unread.delete(`${path}/${key}`)
      return Reflect.ownKeys(target)
    },
  })
}
const watched = new WeakMap<object, { path: string; proxy: object }>()

/** What kustomize makes of a folder: the resources, with the images and the patches applied to them. */
function build(path: string): Resource[] {
  const { resources, images = [], patches = [] } = parse(read(`${path}/kustomization.yaml`)) as Kustomization
  const all = resources.flatMap((entry) =>
    entry.endsWith('.yaml') ? resourcesOf(`${path}/${entry}`) : build(entry.replace('../', '')),
  )
  for (const { target, patch } of patches) {
    const patched = all.find(({ kind, metadata }) => kind === target.kind && metadata.name === target.name)
    if (!patched) throw new Error(`${path} patches ${target.kind} ${target.name}, which doesn't exist`)
    for (const operation of parse(patch) as Operation[]) apply(patched, operation)
  }
  const text = images.reduce(
    (json, { name, newName, newTag }) => json.replaceAll(`"image":"${name}"`, `"image":"${newName}:${newTag}"`),
    JSON.stringify(all),
  )
  return JSON.parse(text)
}

/** One step of a JSON patch (RFC 6902), without those that no overlay uses. */
function apply(resource: object, { op, path, value }: Operation) {
  const keys = path.split('/').slice(1)
  const last = keys.pop() ?? ''
  const parent = keys.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, { ...resource })
  expect(parent, path).toBeTypeOf('object')
  if (op !== 'add') expect(parent, path).toHaveProperty([last])
  if (op === 'remove') delete parent[last]
  else parent[last] = value
}

describe.each(['base', 'example'])('deploy/kubernetes/%s', (path) => {
  const resources = build(path)
  const find = <Kind>(kind: string, name = 'ovation') => {
    const found = resources.find((one) => one.kind === kind && one.metadata.name === name)
    if (!found) throw new Error(`no ${kind} ${name}`)
    return found as unknown as Kind
  }
  type Container = {
    image: string
    envFrom?: Record<string, { name: string }>[]
    ports?: { name: string; containerPort: number }[]
    volumeMounts: { name: string }[]
    securityContext: object
  }
  type Pod = {
    terminationGracePeriodSeconds: number
    securityContext: object
    containers: Container[]
    initContainers: Container[]
    volumes: { name: string }[]
  }
  type Deployed = { spec: { selector: { matchLabels: object }; template: { metadata: { labels: object }; spec: Pod } } }
  const deployment = find<Deployed>('Deployment')
  const pod = deployment.spec.template.spec
  const settings = find<{ data: Record<string, string> }>('ConfigMap').data

  it.each(resources.map((one) => [one.kind, one.metadata.name, one] as const))(
    'has a %s %s that meets its published schema [SCALE-07]',
    (kind, _name, resource) => {
      if (kind === 'ObjectStore') {
        // The plugin's own schema isn't on npm, but that of its configuration is.
        const { configuration, retentionPolicy, ...rest } = resource.spec as Record<string, object>
        validate(BarmanObjectStoreConfiguration, configuration ?? {})
        expect(retentionPolicy).toMatch(/^\d+[dwm]$/)
        expect(rest).toEqual({})
        return
      }
      const schema = schemas[`${resource.apiVersion} ${kind}`]
      if (!schema) throw new Error(`no schema for ${resource.apiVersion} ${kind}`)
      validate(schema, resource)
    },
  )

  it('lists every file of its folder', () => {
    const { resources: listed } = parse(read(`${path}/kustomization.yaml`)) as Kustomization
    const files = readdirSync(`${folder}${path}`).filter((file) => file !== 'kustomization.yaml')
    expect(listed.filter((entry) => entry.endsWith('.yaml')).toSorted()).toEqual(files.toSorted())
  })

  it('connects what belongs together [SCALE-07]', () => {
    const labels = deployment.spec.template.metadata.labels
    expect(labels).toMatchObject(deployment.spec.selector.matchLabels)
    expect(labels).toMatchObject(find<{ spec: { selector: object } }>('Service').spec.selector)
    for (const kind of ['PodDisruptionBudget'])
      expect(labels).toMatchObject(
        find<{ spec: { selector: { matchLabels: object } } }>(kind).spec.selector.matchLabels,
      )
    const policy = find<{ spec: { podSelector: { matchLabels: object } } }>('NetworkPolicy')
    expect(labels).toMatchObject(policy.spec.podSelector.matchLabels)
    const volumes = pod.volumes.map(({ name }) => name)
    for (const { volumeMounts } of [...pod.containers, ...pod.initContainers])
      for (const { name } of volumeMounts) expect(volumes).toContain(name)
    const { host, tls } = ((spec) => ({ host: spec.rules[0]?.host, tls: spec.tls[0]?.hosts[0] }))(
      find<{ spec: { rules: { host: string }[]; tls: { hosts: string[] }[] } }>('Ingress').spec,
    )
    expect([host, tls]).toEqual([new URL(settings.SITE_URL ?? '').host, host])
    expect(find<{ spec: { cluster: { name: string } } }>('ScheduledBackup', 'ovation-postgres').spec.cluster.name).toBe(
      find<Resource>('Cluster', 'ovation-postgres').metadata.name,
    )
    expect(JSON.stringify(pod.containers)).toContain('"name":"ovation-postgres-app"') // CloudNativePG's name for it
  })

  it('sets documented variables, and leaves the time that a stop takes [SCALE-07]', () => {
    const documented = ['docs/configuration.md', 'docs/operations.md'].map((page) => readFileSync(root + page, 'utf8'))
    for (const name of Object.keys(settings)) expect(documented.join()).toContain(`\`${name}`)
    const takes = Number(settings.DRAIN_SECONDS) + Number(settings.SHUTDOWN_GRACE_SECONDS)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(takes + 10)
  })

  it('gives PostgreSQL what the pods need, and limits what a hanging reader of the log keeps [SCALE-07]', () => {
    type Spec = { postgresql: { parameters: Record<string, string> }; walStorage: { size: string } }
    const { postgresql, walStorage } = find<{ spec: Spec }>('Cluster', 'ovation-postgres').spec
    const { parameters } = postgresql
    const { maxReplicas } = find<{ spec: { maxReplicas: number } }>('HorizontalPodAutoscaler').spec
    expect(parameters.wal_level).toBe('logical')
    expect(Number.parseInt(parameters.max_slot_wal_keep_size ?? '', 10)).toBeLessThan(
      Number.parseInt(walStorage.size, 10) / 2,
    )
    expect(Number(parameters.max_connections)).toBeGreaterThanOrEqual(maxReplicas * Number(settings.WORKERS) * 20 + 20)
    expect(Number(parameters.max_replication_slots)).toBeGreaterThanOrEqual(maxReplicas + 2)
    expect(Number(parameters.max_wal_senders)).toBeGreaterThanOrEqual(maxReplicas + 2)
  })

  it('runs without any privilege, and holds no secret [SCALE-07]', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    for (const { securityContext } of [...pod.containers, ...pod.initContainers])
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    expect(resources.map(({ kind }) => kind)).not.toContain('Secret')
    expect(Object.keys(settings).filter((name) => /PASSWORD|SECRET|TOKEN|_KEY/.test(name))).toEqual([])
  })
})

it('finds a field with a wrong name, a wrong type, and a missing one [SCALE-07]', () => {
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' } }
  const spec = { selector: {}, template: { spec: { containers: [{ name: 'x' }] } } }
  validate(Deployment, { ...deployment, spec })
  expect(() => validate(Deployment, { ...deployment, spec: { ...spec, replcas: 3 } })).toThrow('/spec/replcas')
  expect(() => validate(Deployment, { ...deployment, spec: { ...spec, replicas: 'three' } })).toThrow('integer')
  expect(() => validate(Deployment, { ...deployment, spec: { template: spec.template } })).toThrow('selector')
})
