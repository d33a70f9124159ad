import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'

/** An admin at the tab; records the requests in order. */
function admin({ refuse = 0 } = {}) {
  signIn({ role: 'admin' })
  const asked: { polls: Record<string, unknown>[]; broadcasts: Record<string, unknown>[] } = {
    polls: [],
    broadcasts: [],
  }
  let refusals = refuse
  network.use(
    answer('creator_applications', []),
    answer('support_requests', []),
    answer('rpc/count_users', 1234),
    http.post('*/rest/v1/polls', async ({ request }) => {
      asked.polls.push((await request.json()) as Record<string, unknown>)
      return HttpResponse.json({ id: `poll-${asked.polls.length}` }, { status: 201 })
    }),
    http.post('*/rest/v1/rpc/broadcast_notification_to_all_users', async ({ request }) => {
      asked.broadcasts.push((await request.json()) as Record<string, unknown>)
      if (refusals-- > 0) return HttpResponse.json({ code: '57014', message: 'It took too long' }, { status: 500 })
      return HttpResponse.json(1234)
    }),
  )
  renderRoute('/admin?tab=notifications')
  return asked
}

const field = (name: string | RegExp) => screen.findByRole('textbox', { name })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

it('limits each text, and counts the message [ADM-32]', async () => {
  admin()
  const expectLimits = async (limits: [string | RegExp, string][]) => {
    for (const [name, limit] of limits) expect(await field(name)).toHaveAttribute('maxlength', limit)
  }
  await expectLimits([
    ['Title', '100'],
    ['Message', '500'],
  ])
  await userEvent.type(await field('Message'), 'Hello')
  expect(screen.getByText('5/500')).toBeVisible()
  await userEvent.click(await screen.findByRole('radio', { name: 'Poll' }))
  await expectLimits([
    ['Poll question', '200'],
    [/^Description/, '300'],
    ['Option 1', '100'],
    ['Option 2', '100'],
  ])
})

describe('an announcement', () => {
  it('asks once more with the number of users, sends, and says how many got it [ADM-27]', async () => {
    const asked = admin()
    await userEvent.type(await field('Title'), ' New terms ')
    await userEvent.type(await field('Message'), 'They hold from Monday.')
    const preview = within(screen.getByRole('region', { name: 'Preview' }))
    expect(preview.getByText('New terms')).toBeVisible()
    await press('Send announcement')
    expect(asked.broadcasts).toEqual([])
    const dialog = await screen.findByRole('dialog', { name: 'Send to everyone?' })
    expect(within(dialog).getByText(/^1,234 users will get this notification/)).toBeVisible()
    await press('Send')
    expect(await screen.findByText('Announcement Sent')).toBeVisible()
    expect(screen.getByText('Sent to 1,234 users')).toBeVisible()
    expect(asked.broadcasts).toEqual([
      {
        notification_type: 'announcement',
        notification_title: 'New terms',
        notification_message: 'They hold from Monday.',
      },
    ])
    expect(asked.polls).toEqual([])
    expect(await field('Title')).toHaveValue('')
  })

  it('needs a title and a message, and counts what is typed [ADM-28, ADM-29, ADM-32]', async () => {
    const asked = admin()
    await press('Send announcement')
    expect(await screen.findByText('Title is required')).toBeVisible()
    expect(screen.getByText('Message is required for announcements')).toBeVisible()
    expect(await field('Title')).toHaveFocus()
    await userEvent.type(await field('Message'), 'Hello')
    expect(screen.getByText('5/500')).toBeVisible()
    expect(await field('Title')).toHaveAttribute('maxlength', '100')
    expect(await field('Message')).toHaveAttribute('maxlength', '500')
    expect(asked.broadcasts).toEqual([])
  })

  it('says why it was not sent, and keeps what was typed [ADM-36]', async () => {
    admin({ refuse: 1 })
    await userEvent.type(await field('Title'), 'New terms')
    await userEvent.type(await field('Message'), 'They hold from Monday.')
    await press('Send announcement')
    await press('Send')
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('Failed to send notification')).toBeVisible()
    expect(await field('Message')).toHaveValue('They hold from Monday.')
  })
})

describe('a poll', () => {
  async function fill() {
    await userEvent.click(await screen.findByRole('radio', { name: 'Poll' }))
    await userEvent.type(await field('Title'), 'Your say')
    await userEvent.type(await field('Poll question'), 'Tea or coffee?')
    await userEvent.type(await field('Option 1'), 'Tea')
    await userEvent.type(await field('Option 2'), ' Coffee ')
  }

  it('runs for seven days, is sent with its id, and says how many users got it, as an announcement does [ADM-27, ADM-34, ADM-35]', async () => {
    const asked = admin()
    await fill()
    await press('Create and send poll')
    await press('Send')
    const sent = async (title: string) => (await screen.findByText(title)).closest('[role=status]')
    expect(await sent('Poll Created & Sent')).toHaveTextContent('Sent to 1,234 users')
    const [poll] = asked.polls
    expect(poll).toMatchObject({ title: 'Tea or coffee?', description: null, options: '["Tea","Coffee"]' })
    const days = (new Date(String(poll?.expires_at)).getTime() - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 1)
    expect(asked.broadcasts).toMatchObject([
      { notification_type: 'poll', poll_ref: 'poll-1', notification_message: '' },
    ])
    await userEvent.click(await screen.findByRole('radio', { name: 'Announcement' }))
    await userEvent.type(await field('Title'), 'New terms')
    await userEvent.type(await field('Message'), 'They hold from Monday.')
    await press('Send announcement')
    await press('Send')
    expect(await sent('Announcement Sent')).toHaveTextContent('Sent to 1,234 users')
  })

  it('needs a question and two options of different words [ADM-30, ADM-31, ADM-32]', async () => {
    const asked = admin()
    await userEvent.click(await screen.findByRole('radio', { name: 'Poll' }))
    await userEvent.type(await field('Title'), 'Your say')
    await userEvent.type(await field('Option 1'), 'Tea')
    await press('Create and send poll')
    expect(await screen.findByText('Poll title is required')).toBeVisible()
    expect(screen.getByText('At least 2 poll options are required')).toBeVisible()
    expect(await field('Poll question')).toHaveAttribute('maxlength', '200')
    expect(await field(/^Description/)).toHaveAttribute('maxlength', '300')
    await userEvent.type(await field('Poll question'), 'Tea or tea?')
    await userEvent.type(await field('Option 2'), 'Tea')
    await press('Create and send poll')
    expect(await screen.findByText('Each poll option must be different')).toBeVisible()
    expect(asked.polls).toEqual([])
  })

  it('shows what it is about to be, and where its question will stand [ADM-27]', async () => {
    admin()
    await userEvent.click(await screen.findByRole('radio', { name: 'Poll' }))
    const preview = within(screen.getByRole('region', { name: 'Preview' }))
    expect(preview.getByText('Poll question')).toBeVisible()
    await userEvent.type(await field('Poll question'), 'Tea or coffee?')
    expect(preview.getByText('Tea or coffee?')).toBeVisible()
    expect(preview.queryByText('Poll question')).not.toBeInTheDocument()
  })

  it('takes up to ten options, and as few as two [ADM-33]', async () => {
    admin()
    await userEvent.click(await screen.findByRole('radio', { name: 'Poll' }))
    expect(screen.queryByRole('button', { name: 'Remove option 1' })).not.toBeInTheDocument()
    for (let count = 2; count < 10; count++) await press('Add option')
    expect(screen.queryByRole('button', { name: 'Add option' })).not.toBeInTheDocument()
    expect(await field('Option 10')).toHaveAttribute('maxlength', '100')
    await press('Remove option 10')
    expect(screen.queryByRole('textbox', { name: 'Option 10' })).not.toBeInTheDocument()
  })

  it('offers 1, 3, 7, 14 and 30 days [ADM-34]', async () => {
    admin()
    await userEvent.click(await screen.findByRole('radio', { name: 'Poll' }))
    const duration = await screen.findByRole('combobox', { name: 'Open for' })
    const options = within(duration).getAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual(['1 day', '3 days', '7 days', '14 days', '30 days'])
    expect(duration).toHaveDisplayValue('7 days')
  })

  it('is not made a second time when it could not be sent [ADM-36]', async () => {
    const asked = admin({ refuse: 1 })
    await fill()
    await press('Create and send poll')
    await press('Send')
    expect(await screen.findByText('Failed to send notification')).toBeVisible()
    await press('Create and send poll')
    await press('Send')
    expect(await screen.findByText('Poll Created & Sent')).toBeVisible()
    expect(asked.polls).toHaveLength(1)
    await waitFor(() => expect(asked.broadcasts.map(({ poll_ref }) => poll_ref)).toEqual(['poll-1', 'poll-1']))
  })
})
