import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { unknownToStripe } from './testing/stripe-types.ts'

/** The calls of docs/stripe-calls.md, which stripe-calls.test.ts records and keeps fresh. Headers are in parentheses there. */
function recordedCalls(): Map<string, string[]> {
  const page = readFileSync(new URL('../../docs/stripe-calls.md', import.meta.url), 'utf8')
  const rows = page.matchAll(/^\| `([A-Z]+ \/[^`]+)` \| (.*) \|$/gm)
  return new Map(
    [...rows].map(([, call = '', cells = '']) => {
      const names = cells.split(', ').map((cell) => cell.replaceAll('`', ''))
      return [call, names.filter((name) => name !== '' && !name.startsWith('('))]
    }),
  )
}

it('every call that the product makes, and each parameter, is in the declarations of Stripe’s own SDK [GEN-14]', async () => {
  const calls = recordedCalls()
  expect(calls.get('POST /v1/refunds')).toContain('reverse_transfer')
  expect(calls.size).toBeGreaterThan(30)
  expect(await unknownToStripe(calls)).toEqual([])
})

it("finds a call or a parameter that Stripe doesn't know", async () => {
  const calls = new Map([
    ['POST /v1/refunds', ['reverse_transfer', 'reverse_transfers', 'metadata[…]']],
    ['POST /v1/refund', ['amount']],
    [
      'POST /v1/checkout/sessions',
      ['line_items[][price]', 'line_items[price]', 'line_items[][price_data][unit_price]'],
    ],
  ])
  expect(await unknownToStripe(calls)).toEqual([
    'POST /v1/refund',
    'POST /v1/refunds reverse_transfers',
    'POST /v1/checkout/sessions line_items[price]',
    'POST /v1/checkout/sessions line_items[][price_data][unit_price]',
  ])
})
