import { expect, it } from 'vitest'
import { firstFiles, fontLinks, type ScreenFiles, screenLinks } from './screen-files.ts'

const files: ScreenFiles = {
  early: 'assets/early-1.js',
  libraries: 'assets/libraries-2.js',
  screens: {
    home: ['assets/home.js', 'assets/card.js'],
    'own-profile': ['assets/own-profile.js'],
    profile: ['assets/profile.js', 'assets/card.js'],
  },
}

it('names the files that a screen needs beyond the shell', () => {
  expect(screenLinks(files, '/')).toBe(
    '<link rel="modulepreload" crossorigin href="/assets/home.js">' +
      '<link rel="modulepreload" crossorigin href="/assets/card.js">',
  )
})

it('starts with the early script and the largest file, if the build has them', () => {
  expect(firstFiles({})).toBe('')
  expect(firstFiles(files)).toBe(
    '<script type="module" async crossorigin src="/assets/early-1.js"></script>' +
      '<link rel="modulepreload" crossorigin href="/assets/libraries-2.js">',
  )
})

it('links the fonts of a page that shows at once, if the build has them', () => {
  expect(fontLinks({})).toBe('')
  expect(fontLinks({ fonts: ['assets/inter.woff2'] })).toBe(
    '<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/inter.woff2">',
  )
})

it('distinguishes the viewer’s own profile from other profiles', () => {
  expect(screenLinks(files, '/profile/')).toContain('/assets/own-profile.js')
  expect(screenLinks(files, '/profile/mara')).toContain('/assets/profile.js')
})

it.each(['/nothing-here', '/profile/a/b', '/__proto__', '/settings', '/"><script>'])(
  'names no files for %s',
  (path) => {
    expect(screenLinks(files, path)).toBe('')
  },
)
