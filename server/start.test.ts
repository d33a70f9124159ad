import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startSandbox } from '@ovation/sandbox'
import { createClient } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { demoRequests } from './demo/content/admin-inbox.ts'
import { demoCreators } from './demo/content/creators/index.ts'
import { demoCrowd, demoVoices } from './demo/content/fans.ts'
import { planYear } from './demo/history/plan.ts'
import { settingOf } from './demo/history/steps.ts'
import { withClient } from './postgres/migrate.ts'
import { freePort } from './testing/free-port.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const isRoot = process.getuid?.() === 0
const lastPortOfRoot = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')) - 1

/** These tests start the product as users do: as a process. */
describe('npm start', () => {
  /** The data directory of a first start that was stopped. A copy starts at once, while a new cluster would run every migration first. */
  const begun = mkdtempSync(join(tmpdir(), 'ovation-start-'))
  let dataDir: string
  let running: ChildProcess[] = []

  beforeAll(async () => {
    dataDir = begun
    const { child } = await launchReady()
    await stop(child)
  }, 240_000)
  afterAll(() => rmSync(begun, { recursive: true, force: true }))
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'ovation-start-'))
    running = []
  })
  /** Keeps the owners: PostgreSQL rejects files of another user. */
  const comeBack = () => execFileSync('cp', ['-a', `${begun}/.`, dataDir])
  afterEach(async () => {
    await Promise.all(running.map((child) => stop(child)))
    rmSync(dataDir, { recursive: true, force: true })
  })

  const direct = [process.execPath, '--disable-warning=ExperimentalWarning', 'server/main.ts']
  /** Root without the permissions of root. An ordinary user has none of them. */
  const unprivileged = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', ...direct] : direct

  function launch(
    env: Record<string, string> = {},
    user: { uid?: number; gid?: number } = {},
    [program = '', ...args]: readonly string[] = direct,
  ) {
    const child = spawn(program, args, {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        TEST_RUN_ID: process.env.TEST_RUN_ID, // it ends with the test run
        DATA_DIR: dataDir,
        PORT: '0',
        DEMO: '0',
        LOG_LEVEL: 'warn',
        WORKERS: '1', // on every machine alike
        ...env,
      },
      ...user,
    })
    running.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output += text))
    return { child, output: () => output }
  }

  async function launchReady(env: Record<string, string> = {}, user = {}) {
    const { child, output } = launch(env, user)
    for (const deadline = Date.now() + 180_000; Date.now() < deadline; await sleep(50)) {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0]
      if (url && /is ready in/.test(output())) return { child, url, output }
      if (child.exitCode !== null) break
    }
    throw new Error(`the product did not start:\n${output()}`)
  }

  const postmasterOrNone = () => {
    try {
      return postmaster()
    } catch {
      return null // not yet
    }
  }
  const postmaster = () => Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

  it('serves on one origin, rejects a second start on the same data, survives a database crash, stops within 5 s [API-RT-02]', async () => {
    comeBack()
    const { child, url, output } = await launchReady()
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)

    await sendPacked(url)

    const second = launch()
    expect(await exitCode(second.child)).toBe(1)
    expect(second.output()).toMatch(
      /^Ovation did not start\. DATA_DIR .+ is in use by another Ovation \(process \d+\): stop it, or set another DATA_DIR and PORT\.$/m,
    )

    await outliveDatabase(url)
    const server = postmaster()
    const startedAt = Date.now()
    const before = output().length
    child.kill('SIGTERM')
    expect(await exitCode(child)).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(5_000)
    expect(isAlive(server)).toBe(false)
    expect(output().slice(before)).not.toMatch(/administrator command/) // a stop is no reason for a warning
  }, 240_000)

  /** The files that the document names are compressed in a format the browser accepts. */
  async function sendPacked(url: string) {
    const page = await (await fetch(url)).text()
    const named = page.matchAll(/"(\/assets\/(?:libraries-[^"]+|style-[^"]+\.css))"/g)
    const files = new Set([...named].map(([, file]) => file))
    await isUpToDate(url)
    expect(files.size).toBe(2) // the shell's script and its style
    for (const file of files)
      for (const encoding of ['br', 'gzip', null]) {
        const answer = await fetch(`${url}${file}`, { headers: { 'accept-encoding': encoding ?? 'identity' } })
        expect(answer.headers.get('content-encoding'), file).toBe(encoding)
        expect(answer.headers.get('vary')).toMatch(/accept-encoding/i)
        expect((await answer.text()).length).toBeGreaterThan(100_000) // unpacked again
      }
  }

  /** The document is compressed too, and isn't sent again to a browser that has it. */
  async function isUpToDate(url: string) {
    const page = await fetch(url, { headers: { 'accept-encoding': 'br' } })
    expect(page.headers.get('content-encoding')).toBe('br')
    const known = { 'if-none-match': page.headers.get('etag') ?? '' }
    expect((await fetch(url, { headers: known })).status).toBe(304)
    expect((await fetch(`${url}/explore`, { headers: known })).status).toBe(200)
  }

  /** The database server dies. It is restarted, and live clients are notified, rejoin, and receive each change once. */
  async function outliveDatabase(url: string) {
    const { anonKey } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
    const client = createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
    const { data } = await client.auth.signUp({ email: 'live@example.com', password: 'correct horse battery' })
    const statuses: string[] = []
    const names: unknown[] = []
    client
      .channel('restart')
      .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'profiles' }, (change) =>
        names.push(change.new.display_name),
      )
      .subscribe((status) => statuses.push(status))
    await eventually(() => expect(statuses).toEqual(['SUBSCRIBED']))
    const before = postmaster()
    process.kill(before, 'SIGKILL')
    await eventually(() => expect(statuses).toContain('CHANNEL_ERROR'))
    await vi.waitFor(() => expect(statuses.at(-1)).toBe('SUBSCRIBED'), 40_000)
    expect(postmaster()).not.toBe(before)
    for (const display_name of ['One', 'Two', 'Three']) {
      const { error } = await client.from('profiles').update({ display_name }).eq('user_id', data.user?.id)
      expect(error).toBeNull()
      await eventually(() => expect(names.at(-1)).toBe(display_name))
    }
    expect(names).toEqual(['One', 'Two', 'Three'])
    await client.removeAllChannels()
    client.realtime.disconnect()
  }

  it('keeps its data after kill -9 of everything, and of itself alone', async () => {
    comeBack()
    const first = await launchReady()
    const { serviceRoleKey } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
    const account = { email: 'kept@example.com', password: 'correct horse battery', email_confirm: true }
    const made = await fetch(`${first.url}/auth/v1/admin/users`, {
      method: 'POST',
      headers: { apikey: serviceRoleKey, 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
    expect(made.status).toBe(200)
    process.kill(postmaster(), 'SIGKILL')
    first.child.kill('SIGKILL')
    await exitCode(first.child)

    const second = await launchReady()
    expect(await signIn(second.url, account)).toBe(200)
    const orphan = postmaster()
    second.child.kill('SIGKILL')
    await exitCode(second.child)
    expect(isAlive(orphan)).toBe(true)

    const third = await launchReady()
    expect(isAlive(orphan)).toBe(false)
    expect(await signIn(third.url, account)).toBe(200)
  }, 240_000)

  it('starts with Stripe keys, leaves the demo out, and creates nothing at Stripe [GEN-14]', async () => {
    comeBack()
    const provider = await startSandbox({
      file: join(dataDir, 'provider.sqlite'),
      merchant: 'Stripe',
      isDurable: false,
    })
    onTestFinished(() => provider.close())
    await launchReady({
      DEMO: '1',
      STRIPE_SECRET_KEY: 'sk_test_of_an_operator',
      STRIPE_WEBHOOK_SECRET: 'whsec_one,whsec_two',
      STRIPE_API_BASE: provider.url,
    })
    expect(provider.books().accounts).toEqual({})
  })

  it('ends with the npm that started it: a SIGTERM to npm start frees port and data [GEN-11]', async () => {
    comeBack()
    const port = await freePort()
    const npm = launch({ PORT: String(port) }, {}, ['npm', 'start'])
    await expect.poll(npm.output, { timeout: 45_000 }).toMatch(/is ready in/)
    const server = postmaster()
    npm.child.kill('SIGTERM')
    await exitCode(npm.child)
    // Neither waits for the other: the same folder and the same port, at the same time.
    const { child } = await launchReady({ PORT: String(port) })
    expect(isAlive(server)).toBe(false)
    await stop(child)
  }, 240_000)

  it('shuts down in order when a signal comes during the start: while the database comes up, and while the demo is filled', async () => {
    comeBack()
    const early = launch()
    await expect.poll(postmasterOrNone, { timeout: 20_000 }).not.toBeNull()
    const server = postmaster()
    early.child.kill('SIGTERM')
    expect(await exitCode(early.child)).toBe(0)
    expect(isAlive(server)).toBe(false)

    const port = await freePort()
    const filling = launch({ DEMO: '1', PORT: String(port) })
    const readiness = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null)
      return [response?.status, await response?.json()]
    }
    await expect.poll(readiness, { timeout: 40_000 }).toEqual([503, { status: 'starting' }])
    const profiles = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/rest/v1/profiles?select=id`).catch(() => null)
      return response?.ok ? ((await response.json()) as unknown[]).length : 0
    }
    await expect.poll(profiles, { timeout: 40_000 }).toBeGreaterThan(0)
    const second = postmaster()
    filling.child.kill('SIGTERM')
    expect(await exitCode(filling.child)).toBe(0)
    expect(filling.output()).not.toMatch(/is ready in/)
    expect(isAlive(second)).toBe(false)
  }, 240_000)

  describe('on an external database', () => {
    const name = `outside_${randomBytes(4).toString('hex')}`
    const url = (database: string) => inject('postgresUrl').replace('DATABASE', database)
    beforeEach(() => withClient(url('postgres'), (client) => client.query(`create database ${name}`)))
    afterEach(async () => {
      await Promise.all(running.map((child) => stop(child)))
      await withClient(url('postgres'), (client) => client.query(`drop database ${name} with (force)`))
    })

    it('migrates it and serves the whole product, without demo users', async () => {
      const { url: site } = await launchReady({ DATABASE_URL: url(name), DEMO: '' })
      expect((await fetch(`${site}/health/ready`)).status).toBe(200)
      expect(await (await fetch(`${site}/rest/v1/profiles`)).json()).toEqual([])
      expect((await fetch(`${site}/auth/v1/settings`)).status).toBe(200)
      expect(() => statSync(join(dataDir, 'postgres'))).toThrow()
    }, 240_000)

    it('fills it with the demo if DEMO=1 is set, and with a year of payments in which everything adds up, over a stop and a crash', async () => {
      const env = { DATABASE_URL: url(name), DEMO: '1' }
      const { child: stopped } = await launchReady(env)
      await expect.poll(eventsDone, { timeout: 120_000, interval: 50 }).toBeGreaterThan(100)
      await stop(stopped)
      const { child: killed } = await launchReady(env)
      await expect.poll(eventsDone, { timeout: 120_000, interval: 50 }).toBeGreaterThan(400)
      killed.kill('SIGKILL')
      await exitCode(killed)
      const { url: site, output } = await launchReady(env)
      const profiles = (await (await fetch(`${site}/rest/v1/profiles?select=username`)).json()) as {
        username: string
      }[]
      expect(profiles.map(({ username }) => username)).toContain('mara')
      await expect.poll(output, { timeout: 180_000, interval: 250 }).toMatch(/The demo is complete/)
      const found = await withClient(url(name), async (client) => {
        const ask = async (text: string) => (await client.query(text)).rows
        return {
          months: await ask(`select distinct date_trunc('month', created_at) from public.transactions`),
          counts: (
            await ask(
              `select
                 (select count(distinct (subscriber_id, creator_id)) from public.subscriptions)::int as pairs,
                 (select count(*) from public.subscriptions)::int as subscribe,
                 (select count(*) from public.subscriptions where canceled_at is not null)::int as cancel,
                 (select count(*) from public.transactions where transaction_type = 'tip')::int as tip,
                 (select count(*) from public.transactions where transaction_type = 'ppv')::int as buy,
                 (select count(*) from public.support_requests)::int as requests`,
            )
          )[0],
          problems: [
            // What is about a payment of the past is of the past, too.
            ...(await ask(
              `select n.title, n.created_at, t.created_at as paid_at from public.notifications n
               join public.transactions t on t.id::text = n.data ->> 'transaction_id'
               where n.created_at > t.created_at + interval '1 hour'`,
            )),
            ...(await ask(
              `select e.kind, e.sent_at, t.created_at as paid_at from private.payment_emails e
               join public.transactions t on t.id = e.transaction_id
               where t.created_at < now() - interval '2 hours'
                 and coalesce(e.sent_at, now()) > t.created_at + interval '1 hour'`,
            )),
            ...(await ask('select * from private.verify_ledger()')),
            ...(await ask('select * from private.verify_money()')),
            ...(await ask('select * from private.verify_counters()')),
            ...(await ask('select * from private.verify_conversations()')),
            ...(await ask('select * from private.payment_differences')),
          ],
        }
      })
      expect(found.problems).toEqual([])
      expect(found.months.length).toBeGreaterThanOrEqual(12)
      const { now } = await readYear()
      const year = planYear(
        now,
        demoCreators,
        [...demoVoices, ...demoCrowd].map(({ username }) => username),
      )
      const planned = (kind: (typeof year)[number]['kind']) => year.filter((event) => event.kind === kind).length
      // The printed fan's subscription begins at the first start.
      const subscribe = planned('subscribe') + 1
      expect(found.counts).toEqual({
        pairs: subscribe,
        subscribe,
        cancel: planned('cancel'),
        tip: planned('tip'),
        buy: planned('buy'),
        requests: demoRequests.length,
      })
    }, 360_000)

    const readYear = () =>
      withClient(url(name), async (client) => {
        const { rows } = await client.query<{ value: string }>('select value from private.settings where key = $1', [
          settingOf('year'),
        ])
        return JSON.parse(rows[0]?.value ?? '{"done":0}') as { now: number; done: number }
      })
    const eventsDone = async () => (await readYear()).done

    it('adds no past to demo users that were created before there was one', async () => {
      await launchReady({ DATABASE_URL: url(name), DEMO: '' }).then(({ child }) => stop(child))
      await withClient(url(name), (client) =>
        client.query(`insert into private.settings (key, value) values ('demo_seeded', 'true')`),
      )
      const { child, output } = await launchReady({ DATABASE_URL: url(name), DEMO: '1' })
      await stop(child)
      expect(output()).toMatch(/Demo logins/)
      expect(output()).not.toMatch(/demo's past|could not/)
    }, 240_000)

    it('serves it as it is with MIGRATE=0, and leaves nothing in it', async () => {
      await withClient(url(name), (client) =>
        client.query(
          'create table public.films (id int primary key); insert into public.films values (7); grant select on public.films to anon',
        ),
      )
      const { url: site } = await launchReady({ DATABASE_URL: url(name), MIGRATE: '0' })
      expect(await (await fetch(`${site}/rest/v1/films`)).json()).toEqual([{ id: 7 }])
      expect((await fetch(`${site}/health/ready`)).status).toBe(200)
      expect((await fetch(`${site}/auth/v1/settings`)).status).toBe(404)
      const schemas = `select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('public', 'information_schema')`
      expect(await withClient(url(name), async (client) => (await client.query(schemas)).rows)).toEqual([])
    }, 240_000)
  })

  it('reports invalid configuration in one sentence, and starts nothing', async () => {
    const { child, output } = launch({ PORT: 'eight', DATABASE_URL: 'nonsense' })
    expect(await exitCode(child)).toBe(1)
    expect(output()).toMatch(/^Ovation did not start\. DATABASE_URL must be .+; PORT must be .+\.$/m)
    expect(() => statSync(join(dataDir, 'postgres'))).toThrow()
  })

  it("names DATA_DIR if it can't be written to, and exits", async () => {
    const { child, output } = launch({ DATA_DIR: '/proc/ovation' })
    expect(await exitCode(child)).toBe(1)
    expect(output()).toMatch(
      /^Ovation did not start\. DATA_DIR \/proc\/ovation can't be written to \(\w+\): give it to/,
    )
  })

  it('names DATA_DIR if it belongs to another user', async () => {
    chmodSync(dataDir, 0o555)
    const { child, output } = launch({}, {}, unprivileged)
    expect(await exitCode(child)).toBe(1)
    expect(output()).toContain(`DATA_DIR ${dataDir} can't be written to (EACCES): give it to the user who runs Ovation`)
  })

  // In some containers any user may take any port.
  it.runIf(lastPortOfRoot > 0)("names PORT if its user may not take it, and doesn't start", async () => {
    const { child, output } = launch({ PORT: String(lastPortOfRoot) }, {}, unprivileged)
    expect(await exitCode(child)).toBe(1)
    expect(output()).toBe(
      `Ovation did not start. PORT ${lastPortOfRoot} on 127.0.0.1 needs more permissions than this user has: set another PORT.\n`,
    )
  })

  it('warns of variables that have no effect, and names the one that was probably meant', async () => {
    const nowhere = `postgres://127.0.0.1:${await freePort()}/none`
    const { child, output } = launch({ SIET_URL: 'https://creators.example', STRIPE_KEY: 'sk', DATABASE_URL: nowhere })
    expect(await exitCode(child)).toBe(1)
    expect(output()).toContain("SIET_URL isn't a setting of Ovation: did you mean SITE_URL?")
    expect(output()).toContain("STRIPE_KEY isn't a setting of Ovation, and has no effect")
  })

  it('makes its files accessible only to its own user', async () => {
    const made = join(dataDir, 'made')
    const { child } = await launchReady({ DATA_DIR: made })
    expect(statSync(made).mode & 0o777).toBe(isRoot ? 0o711 : 0o700)
    for (const file of ['sandbox.sqlite', 'secrets.json'])
      expect(statSync(join(made, file)).mode & 0o777, file).toBe(0o600)
    await stop(child)
  }, 240_000)

  it('serves with several processes that share limits and live messages, replaces one that dies, and ends them all after DRAIN_SECONDS [SCALE-08]', async () => {
    comeBack()
    const { child, url } = await launchReady({
      WORKERS: '3',
      DRAIN_SECONDS: '4',
      AUTH_RATE_LIMIT_FAILED_SIGN_IN: '7',
    })
    const workers = () => childrenOf(child.pid ?? 0, 'worker.ts')
    expect(workers()).toHaveLength(2)
    // New connections, so that each of the three eventually gets a request. HEAD, because each also renders its first page, which reads.
    const ask = async (times: number, path = '/rest/v1/profiles') => {
      const init = { method: 'HEAD', headers: { connection: 'close' } }
      const answers = Array.from({ length: times }, () => fetch(`${url}${path}`, init))
      return new Set((await Promise.all(answers)).map(({ status }) => status))
    }
    expect(await ask(30)).toEqual(new Set([200]))

    // Any process reports the figures of all, so the counts never go back.
    const answered = async () => {
      const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text()
      return Number(/ovation_http_request_seconds_count\{api="rest",method="HEAD",status="2xx"\} (\d+)/.exec(text)?.[1])
    }
    for (let turn = 0; turn < 6; turn++) expect(await answered()).toBe(30)

    // Together the processes allow seven.
    const guesses: number[] = []
    for (let guess = 0; guess < 20; guess++)
      guesses.push(await signIn(url, { email: 'nobody@example.com', password: 'wrong password' }))
    expect(guesses).toEqual([...Array(7).fill(400), ...Array(13).fill(429)])

    // Sockets to any process, twelve, so that hardly ever all are in one.
    const { anonKey } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
    const heard: unknown[] = []
    const channels = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const client = createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
        const channel = client.channel('lobby')
        channel.on('broadcast', { event: 'hello' }, ({ payload }) => heard.push(payload))
        await new Promise<void>((joined) => channel.subscribe((status) => status === 'SUBSCRIBED' && joined()))
        return { client, channel }
      }),
    )
    await channels[0]?.channel.send({ type: 'broadcast', event: 'hello', payload: { n: 1 } })
    await eventually(() => expect(heard).toEqual(Array(11).fill({ n: 1 })))
    await Promise.all(channels.map(({ client }) => client.realtime.disconnect()))

    const [victim] = workers()
    process.kill(victim ?? 0, 'SIGKILL')
    await expect.poll(() => workers().filter((pid) => pid !== victim).length, { timeout: 20_000 }).toBe(2)
    await expect.poll(() => ask(10).catch(String), { timeout: 20_000 }).toEqual(new Set([200]))

    const all = workers()
    const stoppedAt = performance.now()
    child.kill('SIGTERM')
    // Load balancers have the time to leave: each process says so, and still serves.
    await expect.poll(() => ask(30, '/health/ready').catch(String)).toEqual(new Set([503]))
    expect(await ask(10)).toEqual(new Set([200]))
    expect(await exitCode(child)).toBe(0)
    expect(performance.now() - stoppedAt).toBeGreaterThan(4_000)
    expect(all.filter(isAlive)).toEqual([])
  }, 240_000)

  it('tells the clients of each of its processes every live change once, without Redis [SCALE-08, API-RT-02]', async () => {
    comeBack()
    const { child, url } = await launchReady({ WORKERS: '2' })
    const { anonKey } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
    const open = () => createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
    // Sixteen sockets, so that hardly ever all are in one process.
    const followers = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const client = open()
        const statuses: string[] = []
        const names: unknown[] = []
        client
          .channel('new people')
          .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'profiles' }, (change) =>
            names.push(change.new.username),
          )
          .subscribe((status) => statuses.push(status))
        await eventually(() => expect(statuses).toEqual(['SUBSCRIBED']))
        return { client, names }
      }),
    )
    const names = ['ada', 'bob', 'cleo', 'dan']
    for (const username of names) {
      const options = { data: { username, terms_accepted: true } }
      await open().auth.signUp({ email: `${username}@example.com`, password: 'correct horse battery', options })
    }
    for (const { names: heard } of followers) await eventually(() => expect(heard).toEqual(names))

    // The sockets were in both: only those in the worker end with it.
    const [worker] = childrenOf(child.pid ?? 0, 'worker.ts')
    process.kill(worker ?? 0, 'SIGKILL')
    await eventually(() =>
      expect(new Set(followers.map(({ client }) => client.realtime.isConnected()))).toEqual(new Set([true, false])),
    )
    // Nothing came late or twice.
    for (const { names: heard } of followers) expect(heard).toEqual(names)
    await Promise.all(followers.map(({ client }) => client.realtime.disconnect()))
    await stop(child)
  }, 240_000)

  it('reports that its port is taken before it creates anything', async () => {
    const program = createServer().listen(0, '127.0.0.1')
    await once(program, 'listening')
    const { child, output } = launch({ PORT: String((program.address() as AddressInfo).port) })
    expect(await exitCode(child)).toBe(1)
    // Nothing else was printed or started.
    expect(output()).toMatch(
      /^Ovation did not start\. PORT \d+ on 127\.0\.0\.1 is taken by another program: set another PORT\.\n$/,
    )
    const elsewhere = launch({ HOST: '192.0.2.1', ALLOW_DEMO_ON_NETWORK: '1' })
    expect(await exitCode(elsewhere.child)).toBe(1)
    expect(elsewhere.output()).toMatch(
      /^Ovation did not start\. HOST 192\.0\.2\.1 is no address of this machine: .+\n$/,
    )
    expect(() => statSync(join(dataDir, 'postgres'))).toThrow()
    program.close()
  }, 240_000)

  // An ordinary user runs all of the above anyway. Only root can switch to a second user, if that user may read the checkout.
  it.runIf(isRoot && othersMayRead(root))(
    'runs as an ordinary user, too',
    async () => {
      const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })))
      chownSync(dataDir, uid ?? 0, gid ?? 0)
      const { url } = await launchReady({ HOME: dataDir }, { uid, gid })
      expect((await fetch(`${url}/health/ready`)).status).toBe(200)
    },
    60_000,
  )
})

/** Processes whose parent is `parent` and whose command contains `program`. */
function childrenOf(parent: number, program: string): number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return table.split('\n').flatMap((line) => {
    const [pid, ppid, ...command] = line.trim().split(/\s+/)
    return Number(ppid) === parent && command.join(' ').includes(program) ? [Number(pid)] : []
  })
}

function othersMayRead(directory: string): boolean {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })))
  return spawnSync('ls', [join(directory, 'server', '.')], { cwd: '/', uid, gid, stdio: 'ignore' }).status === 0
}

async function signIn(url: string, { email, password }: { email: string; password: string }): Promise<number> {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' }, // a new one each time, to any process
    body: JSON.stringify({ email, password }),
  })
  return response.status
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await exitCode(child)
}

function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((done) => child.once('exit', (code) => done(code)))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
