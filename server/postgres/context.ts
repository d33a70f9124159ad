import type { Caller, RequestSettings } from './caller.ts'
import type { Statement } from './sql.ts'

/** Which setting of PostgreSQL holds which part of the request. */
const names: Readonly<Record<keyof RequestSettings, string>> = {
  searchPath: 'search_path',
  method: 'request.method',
  path: 'request.path',
  headers: 'request.headers',
  cookies: 'request.cookies',
  statementTimeout: 'statement_timeout',
  timezone: 'timezone',
  readOnly: 'transaction_read_only',
}
const settingNames = Object.values(names)

/** Few: one for each set of settings that is in use. By the bits of the settings that are there. */
const texts = new Map<number, string>()
/** A verified token's claims are one object for as long as it is remembered. */
const claimTexts = new WeakMap<Caller['claims'], string>()

/**
 * The statement that takes on a person's role and claims. Settings are local to the transaction, so a pooled connection carries no
 * one's rights over to the next request. What a request does not set is not touched: each costs some microseconds.
 */
export function buildContext({ role, claims }: Caller, settings: RequestSettings): Statement {
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

/** As `names` has them. Read by name, each at a place of its own: a loop over the names would look each up in every kind of object. */
function inOrder(settings: RequestSettings): readonly (string | undefined)[] {
  const { searchPath, method, path, headers, cookies, statementTimeout, timezone, readOnly } = settings
  return [searchPath, method, path, headers, cookies, statementTimeout, timezone, readOnly ? 'on' : undefined]
}

function contextText(present: number): string {
  const set = ['role', 'request.jwt.claims', ...settingNames.filter((_, index) => present & (1 << index))]
  const settings = set.map((name, index) => `set_config('${name}', $${index + 1}, true)`)
  // In a condition, so that no row comes of it: it would carry every setting back, the request's headers among them.
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
