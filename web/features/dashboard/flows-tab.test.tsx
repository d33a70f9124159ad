import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { creator } from '../../testing/dashboard.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'

const step = {
  id: 'step-1',
  kind: 'send',
  content: 'Hi {name}!',
  price_cents: 500,
  file_ids: [],
  preview_index: null,
  files: [],
  entered: 12,
  waiting: 3,
  sent: 9,
  bought: 2,
  earned_cents: 900,
}
const flow = {
  id: 'flow-1',
  name: 'Welcome',
  trigger: { trigger: 'follow' },
  status: 'active',
  quiet_from: null,
  quiet_until: null,
  created_at: '2024-05-01T10:00:00Z',
  steps: [
    step,
    { ...step, id: 'step-2', kind: 'wait', minutes: 60, content: undefined, entered: 9, waiting: 9, sent: 0 },
  ],
}
/** What the functions were called with. */
function record(...names: string[]) {
  const calls: unknown[] = []
  network.use(
    ...names.map((name) =>
      http.post(`*/rest/v1/rpc/${name}`, async ({ request }) => {
        calls.push([name, await request.json()])
        return HttpResponse.json(name === 'test_flow' ? 2 : 'flow-9')
      }),
    ),
  )
  return calls
}
const figure = (place: HTMLElement, name: string) =>
  within(place).getByText(name, { selector: 'dt' }).parentElement?.querySelector('dd')?.textContent

describe('the flows of a creator', () => {
  it('show their status and numbers [AUTO-05]', async () => {
    const other = { ...flow, id: 'flow-2', name: 'For regulars', trigger: { trigger: 'list', list: 'list-1' } }
    creator({
      'rpc/get_flows': [flow, other],
      fan_lists: [{ id: 'list-1', name: 'Regulars', rule: null, members_count: 1 }],
    })
    renderRoute('/dashboard?tab=flows')
    expect(await screen.findByText('Added to the list "Regulars"')).toBeVisible()
    const row = (await screen.findByRole('heading', { name: 'Welcome' })).closest('li')
    if (!row) throw new Error('there is no row')
    expect(within(row).getByText('Active')).toBeVisible()
    expect(['Entered', 'Waiting', 'Got the message', 'Bought', 'Earned'].map((name) => figure(row, name))).toEqual([
      '12',
      '12',
      '9',
      '4',
      '$18.00',
    ])
  })

  it('offer ready-made ones when there are none, and Retry when they fail to load [AUTO-04]', async () => {
    creator()
    network.use(
      http.get('*/rest/v1/rpc/get_flows', () => HttpResponse.json({ message: 'down' }, { status: 500 }), {
        once: true,
      }),
    )
    renderRoute('/dashboard?tab=flows')
    expect(await screen.findByText("Couldn't load your flows")).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('No flows yet')).toBeVisible()
    const calls = record('save_flow')
    await userEvent.click(screen.getByRole('button', { name: 'New flow' }))
    await userEvent.click(await screen.findByRole('link', { name: /^Win back/ }))
    expect(await screen.findByLabelText(/^Name/)).toHaveValue('Win back')
    await userEvent.click(screen.getByRole('button', { name: 'Save flow' }))
    await waitFor(() =>
      expect(calls).toMatchObject([
        [
          'save_flow',
          {
            name: 'Win back',
            trigger: { trigger: 'subscription_ended' },
            steps: [{ kind: 'wait', minutes: 4320 }, { kind: 'promotion_code' }, { kind: 'send', price_cents: null }],
          },
        ],
      ]),
    )
  })

  it('pause and resume, send a test, and are deleted after a question [AUTO-04]', async () => {
    creator({ 'rpc/get_flows': [flow] })
    const calls = record('set_flow_status', 'test_flow', 'delete_flow')
    renderRoute('/dashboard?tab=flows')
    await userEvent.click(await screen.findByRole('button', { name: 'Pause Welcome' }))
    await waitFor(() => expect(calls).toEqual([['set_flow_status', { flow_id: 'flow-1', status: 'paused' }]]))
    const more = () => screen.getByRole('button', { name: 'More about Welcome' })
    await userEvent.click(more())
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Send a test to yourself' }))
    expect(await screen.findByText('2 test messages are in your notifications')).toBeVisible()
    await userEvent.click(more())
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete flow' }))
    const question = await screen.findByRole('dialog', { name: 'Delete Welcome?' })
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(calls.at(-1)).toEqual(['delete_flow', { flow_id: 'flow-1' }]))
    expect(await screen.findByText('No flows yet')).toBeVisible()
  })
})

describe('the editor of a flow', () => {
  it('moves steps by buttons, removes one with Undo, and keeps their ids [AUTO-02]', async () => {
    creator({ 'rpc/get_flows': [flow] })
    const calls = record('save_flow')
    renderRoute('/dashboard?tab=flows&flow=flow-1')
    const first = await screen.findByRole('group', { name: 'Step 1: Send a message' })
    expect(figure(first, 'Earned')).toBe('$9.00')
    await userEvent.click(screen.getByRole('button', { name: 'Move step 2 up' }))
    expect(screen.getByText('Now step 1 of 2')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Remove step 2' }))
    expect(screen.queryByLabelText('Message')).toBeNull()
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save flow' }))
    await waitFor(() =>
      expect(calls).toEqual([
        [
          'save_flow',
          {
            flow_id: 'flow-1',
            name: 'Welcome',
            trigger: { trigger: 'follow' },
            steps: [
              { id: 'step-2', kind: 'wait', minutes: 60 },
              {
                id: 'step-1',
                kind: 'send',
                content: 'Hi {name}!',
                price_cents: 500,
                file_ids: [],
                preview_index: null,
              },
            ],
          },
        ],
      ]),
    )
  })

  it('says which step is incomplete, and what of the trigger and the quiet hours [AUTO-01]', async () => {
    creator({ fan_lists: [{ id: 'list-1', name: 'Regulars', rule: null, members_count: 0 }] })
    const calls = record('save_flow')
    renderRoute('/dashboard?tab=flows&flow=new')
    await userEvent.type(await screen.findByLabelText(/^Name/), 'Mine')
    await userEvent.selectOptions(screen.getByLabelText('Starts with'), 'Purchase or tip of at least')
    await userEvent.type(screen.getByLabelText('From'), '22:00')
    await userEvent.click(screen.getByRole('button', { name: 'Save flow' }))
    expect(await screen.findByText('Complete what starts the flow.')).toBeVisible()
    expect(screen.getByText('Enter two different times, or none.')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('Step 1: Write a message')
    expect(calls).toEqual([])
    await userEvent.type(screen.getByLabelText('Amount in USD'), '5')
    await userEvent.type(screen.getByLabelText('Until'), '08:00')
    await userEvent.type(screen.getByLabelText('Message'), 'Thanks!')
    // With the keyboard: the field of the new step has the focus, or the button, if it has none.
    screen.getByRole('button', { name: 'Add step' }).focus()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Wait' })).toHaveFocus())
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByLabelText('How long')).toHaveFocus()
    await userEvent.click(screen.getByRole('button', { name: 'Remove step 2' }))
    await userEvent.click(screen.getByRole('button', { name: 'Add step' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Add to a list' }))
    expect(screen.getByRole('button', { name: 'Add step' })).toHaveFocus()
    await userEvent.selectOptions(await screen.findByLabelText('List'), 'Regulars')
    await userEvent.click(screen.getByRole('button', { name: 'Save flow' }))
    await waitFor(() =>
      expect(calls).toMatchObject([
        [
          'save_flow',
          {
            trigger: { trigger: 'payment', cents: 500 },
            quiet_from: '22:00',
            quiet_until: '08:00',
            steps: [
              { kind: 'send', content: 'Thanks!' },
              { kind: 'add_to_list', list: 'list-1' },
            ],
          },
        ],
      ]),
    )
  })
})
