/** A message for a wallet to sign: EIP-4361, which Solana's "sign in" follows except for its chain ids. */
export type WalletMessage = {
  readonly domain: string
  readonly address: string
  readonly statement: string | undefined
  readonly uri: string
  readonly version: string
  readonly chainId: string | undefined
  readonly issuedAt: Date
  readonly expirationTime: Date | undefined
  readonly notBefore: Date | undefined
}

const opening = /^(\S+) wants you to sign in with your (Ethereum|Solana) account:$/
const maxLength = 4096

/** Undefined for anything but such a message, or one for the other kind of wallet. */
export function parseWalletMessage(text: string, chain: 'ethereum' | 'solana'): WalletMessage | undefined {
  if (text.length > maxLength) return undefined
  const [first = '', address = '', blank, ...rest] = text.split('\n')
  const [, domain, kind] = opening.exec(first) ?? []
  if (!domain || kind?.toLowerCase() !== chain || !/^\S+$/.test(address) || blank !== '') return undefined
  // A statement is between two empty lines; without one, wallets write one empty line or two.
  const from = rest.findIndex((line) => line.startsWith('Version: ') || line.startsWith('URI: '))
  if (from === -1) return undefined
  const statement = rest.slice(0, from).join('\n').trim() || undefined
  const fields = readFields(rest.slice(from))
  const issuedAt = readTime(fields.get('Issued At'))
  const uri = fields.get('URI')
  if (!fields.has('Version') || !uri || !issuedAt) return undefined
  const expirationTime = readTime(fields.get('Expiration Time'))
  const notBefore = readTime(fields.get('Not Before'))
  // An unreadable limit must not count as no limit.
  if ((fields.has('Expiration Time') && !expirationTime) || (fields.has('Not Before') && !notBefore)) return undefined
  const version = fields.get('Version') ?? ''
  return {
    domain,
    address,
    statement,
    uri,
    version,
    chainId: fields.get('Chain ID'),
    issuedAt,
    expirationTime,
    notBefore,
  }
}

/** For a repeated name, the first value counts; the lines after "Resources" are a list. */
function readFields(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const line of lines) {
    if (/^Resources:?$/.test(line)) break
    const [, name, value] = /^([A-Z][A-Za-z ]*): (.+)$/.exec(line) ?? []
    if (name && value && !fields.has(name)) fields.set(name, value)
  }
  return fields
}

function readTime(text: string | undefined): Date | undefined {
  if (!text || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? undefined : time
}
