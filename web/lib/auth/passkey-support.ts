import { siteOrigin } from '../api/api-url.ts'

/** Passkeys and security keys belong to a domain name: browsers refuse them at an IP address, for example `127.0.0.1`. */
const isIpAddress = (hostname: string): boolean => /^[\d.]+$|^\[/.test(hostname)

/** Why this page can't use passkeys and security keys; undefined if it can. */
export function whyNoPasskeys(hostname = new URL(siteOrigin()).hostname): 'browser' | 'address' | undefined {
  // A page that the server renders is for a browser that has them, as nearly all do.
  if (!import.meta.env.SSR && !('PublicKeyCredential' in window)) return 'browser'
  return isIpAddress(hostname) ? 'address' : undefined
}

/** Whether the browser, not the server, ended the use of a passkey or security key: its own message is technical. auth-js marks these errors. */
export const isBrowsersRefusal = (error: Error): boolean =>
  '__isWebAuthnError' in error || error instanceof DOMException || browserErrors.has(error.name)

const browserErrors: ReadonlySet<string> = new Set(['WebAuthnError', 'WebAuthnUnknownError', 'NotAllowedError'])
