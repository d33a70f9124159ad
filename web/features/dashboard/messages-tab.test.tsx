import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { MassMessage } from '../../domain/mass-messages/queries.ts'
import { creator } from '../../testing/dashboard.ts'
import { buildFile, buildMass } from '../../testing/mass-messages.ts'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signFiles } from '../../testing/sign-files.ts'

const offer = buildMass({
  id: 'mass-2',
  content: 'The whole roll',
  price_cents: 500,
  files: [buildFile()],
  status: 'sent',
  recipients_count: 1204,
  sent_count: 1204,
  sent_at: '2024-05-02T10:00:00Z',
  delivered: 1204,
  viewed: 800,
  purchased: 12,
  earned_cents: 5400,
})

/** The messages of each view, and what the screen has called. */
function serve(messages: MassMessage[]) {
  creator()
  signFiles({ bucket: 'vault' })
  const calls: unknown[] = []
  network.use(
    http.get('*/rest/v1/rpc/get_mass_messages', ({ request }) => {
      const kind = new URL(request.url).searchParams.get('kind')
      const isIn = ({ status }: MassMessage) =>
        kind === 'history' ? status !== 'draft' && status !== 'scheduled' : status === kind
      return HttpResponse.json(messages.filter(isIn))
    }),
    ...[
      ['unsend_mass_message', 1192],
      ['set_mass_message_end', null],
      ['unschedule_mass_message', null],
      ['delete_mass_message', null],
    ].map(([name, result]) =>
      http.post(`*/rest/v1/rpc/${name}`, async ({ request }) => {
        calls.push([name, await request.json()])
        return HttpResponse.json(result)
      }),
    ),
  )
  return calls
}

const choose = async (message: string, action: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `More options for "${message}"` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

describe('the messages of a creator', () => {
  it('show their state, their figures, and what they earned [MASS-03]', async () => {
    serve([
      offer,
      buildMass({ id: 'mass-3', status: 'ended', content: 'Over', sent_at: '2024-05-01T10:00:00Z' }),
      buildMass({ id: 'mass-4', status: 'unsent', content: 'Taken back', sent_at: '2024-05-01T10:00:00Z' }),
    ])
    renderRoute('/dashboard?tab=messages')
    const list = await screen.findByRole('list', { name: 'History' })
    const [sent, ended, unsent] = within(list)
      .getAllByRole('listitem')
      .map((row) => row.textContent)
    expect(sent).toMatch(/The whole roll.*Sent.*\$5\.00.*Delivered1\.2K.*Viewed800.*Purchased12.*Earned\$54\.00/)
    expect(ended).toMatch(/Over.*Ended.*Free.*Delivered0.*Viewed0/)
    expect(ended).not.toMatch(/Purchased|Earned/)
    expect(unsent).toMatch(/Taken back.*Unsent/)
  })

  it('follow a sending until it is done [MASS-03]', async () => {
    const sending = { ...offer, status: 'sending' as const, recipients_count: 100_000 }
    creator()
    signFiles({ bucket: 'vault' })
    let sent = 12_300
    network.use(
      http.get('*/rest/v1/rpc/get_mass_messages', () => {
        const row = { ...sending, sent_count: sent }
        sent = 60_000
        return HttpResponse.json([row])
      }),
    )
    renderRoute('/dashboard?tab=messages')
    expect(await screen.findByText('Sending 12,300 of 100,000')).toBeVisible()
    expect(await screen.findByText('Sending 60,000 of 100,000', undefined, { timeout: 10_000 })).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Sending 60,000 of 100,000' })).toHaveAttribute(
      'aria-valuenow',
      '60',
    )
  })

  it('lead from each number to the fans behind it, and from a fan to the fan sheet [MASS-03]', async () => {
    serve([offer])
    // Only fans in view are rendered.
    const height = vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400)
    onTestFinished(() => height.mockRestore())
    const fan = {
      fan_id: 'fan-1',
      user_id: 'user-grace',
      username: 'grace',
      display_name: 'Grace Hopper',
      custom_name: null,
      avatar_url: null,
      updated_at: '2024-05-01T10:00:00Z',
      since: '2024-05-01T10:00:00Z',
      spent: 2450,
      plan_name: 'Backstage',
      subscription_status: 'active',
      position: '2024-05-01T10:00:00Z',
    }
    const asked: Record<string, string>[] = []
    network.use(
      http.get('*/rest/v1/rpc/get_mass_message_fans', ({ request }) => {
        asked.push(Object.fromEntries(new URL(request.url).searchParams))
        return HttpResponse.json([fan])
      }),
      answer('rpc/get_fan_sheet', null),
      answer('fan_notes', []),
    )
    renderRoute('/dashboard?tab=messages')
    await userEvent.click(await screen.findByRole('button', { name: 'Purchased: 12. Show the fans' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Purchased by (12)' }))
    await waitFor(() => expect(asked).toMatchObject([{ mass_message_id: 'mass-2', which: 'purchased' }]))
    await userEvent.click(await dialog.findByRole('button', { name: /Grace Hopper.*Backstage · \$24\.50 spent/ }))
    expect(await screen.findByRole('dialog', { name: 'About Grace Hopper' })).toBeVisible()
  })

  it('are taken back after a question [MASS-04]', async () => {
    const calls = serve([offer])
    renderRoute('/dashboard?tab=messages')
    await choose('The whole roll', 'Unsend')
    const dialog = within(await screen.findByRole('dialog', { name: 'Unsend this message?' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Unsend' }))
    expect(await screen.findByText('Taken back from 1,192 fans')).toBeVisible()
    expect(calls).toEqual([['unsend_mass_message', { mass_message_id: 'mass-2' }]])
  })

  it('end now after a question, or at another time [MASS-04]', async () => {
    const calls = serve([{ ...offer, ends_at: '2999-01-01T10:00:00Z' }])
    renderRoute('/dashboard?tab=messages')
    await choose('The whole roll', 'End now')
    const question = within(await screen.findByRole('dialog', { name: 'End this offer?' }))
    await userEvent.click(question.getByRole('button', { name: 'End now' }))
    await waitFor(() =>
      expect(calls).toEqual([
        ['set_mass_message_end', { mass_message_id: 'mass-2', ends_at: expect.stringMatching(/Z$/) }],
      ]),
    )
    await choose('The whole roll', 'Change end')
    const dialog = within(await screen.findByRole('dialog', { name: 'End of the offer' }))
    await userEvent.click(dialog.getByRole('button', { name: 'No end' }))
    expect(await screen.findByText('End of the offer changed')).toBeVisible()
    expect(calls.at(-1)).toEqual(['set_mass_message_end', { mass_message_id: 'mass-2', ends_at: null }])
  })

  it('are drafts that lead to the composer, and can be deleted [MASS-02]', async () => {
    const calls = serve([buildMass()])
    renderRoute('/dashboard?tab=messages')
    await userEvent.click(await screen.findByRole('radio', { name: 'Drafts' }))
    expect(await screen.findByRole('link', { name: 'See you at six.' })).toHaveAttribute(
      'href',
      '/dashboard/messages/mass-1',
    )
    await choose('See you at six.', 'Delete draft')
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Draft deleted')).toBeVisible()
    expect(calls).toEqual([['delete_mass_message', { mass_message_id: 'mass-1' }]])
  })

  it('are scheduled ones in the zone of their clock, and go back to the drafts [MASS-02, MASS-03]', async () => {
    const calls = serve([
      buildMass({ status: 'scheduled', scheduled_at: '2999-03-06T17:30:00Z', time_zone: 'Europe/Berlin' }),
    ])
    renderRoute('/dashboard?tab=messages&show=scheduled')
    expect(await screen.findByText(/Mar 6, 2999, 6:30 PM GMT\+1/)).toBeVisible()
    await choose('See you at six.', 'Move to drafts')
    expect(await screen.findByText('Moved to drafts')).toBeVisible()
    expect(calls).toEqual([['unschedule_mass_message', { mass_message_id: 'mass-1' }]])
  })

  it('say so when there are none, and how many fans muted offers [MASS-03, MASS-05]', async () => {
    serve([])
    network.use(http.get('*/rest/v1/rpc/count_offer_mutes', () => HttpResponse.json(3)))
    renderRoute('/dashboard?tab=messages')
    expect(await screen.findByText('No mass messages yet')).toBeVisible()
    expect(await screen.findByText('3 fans muted your offers')).toBeVisible()
    expect(screen.getByRole('link', { name: 'New message' })).toHaveAttribute('href', '/dashboard/messages/new')
  })

  it('offer Retry when they fail to load [MASS-03]', async () => {
    creator()
    signFiles({ bucket: 'vault' })
    network.use(
      http.get('*/rest/v1/rpc/get_mass_messages', () => HttpResponse.json({ message: 'down' }, { status: 500 }), {
        once: true,
      }),
      answer('rpc/get_mass_messages', [offer]),
    )
    renderRoute('/dashboard?tab=messages')
    expect(await screen.findByText("Couldn't load your messages")).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('The whole roll')).toBeVisible()
  })
})
