import { expect, it } from 'vitest'
import { errorMessageOf } from './error-message-of.ts'

it('passes on what the server said, of errors and of answers that look like one [ERR-05]', () => {
  expect([new Error('Taken'), { message: 'Gone' }].map(errorMessageOf)).toEqual(['Taken', 'Gone'])
})

it('tells that the server could not be reached, where a browser has its own word for it', () => {
  const words = "We can't reach the server. Check your connection and try again."
  const errors = [
    new TypeError('Failed to fetch'),
    { message: 'TypeError: fetch failed' },
    undefined,
    // A file of the app that did not come, in three browsers.
    new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/a.js'),
    new TypeError('error loading dynamically imported module: http://localhost/assets/a.js'),
    new TypeError('Importing a module script failed.'),
  ]
  expect(errors.map(errorMessageOf)).toEqual(errors.map(() => words))
})

it('says for people what the door of accounts says for programs', () => {
  for (const wrong of [
    { code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' },
    { code: 'otp_expired', message: 'Token has expired or is invalid' },
  ])
    expect(errorMessageOf(wrong)).toBe('That code is incorrect or has expired. Enter the most recent one.')
})
