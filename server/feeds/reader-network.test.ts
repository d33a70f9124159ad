import { expect, it } from 'vitest'
import { networkOf } from './reader-network.ts'

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['203.0.113.250', '203.0.113.0/24'],
  ['203.0.112.7', '203.0.112.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:aa:bb:1:2:3:4', '2001:db8:aa::/48'],
  ['2001:db8:aa:ffff::1', '2001:db8:aa::/48'],
  ['2001:db8:ab::1', '2001:db8:ab::/48'],
  ['not an address', undefined],
  ['', undefined],
])('counts %s as the network %s [RSS-02]', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
