/** Where the TXT record of a custom domain is expected: beside its addresses, which stay as they are. */
export const domainRecordName = (domain: string): string => `_ovation.${domain}`

const domainPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/**
 * A domain as it is stored, from text that a user typed or a `Host` header: in lowercase and ASCII, without scheme, port, and path.
 * @returns null for anything that can't be a domain name, such as an address or a name without a dot.
 */
export function parseDomain(text: string): string | null {
  const trimmed = text.trim().toLowerCase()
  const address = trimmed.includes('://') ? trimmed : `https://${trimmed}`
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return null
  const domain = url.hostname.replace(/\.$/, '')
  return domain.length <= 253 && domainPattern.test(domain) ? domain : null
}
