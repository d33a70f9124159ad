import type { EnvironmentReader } from '../../environment-reader.ts'

/** A service with which users may sign in. */
export type ProviderSettings = {
  readonly name: string
  readonly kind: 'openid' | 'github'
  /** The issuer; for GitHub its own URL, or that of an Enterprise server. */
  readonly url: string
  /** The first one starts sign-ins here; ID tokens for any of them are accepted (apps have their own ids). */
  readonly clientIds: readonly string[]
  readonly secret: string
  readonly scopes: string
  readonly redirectUri: string | undefined
  /** Apple responds with a form post if the scopes include the name. */
  readonly postsBack: boolean
}

const known: Readonly<Record<string, { readonly url: string; readonly scopes: string }>> = {
  google: { url: 'https://accounts.google.com', scopes: 'openid email profile' },
  apple: { url: 'https://appleid.apple.com', scopes: 'openid email name' },
  github: { url: 'https://github.com', scopes: 'user:email' },
}

/** `AUTH_EXTERNAL_<PROVIDER>_CLIENT_ID`, `_SECRET`, and `_URL`, the issuer, for every OpenID provider except the three known ones. */
export function readProviders(read: EnvironmentReader): ReadonlyMap<string, ProviderSettings> {
  const names = read.names(/^AUTH_EXTERNAL_([A-Z0-9_]+)_CLIENT_ID$/)
  const providers = names.flatMap((name) => readProvider(read, name) ?? [])
  return new Map(providers.map((provider) => [provider.name, provider]))
}

function readProvider(read: EnvironmentReader, upperName: string): ProviderSettings | undefined {
  const prefix = `AUTH_EXTERNAL_${upperName}`
  const name = upperName.toLowerCase()
  const clientIds = read.list(`${prefix}_CLIENT_ID`, [])
  if (clientIds.length === 0 || !read.flag(`${prefix}_ENABLED`, true)) return undefined
  const secret = read.optional(`${prefix}_SECRET`)
  const url = read.url(`${prefix}_URL`, ['https:', 'http:']) ?? known[name]?.url
  read.require(secret, `${prefix}_SECRET is needed when ${prefix}_CLIENT_ID is set`)
  read.require(url, `${prefix}_URL, the issuer, is needed when ${prefix}_CLIENT_ID is set`)
  return {
    name,
    kind: name === 'github' ? 'github' : 'openid',
    url: (url ?? '').replace(/\/+$/, ''),
    clientIds,
    secret: secret ?? '',
    scopes: read.text(`${prefix}_SCOPES`, known[name]?.scopes ?? 'openid email profile'),
    redirectUri: read.url(`${prefix}_REDIRECT_URI`, ['https:', 'http:']),
    postsBack: name === 'apple',
  }
}
