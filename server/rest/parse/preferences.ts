/** The client's preferences in `Prefer` (RFC 7240; PostgREST/postgrest `docs/references/api/preferences.rst`). */
export type Preferences = {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined
  readonly representation: 'representation' | 'minimal' | 'headers-only' | undefined
  readonly count: 'exact' | 'planned' | 'estimated' | undefined
  readonly transaction: 'commit' | 'rollback' | undefined
  readonly missing: 'default' | 'null' | undefined
  readonly handling: 'strict' | 'lenient' | undefined
  readonly maxAffected: number | undefined
  readonly timezone: string | undefined
  /** Unknown preferences: rejected with handling=strict, otherwise ignored. */
  readonly invalid: readonly string[]
}

const choices: Readonly<Record<string, readonly string[]>> = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
}

const none: Preferences = {
  resolution: undefined,
  representation: undefined,
  count: undefined,
  transaction: undefined,
  missing: undefined,
  handling: undefined,
  maxAffected: undefined,
  timezone: undefined,
  invalid: [],
}

export type PreferenceOptions = {
  /** `tx` only counts where the operator allows it. */
  readonly allowTransaction: boolean
  /** PostgreSQL's time zone names. Empty when the header has none. */
  readonly timezones: ReadonlySet<string>
}

/** Whether `timezones` are needed to read the header. */
export const mentionsTimezone = (header: string | undefined) => header?.includes('timezone=') === true

/** The first mention of a preference counts. */
export function parsePreferences(
  header: string | undefined,
  { allowTransaction, timezones }: PreferenceOptions,
): Preferences {
  if (header === undefined || header === '') return none
  const found = new Map<string, string>()
  const invalid: string[] = []
  for (const piece of header.split(',')) {
    const preference = piece.trim()
    if (preference === '') continue
    const [name = '', value = ''] = preference.split('=', 2)
    if (!isKnown(name, value, timezones)) invalid.push(preference)
    else if (!found.has(name)) found.set(name, value)
  }
  const maxAffected = found.get('max-affected')
  return {
    resolution: found.get('resolution') as Preferences['resolution'],
    representation: found.get('return') as Preferences['representation'],
    count: found.get('count') as Preferences['count'],
    transaction: allowTransaction ? (found.get('tx') as Preferences['transaction']) : undefined,
    missing: found.get('missing') as Preferences['missing'],
    handling: found.get('handling') as Preferences['handling'],
    maxAffected: maxAffected === undefined ? undefined : Number(maxAffected),
    timezone: found.get('timezone'),
    invalid,
  }
}

function isKnown(name: string, value: string, timezones: ReadonlySet<string>): boolean {
  if (name === 'timezone') return timezones.has(value)
  if (Object.hasOwn(choices, name)) return choices[name]?.includes(value) ?? false
  return name === 'max-affected' && /^[0-9]{1,15}$/.test(value)
}
