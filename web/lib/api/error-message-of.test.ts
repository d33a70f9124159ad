import { expect, it } from 'vitest'
import { errorMessageOf } from './error-message-of.ts'

it('returns the server’s message from errors and error-like responses [ERR-05]', () => {
  expect([new Error('Taken'), { message: 'Gone' }].map(errorMessageOf)).toEqual(['Taken', 'Gone'])
})

it('replaces a browser’s network error with a message that the server can’t be reached', () => {
  const words = "We can't reach the server. Check your connection and try again."
  const errors = [
    new TypeError('Failed to fetch'),
    { message: 'TypeError: fetch failed' },
    undefined,
    // A dynamic import that failed, in three browsers.
    new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/a.js'),
    new TypeError('error loading dynamically imported module: http://localhost/assets/a.js'),
    new TypeError('Importing a module script failed.'),
  ]
  expect(errors.map(errorMessageOf)).toEqual(errors.map(() => words))
})

it('replaces technical messages of the auth API with readable ones', () => {
  for (const wrong of [
    { code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' },
    { code: 'otp_expired', message: 'Token has expired or is invalid' },
  ])
    expect(errorMessageOf(wrong)).toBe('That code is incorrect or has expired. Enter the most recent one.')
})
