import { AuthAdminApi, AuthClient } from '@supabase/supabase-js'
import { expect } from 'vitest'
import { endsOf, methodsOf, type Outcome } from './driven-methods.ts'

type Methods = Record<string, (...values: never[]) => unknown>

/**
 * Records the outcome of each method of `@supabase/auth-js` that a test file calls, so that the assigned methods are checked against what
 * really happened. Call it before creating any client, because a client binds its methods on creation.
 */
export function recordMethods() {
  const outcomes = new Map<string, Set<Outcome>>()
  const note = (name: string, outcome: Outcome) => {
    const seen = outcomes.get(name) ?? new Set()
    outcomes.set(name, seen.add(outcome))
  }
  const probe = buildProbe()
  record(AuthClient.prototype, 'auth', note)
  record(AuthAdminApi.prototype, 'admin', note)
  record(Object.getPrototypeOf(probe.mfa.webauthn), 'webauthn', note)
  const innerNames = new Map(publicMethods(probe).map(({ name, inner }) => [name, inner]))
  return {
    /** @param file its name in `drivenIn`. */
    expectDriven(file: string) {
      const missing = methodsOf(file).flatMap((name) => {
        const seen = outcomes.get(innerNames.get(name) ?? '')
        return endsOf(name)
          .filter((outcome) => !seen?.has(outcome))
          .map((outcome) => `${name} ${outcome}`)
      })
      expect(missing, 'methods without this outcome in the tests of this file').toEqual([])
    },
  }
}

/** Every public method, such as `mfa.enroll`, with its function. */
export function publicMethods(client: InstanceType<typeof AuthClient>): { name: string; inner: string }[] {
  const { admin, mfa, passkey, oauth } = client
  return [
    ...ownMethods(client, 'auth', '', AuthClient.prototype),
    ...ownMethods(admin, 'admin', 'admin.', AuthAdminApi.prototype),
    ...ownMethods(mfa, 'auth', 'mfa.'),
    ...ownMethods(mfa.webauthn, 'webauthn', 'mfa.webauthn.'),
    ...ownMethods(mfa.recoveryCodes, 'auth', 'mfa.recoveryCodes.'),
    ...ownMethods(passkey, 'auth', 'passkey.'),
    ...ownMethods(oauth, 'auth', 'oauth.'),
    ...Object.entries(admin).flatMap(([name, space]) =>
      isNamespace(space) ? ownMethods(space, 'admin', `admin.${name}.`) : [],
    ),
  ]
}

export const buildProbe = () =>
  new AuthClient({ url: 'http://localhost', autoRefreshToken: false, persistSession: false })

/** Private in the client's source, or no method: JavaScript can't tell. */
const inner = new Set([
  'signInWithEthereum',
  'signInWithSolana',
  'linkIdentityOAuth',
  'linkIdentityIdToken',
  'fetchJwk',
  'fetch',
  'logger',
  'lock',
  'jwks',
  'jwks_cached_at',
])

function ownMethods(object: object, owner: string, prefix: string, prototype: object = {}) {
  const onPrototype = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')
  const own = Object.entries(object).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
  return [...new Set([...onPrototype, ...own])]
    .filter((name) => !name.startsWith('_') && !inner.has(name))
    .map((name) => {
      const { name: bound } = (object as Methods)[name] as { name: string }
      return { name: prefix + name, inner: `${owner}#${bound.startsWith('bound ') ? bound.slice(6) : name}` }
    })
}

function isNamespace(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function record(prototype: object, owner: string, note: (name: string, outcome: Outcome) => void) {
  for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'constructor' || typeof method !== 'function') continue
    const recorded = function (this: unknown, ...values: unknown[]) {
      const result: unknown = method.apply(this, values)
      if (!(result instanceof Promise)) note(`${owner}#${name}`, 'done')
      else {
        result.then(
          (answer) => note(`${owner}#${name}`, answer?.error ? 'refused' : 'done'),
          () => note(`${owner}#${name}`, 'refused'),
        )
      }
      return result
    }
    Object.defineProperty(recorded, 'name', { value: name })
    Object.defineProperty(prototype, name, { value: recorded, writable: true, configurable: true })
  }
}
