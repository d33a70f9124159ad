/**
 * One URL for each host that a PostgreSQL URL names, as libpq reads it: `postgres://user@a:5432,b:5432/db`. Only the part before the path
 * lists hosts; `EnvironmentReader.databaseUrl` rejects lists in the query.
 */
export function hostsOf(url: string): readonly string[] {
  const [, scheme = '', authority = '', rest = ''] = /^(\w+:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? []
  const start = authority.lastIndexOf('@') + 1 // a user or password may contain commas
  const hosts = authority.slice(start).split(',')
  if (hosts.length === 1) return [url]
  return hosts.map((host) => `${scheme}${authority.slice(0, start)}${host}${rest}`)
}

/** The user that the URL names, the same at all hosts; empty if it names none. */
export const userOf = (url: string): string => decodeURIComponent(URL.parse(hostsOf(url)[0] ?? '')?.username ?? '')
