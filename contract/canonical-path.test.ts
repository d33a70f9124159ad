import { describe, expect, it } from 'vitest'
import { canonicalPath } from './canonical-path.ts'
import { paths } from './paths.ts'
import { findScreen, screens } from './screens.ts'

describe('canonicalPath', () => {
  it.each([
    ['/@mara', paths.profile('mara')],
    ['/@Mara', paths.profile('mara')],
    ['/@mara/', paths.profile('mara')],
    ['/%40mara', paths.profile('mara')],
    ['/@mara_2-b', paths.profile('mara_2-b')],
    ['/@c0000000-0000-4000-8000-0000000000ff', paths.profile('c0000000-0000-4000-8000-0000000000ff')],
  ])('leads from %s to %s', (short, path) => {
    expect(canonicalPath(short)).toBe(path)
  })

  it.each([
    '/',
    '/@',
    '/@/',
    '//@mara',
    '/@mara/posts',
    '/@mara%2Fposts',
    '/@mara%2f..%2f..',
    '/@..',
    '/@//elsewhere.example',
    '/@/elsewhere.example',
    '/@\\elsewhere.example',
    '/@elsewhere.example',
    '/@mara@elsewhere.example',
    '/@mara%00',
    '/@%zz',
    '/@mära',
    `/@${'a'.repeat(37)}`,
    `/@${'a'.repeat(5000)}`,
    `/@${'/'.repeat(5000)}`,
    '/profile/mara',
    '/profile/@mara',
  ])('leads from %j nowhere', (path) => {
    expect(canonicalPath(path)).toBeUndefined()
  })

  it('leads to a screen, and is none itself', () => {
    for (const { short, pattern } of screens.filter((screen) => screen.short !== undefined)) {
      expect(findScreen(`${short}mara`)).toBeUndefined()
      expect(findScreen(canonicalPath(`${short}mara`) ?? '')?.pattern).toBe(pattern)
    }
  })
})
