import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { creator, payment, stat } from '../../testing/dashboard.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'

describe('the earnings', () => {
  it('show what was paid, the fee, and what is left, to the cent [DASH-03, GEN-06]', async () => {
    creator({
      transactions: [payment, { ...payment, id: 'payment-2', amount: 10, fee_amount: 1, net_amount: 9, from: null }],
    })
    renderRoute('/dashboard?tab=earnings')
    const table = await screen.findByRole('table', { name: 'Payments' })
    const cells = within(table)
      .getAllByRole('row')
      .map((row) => [...row.querySelectorAll('[data-number]')].map((cell) => cell.textContent))
    expect(cells).toEqual([
      ['Paid', 'Fee', 'You earn'],
      ['$5,000.10', '-$500.01', '$4,500.09'], // of everything, whatever has been loaded
      ['$9.99', '-$1.00', '$8.99'],
      ['$0.10', '-$0.01', '$0.09'],
    ])
    expect(within(table).getByText('Former member')).toBeVisible()
    expect(within(table).getByText('All 1,200 payments')).toBeVisible()
  })

  it('tell a refund that the bank has turned down from one that arrived', async () => {
    const refund = { ...payment, transaction_type: 'refund', amount: -999, fee_amount: -100, net_amount: -899 }
    creator({
      transactions: [
        { ...refund, id: 'arrived' },
        { ...refund, id: 'came-back', status: 'failed' },
      ],
    })
    renderRoute('/dashboard?tab=earnings')
    const table = await screen.findByRole('table', { name: 'Payments' })
    const kinds = [...table.querySelectorAll('td[data-kind]')].map((cell) => cell.textContent)
    expect(kinds.filter(Boolean)).toEqual(['Refund', 'Refund failed'])
  })

  it('have what was paid below the name as well, for a phone whose width the millions take [DASH-03]', async () => {
    creator({ transactions: [payment] })
    renderRoute('/dashboard?tab=earnings')
    const cell = async (name: RegExp) =>
      within(await screen.findByRole('table', { name: 'Payments' })).getByRole('row', { name })
    expect(await cell(/Grace Hopper/)).toHaveTextContent('Paid $9.99Fee -$1.00')
    expect(await cell(/All 1,200 payments/)).toHaveTextContent('Paid $5,000.10Fee -$500.01')
    expect(await screen.findByRole('table', { name: 'Payments' })).not.toHaveAttribute('data-wide-amounts')
    cleanup()
    creator({ transactions: [{ ...payment, amount: 1_234_567_890, net_amount: 1_111_111_101 }] })
    renderRoute('/dashboard?tab=earnings')
    expect(await screen.findByRole('table', { name: 'Payments' })).toHaveAttribute('data-wide-amounts')
  })

  it('show the balance, the payouts, and earnings by day and by source, from what was recorded [DASH-11, DASH-12, DASH-15]', async () => {
    creator()
    renderRoute('/dashboard?tab=earnings')
    await waitFor(async () => expect(await stat('Total earned')).toHaveTextContent('$108.99'))
    expect(await stat('Balance')).toHaveTextContent('$8.99')
    expect(await stat('Available')).toHaveTextContent('$7.00Pending: $1.99')
    expect(await stat('Paid out')).toHaveTextContent('$100.00')
    const sources = await screen.findByRole('table', { name: 'By source' })
    expect(within(sources).getByRole('row', { name: /^Tips/ })).toHaveTextContent('Tips1$5.00$4.50100%')
    await userEvent.click(screen.getByRole('radio', { name: 'Table' }))
    const days = await screen.findByRole('table', { name: 'Day by day' })
    expect(within(days).getByRole('row', { name: /^May 1, 2024/ })).toHaveTextContent('$4.50')
    expect(screen.getByText(/The platform fee is 10%/)).toBeVisible()
  })

  it('offer the statement as CSV, as a month’s PDF, and as the audit file [LOOP-21]', async () => {
    creator()
    const asked: unknown[] = []
    network.use(
      http.post('*/functions/v1/export-statement', async ({ request }) => {
        asked.push(await request.json())
        return HttpResponse.json(
          { error: 'This month has more than 2000 payments. Download it as CSV.' },
          { status: 409 },
        )
      }),
    )
    renderRoute('/dashboard?tab=earnings')
    const section = within(await screen.findByRole('region', { name: 'Statement' }))
    const month = new Date().toISOString().slice(0, 7)
    const before = (section.getByLabelText('Month') as HTMLSelectElement).options[1]?.value ?? ''
    await userEvent.click(section.getByRole('button', { name: 'Download PDF' }))
    expect(await screen.findByText('This month has more than 2000 payments. Download it as CSV.')).toBeVisible()
    await userEvent.selectOptions(section.getByLabelText('Month'), before)
    await userEvent.click(section.getByRole('button', { name: 'Download PDF' }))
    await userEvent.click(section.getByRole('button', { name: 'Download CSV' }))
    await userEvent.click(section.getByText('Audit file: how to check it'))
    await userEvent.click(section.getByRole('button', { name: 'Download audit file' }))
    await waitFor(() =>
      expect(asked).toEqual([
        { format: 'pdf', month },
        { format: 'pdf', month: before },
        { format: 'csv' },
        { format: 'audit' },
      ]),
    )
    expect(section.getByText('npm run verify-statement FILE')).toBeVisible()
  })

  it('go on with payments where the page before ended [DASH-03]', async () => {
    const many = Array.from({ length: 50 }, (_each, n) => ({ ...payment, id: `payment-${n}` }))
    const asked: URLSearchParams[] = []
    creator()
    network.use(
      http.get('*/rest/v1/transactions', ({ request }) => {
        const { searchParams } = new URL(request.url)
        if (searchParams.get('transaction_type') !== 'neq.payout') return HttpResponse.json([])
        asked.push(searchParams)
        return HttpResponse.json(searchParams.has('or') ? [{ ...payment, id: 'last', from: null }] : many)
      }),
    )
    renderRoute('/dashboard?tab=earnings')
    const table = await screen.findByRole('table', { name: 'Payments' })
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
    expect(await within(table).findByText('Former member')).toBeVisible()
    expect(asked.map((search) => [search.get('created_at'), search.get('or')])).toEqual([
      [null, null],
      [
        `lte.${payment.created_at}`,
        `(created_at.lt."${payment.created_at}",and(created_at.eq."${payment.created_at}",id.lt.payment-49))`,
      ],
    ])
  })
})
