import { expect, it } from 'vitest'
import { axisDollars } from './axis-dollars.ts'

it('labels an axis of dollars in few letters', () => {
  expect([0, 0.5, 500, 1350, 1500, 2000, 1_234_567].map(axisDollars)).toEqual([
    '$0',
    '$0.50',
    '$500',
    '$1.35K',
    '$1.5K',
    '$2K',
    '$1.23M',
  ])
})
