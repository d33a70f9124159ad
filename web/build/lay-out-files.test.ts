import { expect, it } from 'vitest'
import { layOutFiles, type Part } from './lay-out-files.ts'

/** One part for each, whose only module has its name. */
const partsOf = (described: Record<string, { screens: string[]; bytes: number; imports?: string[] }>): Part[] => {
  const names = Object.keys(described)
  return Object.entries(described).map(([name, { screens, bytes, imports = [] }]) => ({
    screens: new Set(screens),
    modules: [name],
    bytes,
    imports: new Set(imports.map((each) => names.indexOf(each))),
  }))
}

it('merges parts that the same screens need, and small parts that cost other screens little', () => {
  const parts = partsOf({
    card: { screens: ['home', 'post'], bytes: 5000 },
    picture: { screens: ['home', 'post'], bytes: 90_000 },
    icon: { screens: ['home', 'post', 'saved'], bytes: 300 },
    editor: { screens: ['settings'], bytes: 300 },
  })
  expect(layOutFiles(parts, 1000, 10_000)).toEqual([['card', 'picture'], ['icon'], ['editor']])
  expect(
    layOutFiles(
      partsOf({
        icon: { screens: ['home', 'post', 'saved'], bytes: 900 },
        mark: { screens: ['home', 'post'], bytes: 900 },
      }),
      1000,
      10_000,
    ),
  ).toEqual([['icon', 'mark']])
})

it('keeps parts apart when one file would import another that imports it', () => {
  const parts = partsOf({
    list: { screens: ['home', 'post'], bytes: 100, imports: ['text'] },
    text: { screens: ['saved'], bytes: 90_000, imports: ['mark'] },
    mark: { screens: ['home', 'post'], bytes: 100 },
  })
  expect(layOutFiles(parts, 1000, 10_000)).toEqual([['list'], ['text'], ['mark']])
})

it('limits the unneeded code that a screen loads', () => {
  const parts = partsOf({
    icon: { screens: ['home', 'post', 'saved'], bytes: 900 },
    mark: { screens: ['home', 'post'], bytes: 900 },
  })
  expect(layOutFiles(parts, 1000, 899)).toEqual([['icon'], ['mark']])
})

it('counts what the other part imports among what a screen would load', () => {
  const parts = partsOf({
    card: { screens: ['home', 'post'], bytes: 100 },
    comments: { screens: ['post'], bytes: 100, imports: ['editor'] },
    editor: { screens: ['post', 'write'], bytes: 90_000 },
  })
  const files = layOutFiles(parts, 1000, 10_000)
  expect(files.find((modules) => modules.includes('card'))).toEqual(['card'])
})
