import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { EnvironmentReader } from '../../environment-reader.ts'

/** `AUTH_SAML_*`. Off by default; each company is registered at `/admin/sso/providers`. */
export function readSamlSettings(read: EnvironmentReader) {
  const privateKey = readPem(read, 'AUTH_SAML_PRIVATE_KEY', (pem) => void createPrivateKey(pem))
  const certificate = readPem(read, 'AUTH_SAML_CERTIFICATE', (pem) => void new X509Certificate(pem))
  read.require(
    (privateKey === undefined) === (certificate === undefined),
    'AUTH_SAML_PRIVATE_KEY and AUTH_SAML_CERTIFICATE belong together',
  )
  return {
    enabled: read.flag('AUTH_SAML_ENABLED', false),
    /** Sign-ins that begin at the company's portal: nothing binds them to a browser, so a user may be led into a stranger's account. */
    allowUnsolicited: read.flag('AUTH_SAML_ALLOW_UNSOLICITED', false),
    /** Signs our requests, for companies that require it. */
    signing: privateKey && certificate ? { privateKey, certificate } : undefined,
  }
}

/** PEM, with `\n` as text if the environment can't hold line breaks. */
function readPem(read: EnvironmentReader, name: string, check: (pem: string) => void): string | undefined {
  const pem = read.optional(name)?.replaceAll('\\n', '\n')
  if (pem === undefined) return undefined
  try {
    check(pem)
    return pem
  } catch {
    read.require(false, `${name} must be PEM text`) // not repeated: it is a secret
    return undefined
  }
}
