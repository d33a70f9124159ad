import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { addressKey, clientAddress, clientKey, compileTrustedProxies, findInvalidProxy } from './client-address.ts'

function requestFrom(peer: string, forwardedFor?: string) {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  return { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage
}

describe('the address of a client', () => {
  const trusts = compileTrustedProxies(['loopback', '10.77.0.0/16', 'fd00::/8'])

  it('comes from a trusted proxy, wherever that proxy runs', () => {
    expect(clientAddress(requestFrom('10.77.0.1', '203.0.113.9'), trusts)).toBe('203.0.113.9')
    expect(clientAddress(requestFrom('fd00::1', '203.0.113.9'), trusts)).toBe('203.0.113.9')
    expect(clientAddress(requestFrom('127.0.0.1', '203.0.113.9, 10.77.4.4'), trusts)).toBe('203.0.113.9')
  })

  it('is the last one that no trusted proxy reports, so that clients cannot prepend another', () => {
    expect(clientAddress(requestFrom('10.77.0.1', '1.1.1.1, 203.0.113.9'), trusts)).toBe('203.0.113.9')
  })

  it("is the peer's own if the peer isn't a trusted proxy", () => {
    expect(clientAddress(requestFrom('198.51.100.4', '203.0.113.9'), trusts)).toBe('198.51.100.4')
  })
})

describe('the rate limit key of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not an address', 'unknown'],
    ['', 'unknown'],
  ])('of %s is %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })
})

describe('the rate limit key of a request', () => {
  const [here, none] = [compileTrustedProxies(['loopback']), compileTrustedProxies([])]

  it('depends on peer, header, and trusted proxies, however often each has asked before', () => {
    for (let round = 0; round < 2; round++) {
      expect(clientKey(requestFrom('127.0.0.1', '203.0.113.9'), here)).toBe('203.0.113.9')
      expect(clientKey(requestFrom('127.0.0.1', '203.0.113.10'), here)).toBe('203.0.113.10')
      expect(clientKey(requestFrom('198.51.100.4', '203.0.113.9'), here)).toBe('198.51.100.4')
      expect(clientKey(requestFrom('127.0.0.1', '203.0.113.9'), none)).toBe('127.0.0.1')
      expect(clientKey(requestFrom('127.0.0.1'), here)).toBeUndefined()
      expect(clientKey(requestFrom('127.0.0.1', `${'10.0.0.1, '.repeat(20)}203.0.113.11`), here)).toBe('203.0.113.11')
    }
  })

  it('stays when the socket is gone', () => {
    const request = requestFrom('127.0.0.1', '203.0.113.9')
    clientKey(request, here)
    Object.assign(request.socket, { remoteAddress: undefined })
    expect(clientKey(request, here)).toBe('203.0.113.9')
  })
})

describe('TRUSTED_PROXIES', () => {
  it('accepts names, addresses, and networks', () => {
    expect(findInvalidProxy(['loopback', 'uniquelocal', '10.0.0.0/8', '203.0.113.7', 'fd00::/8'])).toBeUndefined()
  })

  it.each(['nonsense', '10.0.0.0/33', '0.0.0.0/0', '::/0'])('rejects %s', (entry) => {
    expect(findInvalidProxy(['loopback', entry])).toBe(entry)
  })
})
