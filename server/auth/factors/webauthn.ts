import { createHash } from 'node:crypto'
import type { VerifyAuthenticationResponseOpts, VerifyRegistrationResponseOpts } from '@simplewebauthn/server'
import { isLoopback } from '../../http/loopback.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import type { Account } from '../users/account.ts'
import type { StoredCredential } from './factors.ts'

/** Loaded when it is first needed: it takes a fifth of a second and 13 MB. */
const library = () => import('@simplewebauthn/server')

/** The site that a credential belongs to. */
export type RelyingParty = { readonly id: string; readonly origins: string[] }

/**
 * The relying party of these credentials. The client's choice has to belong to this site: a page elsewhere must not get signatures for it,
 * or have them accepted here. @throws GatewayError 400 `validation_failed`.
 */
export function toRelyingParty({ config, siteUrl }: AuthContext, requestedId: string | undefined): RelyingParty {
  const origins = [...siteOrigins(siteUrl()), ...config.auth.webauthnOrigins]
  const hosts = origins.map((origin) => new URL(origin).hostname)
  const id = requestedId ?? hosts.find((host) => !/^[\d.]+$|^\[/.test(host)) ?? hosts[0] ?? ''
  if (!hosts.some((host) => host === id || (id.includes('.') && host.endsWith(`.${id}`)))) {
    throw authErrors.validationFailed('The relying party is not this site')
  }
  return { id, origins }
}

/** Browsers accept no IP address as the relying party, so on a local machine localhost is accepted too. */
function siteOrigins(site: string): string[] {
  const { origin, protocol, hostname, port } = new URL(site)
  return isLoopback(hostname) ? [`${protocol}//localhost${port && `:${port}`}`, origin] : [origin]
}

export async function registrationOptions(
  { config }: AuthContext,
  party: RelyingParty,
  account: Account,
  kind: { readonly passkey: boolean; readonly known: readonly StoredCredential[] },
) {
  const name = account.email ?? account.phone ?? account.id
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: config.operator.productName,
    rpID: party.id,
    userName: name,
    userDisplayName: name,
    // The same for all credentials of an account, and not the id that the API shows.
    userID: new Uint8Array(createHash('sha256').update(`webauthn\0${account.id}`).digest()),
    attestationType: 'none',
    excludeCredentials: kind.known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: kind.passkey
      ? { residentKey: 'required', userVerification: 'required' }
      : { residentKey: 'discouraged', userVerification: 'preferred' },
  })
}

export async function authenticationOptions(party: RelyingParty, known: readonly StoredCredential[], passkey: boolean) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
    userVerification: passkey ? 'required' : 'preferred',
  })
}

type Ceremony = { readonly challenge: string; readonly party: RelyingParty; readonly passkey: boolean }

/** The new credential; undefined if the response doesn't match the challenge, the site, or its own signature. */
export async function readRegistration(
  { challenge, party, passkey }: Ceremony,
  response: Readonly<Record<string, unknown>>,
): Promise<(StoredCredential & { readonly aaguid: string; readonly backedUp: boolean }) | undefined> {
  const { verifyRegistrationResponse } = await library()
  const result = await verifyRegistrationResponse({
    response: response as unknown as VerifyRegistrationResponseOpts['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: passkey,
  }).catch(() => undefined)
  if (!result?.verified) return undefined
  const { credential, aaguid, credentialBackedUp } = result.registrationInfo
  return {
    id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
    aaguid,
    backedUp: credentialBackedUp,
  }
}

/** The credential's new counter; undefined if the signature is invalid, or a copy of the credential signed. */
export async function readAuthentication(
  { challenge, party, passkey }: Ceremony,
  credential: StoredCredential,
  response: Readonly<Record<string, unknown>>,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({
    response: response as unknown as VerifyAuthenticationResponseOpts['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: passkey,
    credential: {
      id: credential.id,
      publicKey: new Uint8Array(Buffer.from(credential.public_key, 'base64url')),
      counter: credential.counter,
      transports: credential.transports,
    },
  }).catch(() => undefined)
  return result?.verified ? result.authenticationInfo.newCounter : undefined
}
