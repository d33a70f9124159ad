import type { AuthContext } from '../context.ts'

/** A URL with these parameters added to its own; null and undefined are left out. */
export function answerAddress(
  address: string,
  parameters: Readonly<Record<string, string | null | undefined>>,
): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}

type Asked = { readonly redirect_uri: string; readonly state: string | null }

/** Back to the application without access (RFC 6749 section 4.1.2.1). */
export function refusalAddress(
  ctx: Pick<AuthContext, 'siteUrl'>,
  { redirect_uri, state }: Asked,
  { error, description }: { readonly error: string; readonly description: string },
): string {
  return answerAddress(redirect_uri, { error, error_description: description, state, iss: issuerOf(ctx) })
}

/** Back to the application with a code. `iss` identifies the issuer (RFC 9207). */
export function codeAddress(ctx: Pick<AuthContext, 'siteUrl'>, { redirect_uri, state }: Asked, code: string): string {
  return answerAddress(redirect_uri, { code, state, iss: issuerOf(ctx) })
}

export const issuerOf = ({ siteUrl }: Pick<AuthContext, 'siteUrl'>): string => `${siteUrl()}/auth/v1`
