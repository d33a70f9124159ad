export type Environment = Readonly<Record<string, string | undefined>>

/** Bad configuration: the start stops with this one sentence. */
export class ConfigError extends Error {}

/** Collects every complaint, so that one start tells all of them. */
export class EnvironmentReader {
  readonly #env: Environment
  readonly #complaints: string[] = []

  constructor(env: Environment) {
    this.#env = env
  }

  optional(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  /** The variable part of every name that is set and fits. */
  names(pattern: RegExp): string[] {
    return Object.keys(this.#env).flatMap((name) => (this.optional(name) && pattern.exec(name)?.[1]) || [])
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
      // The value is not repeated: it may hold a password.
      this.#complaints.push(`${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
      return undefined
    }
    return text
  }

  require(condition: unknown, complaint: string) {
    if (!condition) this.#complaints.push(complaint)
  }

  finish() {
    if (this.#complaints.length > 0) throw new ConfigError(`${this.#complaints.join('; ')}.`)
  }
}
