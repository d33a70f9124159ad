import { hostsOf } from './database-hosts.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const postgresProtocols = ['postgres:', 'postgresql:']

/** Invalid configuration: the start stops with this one sentence. */
export class ConfigError extends Error {}

/** Collects every complaint, so that one start reports all of them. */
export class EnvironmentReader {
  readonly #env: Environment
  readonly #complaints: string[] = []
  readonly #read = new Set<string>()

  constructor(env: Environment) {
    this.#env = env
  }

  optional(name: string): string | undefined {
    this.#read.add(name)
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  /** The variable parts of all names that are set and match. */
  names(pattern: RegExp): string[] {
    return Object.keys(this.#env).flatMap((name) => (this.#env[name]?.trim() && pattern.exec(name)?.[1]) || [])
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback
  }

  secret(name: string, minLength: number): string | undefined {
    const value = this.optional(name)
    if (value && value.length < minLength) this.#complaints.push(`${name} must have at least ${minLength} characters`)
    return value
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.optional(name)
    if (text === undefined) return fallback
    const value = Number(text)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    this.#complaints.push(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
    return fallback
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.optional(name)?.toLowerCase()
    if (text === undefined) return fallback
    if (['1', 'true', 'yes', 'on'].includes(text)) return true
    if (['0', 'false', 'no', 'off'].includes(text)) return false
    this.#complaints.push(`${name} must be 1 or 0, not "${text}"`)
    return fallback
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    const text = this.optional(name)
    if (text === undefined) return fallback
    const found = choices.find((choice) => choice === text)
    if (found) return found
    this.#complaints.push(`${name} must be one of ${choices.join(', ')}, not "${text}"`)
    return fallback
  }

  list(name: string, fallback: readonly string[]): readonly string[] {
    const text = this.optional(name)
    if (text === undefined) return fallback
    return text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  }

  url(name: string, protocols: readonly string[]): string | undefined {
    const text = this.optional(name)
    if (text === undefined) return undefined
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      // The value isn't repeated: it may hold a password.
      this.#complaints.push(`${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
      return undefined
    }
    return text
  }

  /** An origin: a URL without a path. */
  origin(name: string, protocols: readonly string[]): string | undefined {
    const text = this.url(name, protocols)
    if (text === undefined) return undefined
    const { origin, pathname, search, hash, username } = new URL(text)
    if (pathname !== '/' || search || hash || username)
      this.#complaints.push(`${name} must be an origin without a path, such as ${origin}: Ovation serves at the root`)
    return origin
  }

  /** A PostgreSQL URL, with one host or several (`server/database-hosts.ts`). */
  /** Each of a list, separated by commas, has one host. */
  databaseUrls(name: string): readonly string[] {
    const urls = this.list(name, [])
    const isValid = urls.every((url) => {
      const parsed = URL.parse(url)
      return parsed?.hostname && postgresProtocols.includes(parsed.protocol)
    })
    if (isValid) return urls
    this.#complaints.push(
      `${name} must list URLs with one host each, such as postgres://user@host1/database,postgres://user@host2/database`,
    )
    return []
  }

  databaseUrl(name: string): string | undefined {
    const text = this.optional(name)
    if (text === undefined) return undefined
    const query = new URLSearchParams(text.split('?', 2)[1])
    if ([query.get('host'), query.get('port')].some((list) => list?.includes(','))) {
      this.#complaints.push(
        `${name} names several hosts in its query: name them in its address, such as postgres://user@host1:5432,host2:5432/database`,
      )
      return undefined
    }
    if (!['any', 'read-write', 'primary'].includes(query.get('target_session_attrs') ?? 'any')) {
      this.#complaints.push(
        `${name} requests a read-only session (target_session_attrs): name the primary, because Ovation writes to it`,
      )
    }
    const hosts = hostsOf(text)
    if (hosts.length === 1) return this.url(name, postgresProtocols)
    const parsed = hosts.map((host) => URL.parse(host))
    if (parsed.every((host) => host?.hostname && postgresProtocols.includes(host.protocol))) return text
    this.#complaints.push(
      `${name} must have a name and a port for each of its hosts, such as postgres://user@host1:5432,host2:5432/database`,
    )
    return undefined
  }

  matching(name: string, pattern: RegExp, wanted: string): string | undefined {
    const text = this.optional(name)
    // The value isn't repeated: it may be a secret.
    if (text !== undefined && !pattern.test(text)) this.#complaints.push(`${name} must ${wanted}`)
    return text
  }

  /** Variables that look like ours but aren't: a misspelled setting has no effect, and nothing else would report it. */
  unknown(): { readonly name: string; readonly meant: string | undefined }[] {
    return Object.keys(this.#env).flatMap((name) => {
      if (this.#read.has(name) || name.length < 6) return []
      const meant = [...this.#read].find((known) => known.length >= 6 && isNear(name, known))
      return meant !== undefined || /^(AUTH|STRIPE|REALTIME|HTTP_MAX)_/.test(name) ? [{ name, meant }] : []
    })
  }

  require(condition: unknown, complaint: string) {
    if (!condition) this.#complaints.push(complaint)
  }

  finish() {
    if (this.#complaints.length > 0) throw new ConfigError(`${this.#complaints.join('; ')}.`)
  }
}

/** Whether at most two edits turn one into the other: an added, removed or changed character; swapped neighbors count as two. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2) return false
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + same,
      )
    }
    above = current
  }
  return (above[other.length] ?? 0) <= 2
}
