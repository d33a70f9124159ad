import { expect, it } from 'vitest'
import { postTitle } from './texts/page-titles.ts'

const created_at = '2026-05-04T15:05:09.123+00:00'

it.each([
  ['its title and its creator', 'First light', 'Some words', 'First light by Mara'],
  ['how it begins, without a title', null, '  Fog over\n\nthe harbor ', 'Mara: Fog over the harbor'],
  ['when it was published, without words', null, ' ', 'Post by Mara, 2026-05-04 15:05'],
  ['and no text at all', null, null, 'Post by Mara, 2026-05-04 15:05'],
])('names a post by %s [FIND-02]', (_what, title, content, expected) => {
  expect(postTitle({ title, content, created_at }, 'Mara')).toBe(expected)
})

it('cuts long words between two characters, never inside one', () => {
  const content = `${'x'.repeat(59)}🎭 and more`
  expect(postTitle({ title: null, content, created_at }, 'Mara')).toBe(`Mara: ${'x'.repeat(59)}🎭…`)
})
