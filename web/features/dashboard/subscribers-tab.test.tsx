import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { creator, line } from '../../testing/dashboard.ts'
import { keepDownloads } from '../../testing/downloads.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'

describe('the list of subscribers', () => {
  it('offers a creator without subscribers the link to their profile [DASH-03, GEN-30]', async () => {
    creator()
    const copied = vi.fn(async () => undefined)
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { clipboard: { writeText: copied } }))
    onTestFinished(() => void vi.unstubAllGlobals())
    renderRoute('/dashboard?tab=subscribers')
    ;(await screen.findByRole('button', { name: 'Share Profile' })).click()
    expect(await screen.findByText('Link copied')).toBeVisible()
    expect(copied).toHaveBeenCalledWith(`${window.location.origin}/profile/ada`)
  })

  it('list all subscribers with plan, status and period [DASH-03, DASH-11]', async () => {
    creator({
      'rpc/get_subscribers': [
        line,
        { ...line, subscription_id: 'subscription-2', cancel_at_period_end: true, plan_name: 'Front row' },
        { ...line, subscription_id: 'subscription-3', status: 'canceled' },
      ],
    })
    renderRoute('/dashboard?tab=subscribers')
    const table = await screen.findByRole('table', { name: 'Subscribers' })
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
    expect(rows[0]).toMatch(/Grace Hopper.*Backstage.*Active.*May 1, 2024.*Renews Jun 1, 2024.*\$24\.50/)
    expect(rows[1]).toMatch(/Front row.*Ends Jun 1, 2024/)
    expect(rows[2]).toMatch(/Canceled.*Ended Jun 1, 2024/)
  })

  it('export those who are found, as CSV that no spreadsheet takes for formulas [DASH-03]', async () => {
    const mallory = { ...line, display_name: '=HYPERLINK("https://evil.example","Grace")', plan_name: 'Front;=1+1' }
    const gone = { ...line, subscription_id: 'subscription-2', display_name: null, username: null, plan_name: null }
    creator({ 'rpc/get_subscribers': [mallory, gone] })
    const files = keepDownloads()
    renderRoute('/dashboard?tab=subscribers')
    await screen.findByRole('table', { name: 'Subscribers' })
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['subscribers.csv']))
    expect((await files[0]?.blob.text())?.split('\r\n')).toEqual([
      'Subscriber,Username,Plan,Status,Since,Period,Spent',
      `"'=HYPERLINK(""https://evil.example"",""Grace"")",grace,Front;'=1+1,Active,2024-05-01T10:00:00Z,"Renews Jun 1, 2024",24.50`,
      'Someone,,,Active,2024-05-01T10:00:00Z,"Renews Jun 1, 2024",24.50',
      '',
    ])
  })

  it('find subscribers by name and group, and write to one or to all of a group [DASH-03]', async () => {
    creator({ 'rpc/get_subscribers': [line] })
    const asked: unknown[] = []
    renderRoute('/dashboard?tab=subscribers')
    expect(await screen.findByRole('link', { name: 'Message Grace Hopper' })).toHaveAttribute(
      'href',
      '/messages?with=grace',
    )
    network.use(
      http.post('*/rest/v1/rpc/get_subscribers', async ({ request }) => {
        asked.push(await request.json())
        return HttpResponse.json([])
      }),
    )
    await userEvent.click(screen.getByRole('radio', { name: 'Ending' }))
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search subscribers' }), 'ines')
    expect(await screen.findByText('No matches')).toBeVisible()
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ search: 'ines', subscriber_group: 'ending' }))
    expect(screen.getByRole('link', { name: 'Message subscribers' })).toHaveAttribute(
      'href',
      '/dashboard/messages/new?to=ending',
    )
  })
})
