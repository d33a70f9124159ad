import { expect, it } from 'vitest'
import { type BuiltFiles, firstFiles, screenLinks } from './screen-files.ts'

const files: BuiltFiles = {
  'index.html': { file: 'assets/index.js', isEntry: true, imports: ['_react.js'], css: ['assets/index.css'] },
  '_react.js': { file: 'assets/react.js' },
  '_card.js': { file: 'assets/card.js', imports: ['_react.js', '_card.js'], css: ['assets/card.css'] },
  'app/routes/home.tsx': { file: 'assets/home.js', imports: ['index.html', '_card.js'] },
  'app/routes/own-profile.ts': { file: 'assets/own-profile.js' },
  'app/routes/profile.ts': { file: 'assets/profile.js', imports: ['_card.js'] },
}

it('names what a screen needs beyond the shell, each file once', () => {
  expect(screenLinks(files, '/')).toBe(
    '<link rel="modulepreload" crossorigin href="/assets/home.js">' +
      '<link rel="modulepreload" crossorigin href="/assets/card.js">' +
      '<link rel="preload" as="style" crossorigin href="/assets/card.css">',
  )
})

it('names first the script that asks early and then the largest file, where the build has them', () => {
  expect(firstFiles(files)).toBe('')
  const built: BuiltFiles = {
    'index.html': { file: 'assets/index.js', isEntry: true, imports: ['_libraries-2.js', '_early-1.js'] },
    '_early-1.js': { file: 'assets/early-1.js' },
    '_libraries-2.js': { file: 'assets/libraries-2.js' },
  }
  expect(firstFiles(built)).toBe(
    '<script type="module" async crossorigin src="/assets/early-1.js"></script>' +
      '<link rel="modulepreload" crossorigin href="/assets/libraries-2.js">',
  )
})

it('knows one’s own profile from another’s', () => {
  expect(screenLinks(files, '/profile/')).toContain('/assets/own-profile.js')
  expect(screenLinks(files, '/profile/mara')).toContain('/assets/profile.js')
})

it.each(['/nothing-here', '/profile/a/b', '/__proto__', '/"><script>'])('names nothing for %s', (path) => {
  expect(screenLinks(files, path)).toBe('')
})
