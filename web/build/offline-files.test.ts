import { join } from 'node:path'
import type { Rolldown } from 'vite'
import { expect, it } from 'vitest'
import type { Chunks } from './find-parts.ts'
import { listFiles } from './offline-files.ts'

type Described = {
  screen?: string
  isEntry?: boolean
  imports?: string[]
  later?: string[]
  bytes?: number
}

const routes = join(import.meta.dirname, '../app/routes')

/** What these tests need of a build's chunks. */
const buildOf = (described: Record<string, Described>): Chunks =>
  new Map(
    Object.entries(described).map(([fileName, { screen, isEntry = false, imports = [], later = [], bytes = 1 }]) => [
      fileName,
      {
        fileName,
        isEntry,
        imports,
        dynamicImports: later,
        facadeModuleId: screen ? join(routes, `${screen}.ts`) : null,
        code: 'x'.repeat(bytes),
      } as unknown as Rolldown.OutputChunk,
    ]),
  )

it('lists the shell and the screens that open offline, with what they load later [LOOP-22]', () => {
  const files = listFiles(
    buildOf({
      'index.js': {
        isEntry: true,
        imports: ['libraries.js'],
        later: ['menu.js', 'home.js', 'settings.js'],
      },
      'libraries.js': {},
      'menu.js': { imports: ['icons.js'] },
      'icons.js': {},
      'home.js': { screen: 'home', imports: ['posts.js'], later: ['player.js'] },
      'posts.js': {},
      'player.js': { bytes: 200_000 },
      'settings.js': { screen: 'settings', imports: ['forms.js'] },
      'forms.js': {},
    }),
  )
  expect(files.sort()).toEqual(['home.js', 'icons.js', 'index.js', 'libraries.js', 'menu.js', 'posts.js'])
})
