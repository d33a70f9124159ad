import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

type Program = {
  /** The name in messages. */
  readonly name: string
  /** The environment variable that overrides the path. */
  readonly variable: string
  readonly places: readonly string[]
  readonly debianPackage: string
}

/** The shell has no window to draw, so it takes a sixth less time than the whole browser. */
const browser: Program = {
  name: 'Chromium',
  variable: 'CHROMIUM_PATH',
  debianPackage: 'chromium-headless-shell',
  places: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
}

const redis: Program = {
  name: 'Redis',
  variable: 'REDIS_SERVER_PATH',
  debianPackage: 'redis-server',
  places: ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'],
}

const postgres: Program = {
  name: 'PostgreSQL',
  variable: 'POSTGRES_PATH',
  debianPackage: 'postgresql',
  places: [
    ...['18', '17', '16', '15'].map((version) => `/usr/lib/postgresql/${version}/bin/postgres`),
    '/usr/local/bin/postgres',
    '/opt/homebrew/bin/postgres',
  ],
}

const pgBouncer: Program = {
  name: 'PgBouncer',
  variable: 'PGBOUNCER_PATH',
  debianPackage: 'pgbouncer',
  places: ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'],
}

const nginx: Program = {
  name: 'nginx',
  variable: 'NGINX_PATH',
  debianPackage: 'nginx-light',
  places: ['/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'],
}

const haproxy: Program = {
  name: 'HAProxy',
  variable: 'HAPROXY_PATH',
  debianPackage: 'haproxy',
  places: ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'],
}

const ffmpeg: Program = {
  name: 'FFmpeg',
  variable: 'FFMPEG_PATH',
  debianPackage: 'ffmpeg',
  places: ['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg', '/opt/homebrew/bin/ffmpeg'],
}

const etcd: Program = {
  name: 'etcd',
  variable: 'ETCD_PATH',
  debianPackage: 'etcd-server',
  places: ['/usr/bin/etcd', '/usr/local/bin/etcd', '/opt/homebrew/bin/etcd'],
}

const patroni: Program = {
  name: 'Patroni',
  variable: 'PATRONI_PATH',
  debianPackage: 'patroni',
  places: ['/usr/bin/patroni', '/usr/local/bin/patroni', '/opt/homebrew/bin/patroni'],
}

const promtool: Program = {
  name: 'promtool',
  variable: 'PROMTOOL_PATH',
  debianPackage: 'prometheus',
  places: ['/usr/bin/promtool', '/usr/local/bin/promtool', '/opt/homebrew/bin/promtool'],
}

/** Each brings others that it needs. */
const ceph: readonly Program[] = ['radosgw', 'ceph-mon', 'ceph-osd'].map((program) => ({
  name: program,
  variable: `${program.toUpperCase().replace('-', '_')}_PATH`,
  debianPackage: program,
  places: [`/usr/bin/${program}`],
}))

const pgBackRest: Program = {
  name: 'pgBackRest',
  variable: 'PGBACKREST_PATH',
  debianPackage: 'pgbackrest',
  places: ['/usr/bin/pgbackrest', '/usr/local/bin/pgbackrest', '/opt/homebrew/bin/pgbackrest'],
}

/** Of `npm test`. A proof installs what it needs beyond them. */
const programs = [browser, redis, postgres, pgBouncer, nginx, haproxy, promtool, pgBackRest, ffmpeg]

/**
 * All of them, as the variables that name their paths. Installs those that are missing with one call: each run of apt-get reads its lists again.
 * @throws an Error that says what to do.
 */
export function findPrograms(): Record<string, string> {
  const missing = programs.filter((program) => !process.env[program.variable] && !findInPlaces(program))
  if (missing.length > 1) installFromDebian(missing)
  return Object.fromEntries(programs.map((program) => [program.variable, findProgram(program)]))
}

/** Chromium for the browser tests. @see findProgram */
export const findBrowser = (): string => findProgram(browser)

/** A Redis server for the tests of several nodes. @see findProgram */
export const findRedis = (): string => findProgram(redis)

/** A PostgreSQL server of the machine, for the tests of an outside database. @see findProgram */
export const findPostgres = (): string => findProgram(postgres)

/** PgBouncer for the tests of a pooled database. @see findProgram */
export const findPgBouncer = (): string => findProgram(pgBouncer)

/** nginx for the test of deploy/nginx.conf. @see findProgram */
export const findNginx = (): string => findProgram(nginx)

/** HAProxy for the test of deploy/haproxy.cfg. @see findProgram */
export const findHaproxy = (): string => findProgram(haproxy)

/** etcd for a cluster of PostgreSQL. @see findProgram */
export const findEtcd = (): string => findProgram(etcd)

/** Patroni for a cluster of PostgreSQL. @see findProgram */
export const findPatroni = (): string => findProgram(patroni)

/** promtool for the tests of deploy/prometheus-alerts.yml. @see findProgram */
export const findPromtool = (): string => findProgram(promtool)

/** Ceph for `npm run proof:s3`. @returns the path of its gateway, beside which the others are. @see findProgram */
export const findCeph = (): string => ceph.map(findProgram)[0] ?? ''

/** pgBackRest for the test of deploy/pgbackrest.conf. @see findProgram */
export const findPgBackRest = (): string => findProgram(pgBackRest)

/** FFmpeg for the tests of video. @see findProgram */
export const findFfmpeg = (): string => findProgram(ffmpeg)

/**
 * Finds a program that the tests need and npm does not provide: from its variable, from the machine, or from Debian's
 * package if root may install it.
 * @returns the path of the program.
 * @throws an Error that says what to do.
 */
function findProgram(program: Program): string {
  const { name, variable, debianPackage } = program
  const configured = process.env[variable]
  if (configured) {
    if (existsSync(configured)) return configured
    throw new Error(`${variable} names ${configured}, which is not there.`)
  }
  return (
    findInPlaces(program) ??
    (installFromDebian([program]) ? findInPlaces(program) : undefined) ??
    fail(`The tests need ${name}: install it (Debian: apt install ${debianPackage}), or set ${variable}.`)
  )
}

const findInPlaces = ({ places }: Program): string | undefined => places.find((place) => existsSync(place))

function installFromDebian(missing: readonly Program[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log(`Installing for the tests: ${missing.map(({ name }) => name).join(', ')}…`)
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  // Two test files may start at once: the second waits for the lock of the first.
  const waiting = ['-qq', '-o', 'DPkg::Lock::Timeout=300']
  const packages = missing.map(({ debianPackage }) => debianPackage)
  spawnSync('apt-get', ['update', ...waiting], options)
  return (
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...waiting, ...packages], options).status === 0
  )
}

function fail(message: string): never {
  throw new Error(message)
}
