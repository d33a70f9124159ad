import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { creator } from '../../testing/dashboard.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'

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
const ada = { ...fan, fan_id: 'fan-2', username: 'ada', display_name: 'Ada Lovelace', plan_name: null, spent: 0 }
const regulars = { id: 'list-1', name: 'Regulars', rule: null, members_count: 1 }
const smart = { id: 'list-2', name: 'Leaving', rule: { all: [{ condition: 'renewal_off' }] }, members_count: 0 }

describe('the fans of a creator', () => {
  it('are a table with plan, start, and spending, in the order of a column [LIST-01]', async () => {
    creator()
    const asked: Record<string, string>[] = []
    network.use(
      http.get('*/rest/v1/rpc/get_fans', ({ request }) => {
        asked.push(Object.fromEntries(new URL(request.url).searchParams))
        return HttpResponse.json([fan, ada])
      }),
    )
    renderRoute('/dashboard?tab=fans')
    const table = await screen.findByRole('table', { name: 'Your fans' })
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
    expect(rows[0]).toMatch(/Grace Hopper.*Backstage.*May 1, 2024.*\$24\.50/)
    expect(rows[1]).toMatch(/Ada Lovelace.*\$0\.00/)
    await userEvent.click(within(table).getByRole('button', { name: 'Spent' }))
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: 'spent', ascending: 'false' }))
    await userEvent.selectOptions(await screen.findByLabelText('Order'), 'Names from A to Z')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: 'name', ascending: 'true' }))
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search fans' }), 'grace')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ search: 'grace' }))
  })

  it('say so when there are none [LIST-01]', async () => {
    creator({ 'rpc/get_fans': [] })
    renderRoute('/dashboard?tab=fans')
    expect(await screen.findByText('No fans yet')).toBeVisible()
  })

  it('offer Retry when they fail to load [LIST-01]', async () => {
    creator()
    network.use(
      http.get('*/rest/v1/rpc/get_fans', () => HttpResponse.json({ message: 'down' }, { status: 500 }), { once: true }),
      http.get('*/rest/v1/rpc/get_fans', () => HttpResponse.json([fan])),
    )
    renderRoute('/dashboard?tab=fans')
    expect(await screen.findByText("Couldn't load your fans")).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Grace Hopper')).toBeVisible()
  })

  it('go to a list together, and leave it after a question [LIST-01]', async () => {
    creator({ 'rpc/get_fans': [fan, ada], fan_lists: [regulars, smart] })
    const sent: unknown[] = []
    network.use(
      ...['add_to_fan_list', 'remove_from_fan_list'].map((name) =>
        http.post(`*/rest/v1/rpc/${name}`, async ({ request }) => {
          sent.push([name, await request.json()])
          return HttpResponse.json(2)
        }),
      ),
    )
    renderRoute('/dashboard?tab=fans&list=list-1')
    expect(await screen.findByText('1 fan')).toBeVisible()
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all shown' }))
    expect(screen.getByText('2 selected')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Add to list' }))
    const dialog = await screen.findByRole('dialog', { name: 'Add 2 fans to lists' })
    expect(within(dialog).queryByLabelText('Leaving')).toBeNull() // takes fans by its rule
    await userEvent.click(await within(dialog).findByLabelText('Regulars'))
    await waitFor(() => expect(sent).toEqual([['add_to_fan_list', { list_id: 'list-1', fan_ids: ['fan-1', 'fan-2'] }]]))
    await userEvent.keyboard('{Escape}')
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Grace Hopper' }))
    await userEvent.click(screen.getByRole('button', { name: 'Remove from list' }))
    const question = await screen.findByRole('dialog', { name: 'Remove 1 fan from Regulars?' })
    await userEvent.click(within(question).getByRole('button', { name: 'Remove' }))
    await waitFor(() =>
      expect(sent.at(-1)).toEqual(['remove_from_fan_list', { list_id: 'list-1', fan_ids: ['fan-1'] }]),
    )
  })

  it('are counted while a rule is written, and on a smart list [LIST-02]', async () => {
    creator({ 'rpc/get_fans': [fan], fan_lists: [smart] })
    const rules: unknown[] = []
    const saved: unknown[] = []
    network.use(
      http.post('*/rest/v1/rpc/count_audience', async ({ request }) => {
        rules.push(await request.json())
        return HttpResponse.json(1234)
      }),
      http.post('*/rest/v1/fan_lists', async ({ request }) => {
        saved.push(await request.json())
        return HttpResponse.json({ id: 'list-3', name: 'Big spenders', rule: null }, { status: 201 })
      }),
    )
    renderRoute('/dashboard?tab=fans&list=list-2')
    expect(await screen.findByText('1,234 fans')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'New smart list' }))
    const dialog = await screen.findByRole('dialog', { name: 'New smart list' })
    await userEvent.type(await within(dialog).findByLabelText(/^Name/), 'Big spenders')
    // The focus stays in the group when a condition is removed with its button.
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add condition' }))
    await userEvent.click(within(dialog).getAllByRole('button', { name: 'Remove condition' })[1] as HTMLElement)
    expect(within(dialog).getByRole('group', { name: 'Fans who meet' })).toHaveFocus()
    await userEvent.selectOptions(within(dialog).getByLabelText('Condition'), 'Spent in total')
    expect(within(dialog).getByText('Complete the conditions to see how many fans match.')).toBeVisible()
    await userEvent.type(within(dialog).getByLabelText('Amount'), '50')
    expect(await within(dialog).findByText('1,234 fans match now')).toBeVisible()
    const rule = { all: [{ condition: 'spent', is: 'at_least', cents: 5000 }] }
    await waitFor(() => expect(rules.at(-1)).toEqual({ rule }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create list' }))
    await waitFor(() => expect(saved).toEqual([{ name: 'Big spenders', rule }]))
  })

  it('of a rule that the server rejects are not counted: the reason appears [LIST-02]', async () => {
    creator({ 'rpc/get_fans': [], fan_lists: [] })
    network.use(
      http.post('*/rest/v1/rpc/count_audience', () =>
        HttpResponse.json({ code: '22023', message: 'A rule can have up to 20 conditions' }, { status: 400 }),
      ),
    )
    renderRoute('/dashboard?tab=fans')
    await userEvent.click(await screen.findByRole('button', { name: 'New smart list' }))
    expect(await screen.findByText('A rule can have up to 20 conditions')).toBeVisible()
  })
})
