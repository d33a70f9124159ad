import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isTooDeep, maxJsonDepth } from '../http/json-depth.ts'
import { authErrors } from './errors.ts'

/** Clients send JSON, some with another content type and some without a body, and like GoTrue we accept them. */
export function acceptJsonBodies(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined)
    if (takesForms(request)) return done(null, text)
    if (isTooDeep(text.toString())) return done(authErrors.badJson(`it is nested deeper than ${maxJsonDepth} levels`))
    parse(request, text.toString(), (failure, value) =>
      failure ? done(authErrors.badJson('it is not JSON')) : done(null, value),
    )
  })
}

/** Routes that receive forms from other sites or applications. */
function takesForms({ routeOptions: { url = '' }, headers }: FastifyRequest): boolean {
  if (url.endsWith('/oauth/token'))
    return headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  return url.endsWith('/callback') || url.endsWith('/saml/acs')
}

/** Deeper than any user's data, and below the limit of PostgreSQL's own parser. */
const maxDepth = 16
const maxTextLength = 8192

/** A client's body, read one field at a time, each with its own error. */
export class Body {
  readonly #fields: ReadonlyMap<string, unknown>

  /** @throws GatewayError 400 `bad_json` for anything but an object; no body counts as an empty one. */
  constructor({ body }: Pick<FastifyRequest, 'body'>) {
    if (body !== undefined && !isObject(body)) throw authErrors.badJson('it must be an object')
    this.#fields = new Map(Object.entries(body ?? {}))
  }

  /** Undefined if absent or null. @throws GatewayError 400 `validation_failed` for another type, or text that can't be stored. */
  text(name: string, maxLength = maxTextLength): string | undefined {
    const value = this.#fields.get(name) ?? undefined
    if (value === undefined) return undefined
    if (typeof value !== 'string') throw authErrors.validationFailed(`${name} must be a string`)
    if (value.length > maxLength) throw authErrors.validationFailed(`${name} is longer than ${maxLength} characters`)
    if (!isStorable(value)) throw authErrors.validationFailed(`${name} contains characters that can't be stored`)
    return value
  }

  flag(name: string): boolean | undefined {
    const value = this.#fields.get(name) ?? undefined
    if (value === undefined || typeof value === 'boolean') return value
    throw authErrors.validationFailed(`${name} must be true or false`)
  }

  /** A list of strings. */
  texts(name: string): readonly string[] | undefined {
    const value = this.#fields.get(name) ?? undefined
    if (value === undefined) return undefined
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string' && isStorable(item))) {
      throw authErrors.validationFailed(`${name} must be a list of strings`)
    }
    return value
  }

  /** An arbitrary object from the client, to be stored as JSON. */
  data(name: string): Readonly<Record<string, unknown>> | undefined {
    const value = this.#fields.get(name) ?? undefined
    if (value === undefined) return undefined
    if (!isObject(value)) throw authErrors.validationFailed(`${name} must be an object`)
    requireStorable(name, value, 0)
    return value
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** PostgreSQL can store neither NUL nor half a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function requireStorable(name: string, value: unknown, depth: number) {
  if (depth > maxDepth) throw authErrors.validationFailed(`${name} is nested too deeply`)
  if (typeof value === 'string' && !isStorable(value)) {
    throw authErrors.validationFailed(`${name} contains characters that can't be stored`)
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    requireStorable(name, key, depth + 1)
    requireStorable(name, item, depth + 1)
  }
}
