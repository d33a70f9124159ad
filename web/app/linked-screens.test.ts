import { paths } from '@ovation/contract/paths'
import { screens } from '@ovation/contract/screens'
import { expect, it } from 'vitest'

const files = import.meta.glob<string>(
  // What compares the current screen with others links none of them.
  ['../{app/shell,domain,features,ui}/**/*.{ts,tsx}', '!**/*.test.*', '!**/use-rails.ts'],
  { query: '?raw', import: 'default', eager: true },
)
const sources = Object.values(files).join('\n')

/** Opened from outside the app: by a link in an email, by another app, or by the payment provider. */
const fromOutside = new Set(['/auth/link', '/oauth/consent', '/subscription-success'])

it('links every screen somewhere [LOOP-20]', () => {
  const names = Object.entries(paths).map(([name, path]) => {
    const example = typeof path === 'function' ? (path as (value: string) => string)(':x') : path
    return { name, path: decodeURIComponent(example.split('?', 1)[0] ?? '') }
  })
  const isUsed = (name: string) => new RegExp(`paths\\.${name}\\b`).test(sources)
  const isLinked = (pattern: string) =>
    names.some(({ name, path }) => path === pattern.replace(/:\w+/, ':x') && isUsed(name))
  expect(screens.map(({ pattern }) => pattern).filter((path) => !isLinked(path) && !fromOutside.has(path))).toEqual([])
})
