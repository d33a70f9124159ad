/** A user's identity at another service, as reported by that service. */
export type ProviderPerson = {
  readonly provider: string
  /** Permanent at that service. */
  readonly id: string
  readonly email: string | undefined
  readonly emailVerified: boolean
  /** Stored with the identity, and copied into a new account's metadata: small, and never a token. */
  readonly data: Readonly<Record<string, unknown>>
}

const maxTextLength = 500

/** From OpenID claims (OpenID Connect Core 1.0, section 5.1), under GoTrue's names. */
export function personFromClaims(provider: string, claims: Readonly<Record<string, unknown>>): ProviderPerson {
  const text = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' && value !== '' && value.length <= maxTextLength ? value : undefined
  }
  const id = text('sub') ?? ''
  const email = text('email')?.trim().toLowerCase()
  // Apple sends the flag as text.
  const emailVerified = claims.email_verified === true || claims.email_verified === 'true'
  const name = text('name')
  const picture = text('picture')
  return {
    provider,
    id,
    email,
    emailVerified,
    data: {
      iss: text('iss'),
      sub: id,
      provider_id: id,
      ...(email && { email }),
      email_verified: emailVerified,
      phone_verified: false,
      ...(name && { name, full_name: name }),
      ...(picture && { picture, avatar_url: picture }),
      ...(text('preferred_username') && { preferred_username: text('preferred_username') }),
    },
  }
}
