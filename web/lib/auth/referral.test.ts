import { expect, it } from 'vitest'
import { forgetReferral, rememberedReferral, rememberReferral } from './referral.ts'

it.each(['/auth?ref=REF22222222', '/?ref=REF22222222'])(
  'keeps the code of %s until sign-up [AUTH-02, REF-15]',
  (address) => {
    rememberReferral(new URL(address, window.location.origin))
    rememberReferral(new URL('/explore', window.location.origin))
    rememberReferral(new URL('/?ref=%20', window.location.origin))
    expect(rememberedReferral()).toBe('REF22222222')
    forgetReferral()
    expect(rememberedReferral()).toBeNull()
  },
)

it('is removed from the URL, so that a reload after sign-up doesn’t store it again', () => {
  history.replaceState({ key: 'x' }, '', '/auth?ref=REF22222222&tab=sign-up')
  rememberReferral(new URL(window.location.href))
  expect([location.pathname, location.search, history.state]).toEqual(['/auth', '?tab=sign-up', { key: 'x' }])
  history.replaceState(null, '', '/')
})

it('is replaced by a later link', () => {
  for (const code of ['REF22222222', 'REF33333333']) rememberReferral(new URL(`/?ref=${code}`, window.location.origin))
  expect(rememberedReferral()).toBe('REF33333333')
})
