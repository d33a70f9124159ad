import type { Caller, RequestSettings } from './caller.ts'
import type { Statement } from './sql.ts'

/** The PostgreSQL setting for each part of the request. */
const names: Readonly<Record<keyof RequestSettings, string>> = {
  searchPath: 'search_path',
  method: 'request.method',
  path: 'request.path',
  headers: 'request.headers',
  cookies: 'request.cookies',
  statementTimeout: 'statement_timeout',
  timezone: 'timezone',
  readOnly: 'transaction_read_only',
  encryptionKey: 'app.encryption_key',
}
const settingNames = Object.values(names)

/** A few entries, one for each combination of settings in use, keyed by its bits. */
const texts = new Map<number, string>()
/** A verified token's claims stay the same object while the token is cached. */
const claimTexts = new WeakMap<Caller['claims'], string>()

/**
 * The statement that sets a caller's role and claims. Settings are local to the transaction, so a pooled connection carries no
 * permissions over to the next request. Settings that a request doesn't use are left alone: each costs some microseconds.
 */
export function setCaller({ role, claims }: Caller, settings: RequestSettings): Statement {
  const values = [role, claimsText(claims)]
  let present = 0
  inOrder(settings).forEach((value, index) => {
    if (value === undefined) return
    present |= 1 << index
    values.push(value)
  })
  let text = texts.get(present)
  if (text === undefined) {
    text = contextText(present)
    texts.set(present, text)
  }
  return { text, values }
}

/** In the order of `names`. Each is read by name at its own place, because a loop would look up every name on every kind of object. */
function inOrder(settings: RequestSettings): readonly (string | undefined)[] {
  const { searchPath, method, path, headers, cookies, statementTimeout, timezone, readOnly, encryptionKey } = settings
  const isReadOnly = readOnly ? 'on' : undefined
  return [searchPath, method, path, headers, cookies, statementTimeout, timezone, isReadOnly, encryptionKey]
}

function contextText(present: number): string {
  const set = ['role', 'request.jwt.claims', ...settingNames.filter((_, index) => present & (1 << index))]
  const settings = set.map((name, index) => `set_config('${name}', $${index + 1}, true)`)
  // In a condition, so that it returns no row: a row would contain every setting, the request's headers included.
  return `select where num_nulls(${settings.join(', ')}) > 0`
}

function claimsText(claims: Caller['claims']): string {
  let text = claimTexts.get(claims)
  if (text === undefined) {
    text = JSON.stringify(claims)
    claimTexts.set(claims, text)
  }
  return text
}
