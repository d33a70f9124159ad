import { expect, it } from 'vitest'

/** Forms without a draft, and why. */
const keepNothing: Readonly<Record<string, string>> = {
  'features/admin/edit-email-dialog.tsx': 'a single address, of a user who has to be selected again first',
  'features/auth/code-form.tsx': 'a code',
  'features/auth/consent-step.tsx': 'a box to tick',
  'features/auth/mail-form.tsx': 'one address, which the browser offers',
  'features/auth/new-password-form.tsx': 'a secret',
  'features/auth/sso-form.tsx': 'one address, which the form before has kept',
  'features/settings/danger-zone.tsx': 'a secret',
  'features/settings/password-form.tsx': 'a secret',
  'domain/accounts/totp-dialog.tsx': 'a code',
  'domain/fans/fan-lists.tsx': 'a name',
  'domain/vault/album-name-dialog.tsx': 'a name',
  'features/admin/vault-quota-dialog.tsx': 'a number',
  'features/dashboard/end-dialog.tsx': 'a time',
  'features/dashboard/list-form.tsx': 'a name, and conditions that are chosen, not written',
}

it('every form keeps a draft across a reload, except for secrets and tiny forms', () => {
  const sources = import.meta.glob<string>(['../domain/**/*.{ts,tsx}', '../features/**/*.{ts,tsx}'], {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const forms = Object.entries(sources).filter(
    ([path, text]) => /useAppForm[<(]/.test(text) && !path.includes('.test.'),
  )
  expect(forms.length).toBeGreaterThan(25)
  const without = forms.filter(([, text]) => !/\bdraft[:,]/.test(text)).map(([path]) => path.replace('../', ''))
  expect(without.toSorted()).toEqual(Object.keys(keepNothing).toSorted())
})
