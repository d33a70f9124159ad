import { expect, it } from 'vitest'
import { axisDollars } from './axis-dollars.ts'

it('labels a dollar axis in few characters', () => {
  expect([0, 50, 50_000, 135_000, 150_000, 200_000, 123_456_700].map(axisDollars)).toEqual([
    '$0',
    '$0.50',
    '$500',
    '$1.35K',
    '$1.5K',
    '$2K',
    '$1.23M',
  ])
})
