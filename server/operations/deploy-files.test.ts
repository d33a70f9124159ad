import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findPromtool } from '../testing/find-program.ts'
import { startGateway } from '../testing/gateway.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')
const documented = new Set(
  [
    ...`${read('README.md')}${read('docs/configuration.md')}${read('docs/operations.md')}`.matchAll(
      /`([A-Z][A-Z0-9_]+)/g,
    ),
  ].map(([, name]) => name),
)

type Compose = {
  services: Record<
    string,
    {
      build?: string
      env_file?: string
      environment?: Record<string, unknown>
      volumes?: string[]
      depends_on?: string[] | Record<string, { condition: string }>
      healthcheck?: object
    }
  >
  volumes: Record<string, unknown>
  networks?: { default?: { ipam?: { config: { subnet: string }[] } } }
}

describe('deploy/compose.yaml', () => {
  const { services, volumes, networks } = parse(read('deploy/compose.yaml'), { merge: true }) as Compose

  it('names existing services, volumes, and paths [SCALE-07]', () => {
    for (const [name, { build, volumes: mounted = [], depends_on: needs = [] }] of Object.entries(services)) {
      if (build) expect(existsSync(`${root}deploy/${build}/Dockerfile`), name).toBe(true)
      for (const mount of mounted) expect(Object.keys(volumes), name).toContain(mount.split(':')[0])
      for (const other of Array.isArray(needs) ? needs : Object.keys(needs))
        expect(services, name).toHaveProperty(other)
      if (!Array.isArray(needs))
        for (const [other, { condition }] of Object.entries(needs))
          if (condition === 'service_healthy') expect(services[other], other).toHaveProperty('healthcheck')
    }
  })

  it('sets known variables, and needs only those of the example in deploy/.env [SCALE-07]', () => {
    const set = Object.keys(services.site?.environment ?? {})
    expect(set).toContain('DATABASE_URL')
    for (const variable of set) expect(documented).toContain(variable)
    const example = new Set([...read('deploy/example.env').matchAll(/^([A-Z_0-9]+)=/gm)].map(([, name]) => name))
    for (const [, wanted] of read('deploy/compose.yaml').matchAll(/\$\{([A-Z0-9_]+)/g))
      expect(example).toContain(wanted)
    const ofParts = ['POSTGRES_PASSWORD', 'S3_PASSWORD'] // for the services beside the product
    for (const variable of example) if (!ofParts.includes(String(variable))) expect(documented).toContain(variable)
  })

  it('trusts its own network, and no visitor from another private one', () => {
    const [own] = networks?.default?.ipam?.config ?? []
    expect(services.site?.environment?.TRUSTED_PROXIES).toBe(`loopback,${own?.subnet}`)
  })

  it('configures PostgreSQL for realtime/v1', () => {
    expect(JSON.stringify(services.postgres)).toContain('wal_level=logical')
  })
})

describe('the Dockerfile', () => {
  /** Instructions with their lines joined. */
  const instructions = read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line))

  it('consists of instructions, and copies existing files', () => {
    for (const instruction of instructions) {
      expect(instruction?.[1]).toMatch(/^(FROM|WORKDIR|COPY|RUN|USER|ENV|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/)
      if (instruction?.[1] !== 'COPY' || /--from=/.test(instruction[2] ?? '')) continue
      const places = (instruction[2] ?? '').split(/\s+/).filter((word) => !word.startsWith('--'))
      for (const place of places.slice(0, -1)) expect(existsSync(`${root}${place}`), place).toBe(true)
    }
    expect(instructions[0]?.[1]).toBe('FROM')
  })

  it('copies the package.json of every workspace before npm ci, which needs them', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
    const before = read('Dockerfile').split('npm ci')[0]
    for (const workspace of workspaces) expect(before).toContain(`COPY ${workspace}/package.json ${workspace}/`)
    expect(before).toContain('COPY scripts/check-node.cjs scripts/') // npm ci runs it
  })

  it('runs existing modules as a user other than root', () => {
    const modules = [...read('Dockerfile').matchAll(/import\('\/app\/([^']+)'\)/g)].map(([, module]) => module)
    expect(modules).not.toEqual([])
    expect(modules.filter((module) => !existsSync(`${root}${module}`))).toEqual([])
    const lastUser = instructions.findLast((instruction) => instruction?.[1] === 'USER')
    expect(lastUser?.[2]).toBe('node')
  })

  it('starts the product itself, with the command of npm start, so that a stop signal reaches it', () => {
    const startScript = JSON.parse(read('package.json')).scripts.start
    const memory = instructions.flatMap((instruction) => /^MALLOC_.+$/.exec(instruction?.[2] ?? '') ?? []).join(' ')
    expect(read('deploy/ovation.service')).toContain(`Environment=${memory}\n`)
    const [, , command = ''] = instructions.findLast((instruction) => instruction?.[1] === 'CMD') ?? []
    const words = JSON.parse(command) as string[]
    expect(existsSync(`${root}${words[0]}`)).toBe(true)
    expect(`exec env ${memory} node ${words.slice(1).join(' ')}`).toBe(startScript)
  })
})

describe.each(['deploy/ovation.service', 'deploy/ovation-backup.service'])('%s', (file) => {
  const unit = read(file)

  it('starts an existing program and file, below its working directory', () => {
    const place = /^WorkingDirectory=(.+)$/m.exec(unit)?.[1] ?? ''
    const [program = '', , script = ''] = (/^ExecStart=(.+)$/m.exec(unit)?.[1] ?? '').split(' ')
    expect(program.startsWith(`${place}/`)).toBe(true)
    expect(existsSync(program.replace(place, root.replace(/\/$/, '')))).toBe(true)
    expect(statSync(`${root}${script}`).isFile()).toBe(true)
  })
})

describe.each(readdirSync(`${root}deploy`).filter((file) => /\.(service|timer)$/.test(file)))('deploy/%s', (file) => {
  const unit = read(`deploy/${file}`)

  it('consists of sections and settings in systemd’s syntax', () => {
    const lines = unit.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    for (const line of lines) expect(line).toMatch(/^\[(Unit|Service|Timer|Install)\]$|^[A-Z][A-Za-z]+=\S/)
  })

  it('is started by the other of its name', () => {
    const own = file.replace(/\.\w+$/, '')
    if (file.endsWith('.timer')) expect(existsSync(`${root}deploy/${own}.service`)).toBe(true)
    else expect(existsSync(`${root}deploy/${own}.timer`) || unit.includes('WantedBy=')).toBe(true)
  })
})

describe('deploy/prometheus-alerts.yml and deploy/grafana.json', () => {
  type Rules = { groups: { rules: { alert: string; expr: string; labels: object; annotations: object }[] }[] }
  type Dashboard = {
    panels: { title: string; targets: { expr: string }[] }[]
    templating: { list: { query: string }[] }
  }
  const rules = (parse(read('deploy/prometheus-alerts.yml')) as Rules).groups.flatMap((group) => group.rules)
  const { panels, templating } = JSON.parse(read('deploy/grafana.json')) as Dashboard
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...templating.list.map(({ query }) => query),
  ]

  it('use metrics that /metrics has [SCALE-07]', async () => {
    const gateway = await startGateway()
    try {
      const text = await (await fetch(`${gateway.url}/metrics`)).text()
      const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name))
      const asked = expressions.flatMap((expr) => expr.match(/\b(ovation|process|nodejs)_\w+/g) ?? [])
      expect(asked.length).toBeGreaterThan(30)
      for (const name of asked)
        expect.soft(known, name).toContain(name.replace(/_seconds_(bucket|sum|count)$/, '_seconds'))
      const own = [...known].filter((name) => name?.startsWith('ovation_'))
      const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join(' ')
      for (const name of own.filter((name) => name !== 'ovation_build_info'))
        expect.soft(shown, `no panel shows ${name}`).toContain(name)
    } finally {
      await gateway.close()
    }
  }, 60_000)

  it('give each alert a severity and a description [SCALE-07]', () => {
    for (const { alert, labels, annotations } of rules) {
      expect.soft(labels, alert).toMatchObject({ severity: expect.stringMatching(/^(page|ticket)$/) })
      expect.soft(annotations, alert).toHaveProperty('summary')
    }
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
  })

  it('fire when they should, and only then, by Prometheus’s own test of rules [SCALE-07]', () => {
    type Tests = { tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[] }
    const { tests } = parse(read('deploy/prometheus-alerts.test.yml')) as Tests
    const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test)
    const fired = cases.filter(({ exp_alerts }) => exp_alerts.length > 0).map(({ alertname }) => alertname)
    expect(fired.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted())
    const run = spawnSync(findPromtool(), ['test', 'rules', 'deploy/prometheus-alerts.test.yml'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(run.status, `${run.stdout}${run.stderr}`).toBe(0)
  })
})
