import { afterEach, expect, it, vi } from 'vitest'
import { isBrowsersRefusal, whyNoPasskeys } from './passkey-support.ts'

afterEach(() => void vi.unstubAllGlobals())

it.each(['127.0.0.1', '192.168.1.7', '[::1]'])('offers no passkeys at the IP address %s', (hostname) => {
  vi.stubGlobal('PublicKeyCredential', class {})
  expect(whyNoPasskeys(hostname)).toBe('address')
})

it.each(['localhost', 'ovation.example.com', '10.example.com'])('offers passkeys at %s', (hostname) => {
  vi.stubGlobal('PublicKeyCredential', class {})
  expect(whyNoPasskeys(hostname)).toBeUndefined()
})

it('offers no passkeys in a browser without them', () => {
  expect(whyNoPasskeys('ovation.example.com')).toBe('browser')
})

it('tells errors of the browser from those of the server', () => {
  const refused = Object.assign(new Error('127.0.0.1 is an invalid domain'), {
    name: 'SecurityError',
    __isWebAuthnError: true,
  })
  expect(isBrowsersRefusal(refused)).toBe(true)
  expect(isBrowsersRefusal(new DOMException('The operation is insecure.', 'SecurityError'))).toBe(true)
  expect(isBrowsersRefusal(new Error('The relying party is not this site'))).toBe(false)
})
