import { describe, expect, it } from 'vitest'
import { signConnectState, verifyConnectState } from './connect-state.ts'

const secret = 'a secret of at least thirty-two characters'
const ada = 'c7ffb3a6-4a6f-4a53-93b4-6d2a1f6f4c01'

describe('the state of an OAuth connection [API-FN-07, API-FN-08]', () => {
  it('is accepted for the user it was created for', () => {
    expect(verifyConnectState(secret, ada, signConnectState(secret, ada))).toBe(true)
  })

  it('is rejected for any other user', () => {
    const state = signConnectState(secret, ada)
    expect(verifyConnectState(secret, 'd7ffb3a6-4a6f-4a53-93b4-6d2a1f6f4c01', state)).toBe(false)
  })

  it('is rejected after two hours', () => {
    const state = signConnectState(secret, ada, Date.now() - 2 * 3600 * 1000 - 1000)
    expect(verifyConnectState(secret, ada, state)).toBe(false)
  })

  it('is rejected if its expiry was changed', () => {
    const [expires = '', ...rest] = signConnectState(secret, ada).split('.')
    expect(verifyConnectState(secret, ada, [Number(expires) + 9999, ...rest].join('.'))).toBe(false)
  })

  it.each(['', '.', 'a.b.c', `${'9'.repeat(10)}.x.y`, '0'.repeat(5000)])(
    "is rejected if we didn't create it: %s",
    (state) => {
      expect(verifyConnectState(secret, ada, state)).toBe(false)
    },
  )

  it('is rejected if another installation signed it', () => {
    expect(verifyConnectState(secret, ada, signConnectState(`${secret}!`, ada))).toBe(false)
  })
})
