import { expect, it } from 'vitest'
import { readReturn, withoutReturn } from './return-from-stripe.ts'

it.each([
  ['', { kind: 'none' }],
  ['success=true', { kind: 'onboarding' }],
  ['refresh=true', { kind: 'onboarding' }],
  ['stripe_connect=true&code=ac_1&state=s', { kind: 'connect', code: 'ac_1', state: 's' }],
  ['stripe_connect=true&code=ac_1', { kind: 'declined', reason: null }],
  ['stripe_connect=true&error=access_denied&error_description=No', { kind: 'declined', reason: 'No' }],
  ['code=ac_1&state=s', { kind: 'none' }],
])('reads "%s" [ONB-04, ONB-05]', (query, expected) => {
  expect(readReturn(new URLSearchParams(query))).toEqual(expected)
})

it('leaves alone what is not of Stripe [ONB-04]', () => {
  expect(withoutReturn(new URLSearchParams('success=true&ref=ADA&code=1')).toString()).toBe('ref=ADA')
})
