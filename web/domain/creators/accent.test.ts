import { expect, it } from 'vitest'
import { accentOf } from './accent.ts'

it('is a class and the shades of both schemes on the element', () => {
  expect(accentOf('#1f5f99')).toEqual({
    className: expect.stringContaining('accent'),
    style: {
      '--light-fill': '#1f5f99',
      '--light-hover': expect.any(String),
      '--light-label': '#ffffff',
      '--light-text': '#1f5f99',
      '--dark-fill': expect.any(String),
      '--dark-hover': expect.any(String),
      '--dark-label': expect.any(String),
      '--dark-text': expect.any(String),
    },
  })
})
