import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import type { MassMessage } from '../../../domain/mass-messages/queries.ts'
import { creator } from '../../../testing/dashboard.ts'
import { buildFile, buildMass } from '../../../testing/mass-messages.ts'
import { answer, network } from '../../../testing/network.ts'
import { renderRoute } from '../../../testing/render-route.tsx'
import { buildVaultFile } from '../../../testing/rows.ts'
import { signFiles } from '../../../testing/sign-files.ts'
import { signIn } from '../../../testing/sign-in.ts'

type Call = { name: string; body: Record<string, unknown> }

const messageOr404 = (message: MassMessage | undefined) =>
  message
    ? HttpResponse.json(message)
    : HttpResponse.json({ code: 'PT404', message: 'Message not found', details: null, hint: null }, { status: 404 })

/** A creator with a list and a plan. @returns the calls that change something, and the audiences that were counted. */
function serve(messages: MassMessage[] = []) {
  creator({
    fan_lists: [{ id: 'list-1', name: 'Regulars', rule: null, members_count: 3 }],
    subscription_products: [{ id: 'plan-1', name: 'Backstage', price_cents: 999 }],
  })
  signFiles({ bucket: 'vault' })
  const calls: Call[] = []
  const counted: Record<string, unknown>[] = []
  const take = (name: string, respond: () => Response) =>
    http.post(`*/rest/v1/rpc/${name}`, async ({ request }) => {
      calls.push({ name, body: (await request.json()) as Call['body'] })
      return respond()
    })
  network.use(
    answer('rpc/get_mass_messages', []),
    http.get('*/rest/v1/rpc/get_mass_message', ({ request }) => {
      const id = new URL(request.url).searchParams.get('mass_message_id')
      return messageOr404(messages.find((message) => message.id === id))
    }),
    http.post('*/rest/v1/rpc/count_mass_recipients', async ({ request }) => {
      counted.push((await request.json()) as Record<string, unknown>)
      return HttpResponse.json(1204)
    }),
    take('save_mass_message', () => HttpResponse.json('mass-9')),
    take('send_mass_message', () => HttpResponse.json(buildMass({ id: 'mass-9', recipients_count: 1204 }))),
  )
  return { calls, counted }
}

const choose = async (field: 'To' | 'Except', option: string) => {
  await userEvent.click(await screen.findByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
const write = async (text: string) => userEvent.type(await screen.findByLabelText('Message'), text)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('a new mass message', () => {
  it('goes to lists and groups without the others, after its number was shown and confirmed [MASS-01]', async () => {
    const { calls, counted } = serve()
    const { router } = renderRoute('/dashboard/messages/new')
    expect(await screen.findByText('Choose who gets it to see how many they are.')).toBeVisible()
    await choose('To', 'Regulars')
    await choose('To', 'Former subscribers')
    await choose('Except', 'Subscribers of Backstage')
    expect(await screen.findByText('1,204 fans would get this')).toBeVisible()
    const audience = {
      include: [
        { condition: 'in_list', list: 'list-1' },
        { condition: 'not_subscribed', before: 'ever' },
      ],
      exclude: [{ condition: 'plan', plan: 'plan-1' }],
    }
    await waitFor(() => expect(counted.at(-1)).toMatchObject({ audience }))
    await write('New photos')
    await userEvent.type(screen.getByLabelText('Price in USD'), '5')
    await press('Send now')
    const question = within(await screen.findByRole('dialog', { name: 'Send to 1,204 fans?' }))
    expect(question.getByText(/pays \$5\.00 to open it/)).toBeVisible()
    expect(calls.filter(({ name }) => name === 'send_mass_message')).toEqual([])
    await userEvent.click(question.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('Sending to 1,204 fans')).toBeVisible()
    const saved = calls.filter(({ name }) => name === 'save_mass_message').at(-1)
    expect(saved?.body).toMatchObject({ content: 'New photos', price_cents: 500, audience, preview_index: null })
    expect(calls.at(-1)).toEqual({ name: 'send_mass_message', body: { mass_message_id: 'mass-9' } })
    await waitFor(() =>
      expect(router.state.location).toMatchObject({ pathname: '/dashboard', search: '?tab=messages' }),
    )
    // Nothing of it is left for the next one.
    cleanup()
    serve()
    renderRoute('/dashboard/messages/new')
    expect(await screen.findByLabelText('Message')).toHaveValue('')
  })

  it('has files of the vault, one of which is free, and a preview of both sides [MASS-01]', async () => {
    const { calls } = serve()
    const sea = buildVaultFile({ name: 'Sea.jpg', caption: 'At the pier' })
    network.use(answer('rpc/get_vault_files', [sea]))
    renderRoute('/dashboard/messages/new?to=current')
    await userEvent.click(await screen.findByRole('button', { name: 'From vault' }))
    const picker = within(await screen.findByRole('dialog', { name: 'Choose from your vault' }))
    await userEvent.click(await picker.findByRole('button', { name: 'Sea.jpg' }))
    await userEvent.click(picker.getByRole('button', { name: 'Add 1 file' }))
    expect(await screen.findByLabelText('Message')).toHaveValue('At the pier')
    await userEvent.type(screen.getByLabelText('Price in USD'), '5')
    await press('Show Sea.jpg as a free preview')
    const preview = within(await screen.findByRole('region', { name: 'As fans see it' }))
    expect(preview.getByText('Free preview')).toBeInTheDocument()
    expect(preview.getByText('$5.00')).toBeInTheDocument()
    expect(preview.queryByText('At the pier')).toBeNull()
    await userEvent.click(preview.getByRole('radio', { name: 'After they pay' }))
    expect(preview.getByText('At the pier')).toBeInTheDocument()
    await waitFor(() =>
      expect(calls.at(-1)).toMatchObject({ name: 'save_mass_message', body: { file_ids: [sea.id], preview_index: 0 } }),
    )
  })

  it('shows what is missing at its field, and sends nothing [MASS-01]', async () => {
    const { calls } = serve()
    renderRoute('/dashboard/messages/new')
    await userEvent.click(await screen.findByRole('button', { name: 'Send now' }))
    expect(screen.getByText('Choose who gets it')).toBeVisible()
    expect(screen.getByText('Write a message, or add a file')).toBeVisible()
    expect(screen.getByRole('combobox', { name: 'To' })).toHaveFocus()
    expect(calls).toEqual([])
  })

  it('asks for other recipients when nobody would get it [MASS-01]', async () => {
    serve()
    network.use(http.post('*/rest/v1/rpc/count_mass_recipients', () => HttpResponse.json(0)))
    renderRoute('/dashboard/messages/new?to=past')
    await write('Come back')
    await press('Send now')
    await waitFor(() => expect(screen.getAllByText('Nobody would get this')).toHaveLength(2))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('skips fans who own a file or got another one lately [MASS-02]', async () => {
    const { counted } = serve()
    renderRoute('/dashboard/messages/new?to=all')
    await userEvent.click(await screen.findByRole('switch', { name: 'Skip fans who already have one of these files' }))
    await userEvent.click(screen.getByRole('switch', { name: 'Skip fans who recently got another mass message' }))
    const hours = screen.getByLabelText('Hours')
    await userEvent.clear(hours)
    await userEvent.type(hours, '48')
    await waitFor(() => expect(counted.at(-1)).toMatchObject({ skip_owners: true, skip_recent_hours: 48 }))
  })

  it('is scheduled on the clock of a zone [MASS-02]', async () => {
    const { calls } = serve()
    const { router } = renderRoute('/dashboard/messages/new?to=current')
    await write('Good morning')
    await userEvent.click(screen.getByRole('radio', { name: 'Later' }))
    await userEvent.selectOptions(screen.getByLabelText('Time zone'), 'America/New York')
    const year = new Date().getFullYear() + 1
    await userEvent.type(screen.getByLabelText(/Send on/), `${year}-01-05T09:00`)
    expect(screen.getByText(new RegExp(`Jan 5, ${year}, 9:00 AM EST`))).toBeVisible()
    await press('Schedule')
    await waitFor(() =>
      expect(calls.at(-1)).toEqual({
        name: 'send_mass_message',
        body: { mass_message_id: 'mass-9', send_at: `${year}-01-05T14:00:00.000Z`, time_zone: 'America/New_York' },
      }),
    )
    await waitFor(() => expect(router.state.location.search).toBe('?tab=messages&show=scheduled'))
  })

  it('says when the next one is allowed, once a day has had its number [MASS-07]', async () => {
    serve()
    network.use(
      http.post('*/rest/v1/rpc/send_mass_message', () =>
        HttpResponse.json(
          { code: 'PT429', message: 'Too many', details: '2999-03-06T17:30:00+00:00', hint: null },
          { status: 429 },
        ),
      ),
    )
    renderRoute('/dashboard/messages/new?to=current')
    await write('One more')
    await press('Send now')
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(/You can send the next one on .*Mar 6, 2999/)
    expect(screen.getByLabelText('Message')).toHaveValue('One more')
  })
})

describe('the draft of a mass message', () => {
  it('is saved while it is written, in one row, and survives a reload [MASS-02]', async () => {
    const { calls } = serve()
    renderRoute('/dashboard/messages/new')
    await write('Good')
    expect(await screen.findByText('Draft saved', undefined, { timeout: 5_000 })).toBeVisible()
    await write(' morning')
    await waitFor(() => expect(calls).toHaveLength(2), { timeout: 5_000 })
    expect(calls[0]?.body).not.toHaveProperty('mass_message_id')
    expect(calls[1]?.body).toMatchObject({ content: 'Good morning', mass_message_id: 'mass-9' })
    // Not as on leaving the screen, which ends with everything on the server.
    const kept = { ...localStorage }
    cleanup()
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value)
    const again = serve()
    renderRoute('/dashboard/messages/new')
    expect(await screen.findByDisplayValue('Good morning')).toBeVisible()
    await write('!')
    await waitFor(() => expect(again.calls.at(-1)?.body).toMatchObject({ mass_message_id: 'mass-9' }), {
      timeout: 5_000,
    })
  })

  it('is kept by Save draft, which leads to the drafts [MASS-02]', async () => {
    const { calls } = serve()
    const { router } = renderRoute('/dashboard/messages/new')
    await write('Later')
    await press('Save draft')
    await waitFor(() => expect(router.state.location.search).toBe('?tab=messages&show=draft'))
    expect(calls.at(-1)).toMatchObject({ name: 'save_mass_message', body: { content: 'Later' } })
  })

  it('opens with all that it has [MASS-02]', async () => {
    serve([
      buildMass({
        content: 'See you at six.',
        price_cents: 500,
        files: [buildFile()],
        audience: { include: [{ condition: 'everyone' }], exclude: [] },
      }),
    ])
    renderRoute('/dashboard/messages/mass-1')
    expect(await screen.findByDisplayValue('See you at six.')).toBeVisible()
    expect(screen.getByDisplayValue('$5.00')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Remove Rehearsal' })).toBeVisible()
    expect(screen.getAllByText('Everyone')[0]).toBeVisible()
  })

  it('can begin from an earlier message, which stays as it is [MASS-02]', async () => {
    const { calls } = serve([buildMass({ status: 'sent', content: 'New photos' })])
    renderRoute('/dashboard/messages/new?from=mass-1')
    expect(await screen.findByDisplayValue('New photos')).toBeVisible()
    await press('Save draft')
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(calls[0]?.body).not.toHaveProperty('mass_message_id')
  })

  it('of a scheduled message changes only when its creator schedules it again [MASS-02]', async () => {
    const year = new Date().getFullYear() + 1
    const { calls } = serve([
      buildMass({ status: 'scheduled', scheduled_at: `${year}-01-05T14:00:00Z`, time_zone: 'America/New_York' }),
    ])
    renderRoute('/dashboard/messages/mass-1')
    await write(' Really.')
    expect(screen.getByLabelText(/Send on/)).toHaveValue(`${year}-01-05T09:00`)
    expect(screen.queryByRole('button', { name: 'Save draft' })).toBeNull()
    await press('Schedule')
    await waitFor(() => expect(calls.map(({ name }) => name)).toEqual(['save_mass_message', 'send_mass_message']))
    expect(calls[0]?.body).toMatchObject({ content: 'See you at six. Really.', mass_message_id: 'mass-1' })
  })

  it('that was sent leads to a new one, and an unknown one back [MASS-02]', async () => {
    serve([buildMass({ status: 'sending' })])
    renderRoute('/dashboard/messages/mass-1')
    expect(await screen.findByText('This message has been sent')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Use again' })).toHaveAttribute(
      'href',
      '/dashboard/messages/new?from=mass-1',
    )
    cleanup()
    renderRoute('/dashboard/messages/mass-2')
    expect(await screen.findByText('Message not found')).toBeVisible()
  })

  it('is for creators only [MASS-01]', async () => {
    signIn()
    renderRoute('/dashboard/messages/new')
    expect(await screen.findByText('Message not found')).toBeVisible()
  })
})
