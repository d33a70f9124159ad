import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { toLocalInput } from '../../lib/format/local-time.ts'
import { accept, openComposer, submit } from '../../testing/composer.ts'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'

it('needs content or a file [POST-21]', async () => {
  const { inserted } = accept()
  const dialog = await openComposer()
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await dialog.findByText('Please add some content or upload files')).toBeVisible()
  expect(dialog.getByLabelText('Content')).toHaveFocus()
  expect(inserted).toEqual([])
})

it('needs an active plan for a subscription post, and sends its id [POST-22]', async () => {
  const { inserted } = accept()
  const first = await openComposer()
  await userEvent.type(first.getByLabelText('Content'), 'Some words')
  await userEvent.click(await first.findByRole('radio', { name: 'Monthly · $9.99 / month' }))
  cleanup()
  const without = await openComposer([])
  expect(without.getByLabelText('Content')).toHaveValue('Some words')
  expect(without.getByRole('button', { name: 'Create Post' })).toBeDisabled()
  cleanup()
  const dialog = await openComposer()
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Create Post' })).toBeEnabled())
  await submit(dialog)
  expect(await screen.findByText('Post created')).toBeVisible()
  expect(inserted).toMatchObject([{ post_type: 'subscription', required_tier_id: 'plan-1' }])
})

it('says why the post was refused, and keeps what was written [POST-23]', async () => {
  accept()
  network.use(
    http.post('*/rest/v1/posts', () =>
      HttpResponse.json({ code: '42501', message: 'Only approved creators can publish posts' }, { status: 403 }),
    ),
  )
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Upload Error')).toBeVisible()
  expect(screen.getByText('Only approved creators can publish posts')).toBeVisible()
  expect(dialog.getByLabelText('Content')).toHaveValue('Some words')
})

it('has words of its own for a refusal that gives no reason [POST-23]', async () => {
  accept()
  network.use(http.post('*/rest/v1/posts', () => HttpResponse.json({ message: '' }, { status: 500 })))
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Upload Error')).toBeVisible()
  expect(screen.getByText('Failed to create post. Please try again.')).toBeVisible()
})

it('leads the focus back to the button that opened it', async () => {
  await openComposer()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(screen.getByRole('button', { name: 'Create Post' })).toHaveFocus()
})

it('asks before it throws away what was written', async () => {
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Discard this post?' }))
  await userEvent.click(asked.getByRole('button', { name: 'Cancel' }))
  expect(dialog.getByLabelText('Content')).toHaveValue('Some words')
})

it('offers no cover to a creator who waits for approval, because a draft is only in the browser [LOOP-08, LOOP-14]', async () => {
  signIn({ is_creator: true })
  renderRoute('/nowhere')
  await userEvent.click(await screen.findByRole('button', { name: 'Create' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Post' }))
  await userEvent.click(dialog.getByRole('radio', { name: 'Pay-per-view' }))
  expect(await dialog.findByLabelText('Price in USD')).toBeVisible()
  expect(dialog.queryByText('Free cover')).not.toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Save draft' })).toBeDisabled()
})

it.each([
  ["who hasn't applied", [], "You haven't applied yet.", 'Apply now'],
  ['whose application is under review', [{ status: 'pending' }], 'Your application is under review.', 'View it'],
  ['whose application was rejected', [{ status: 'rejected' }], "Your application wasn't approved.", 'See why'],
])(
  'tells a creator %s what a draft is for, and leads to the application [LOOP-08]',
  async (_who, applications, state, action) => {
    signIn({ is_creator: true })
    network.use(answer('creator_applications', applications))
    const { router } = renderRoute('/nowhere')
    await userEvent.click(await screen.findByRole('button', { name: 'Create' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create Post' }))
    expect(dialog.getByText(/this browser keeps its text\. Add photos and videos when you publish\./)).toBeVisible()
    const link = await dialog.findByRole('link', { name: action })
    expect(link.parentElement).toHaveTextContent(`${state} ${action}`)
    await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
    await userEvent.click(link)
    await waitFor(() => expect(router.state.location.pathname).toBe('/creator-verification'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    // Nothing is lost.
    await userEvent.click(await screen.findByRole('button', { name: 'Create' }))
    expect(await screen.findByLabelText('Content')).toHaveValue('Some words')
  },
)

it('closes by Escape what lies on top, and nothing below it', async () => {
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(dialog.getByRole('button', { name: 'Preview' }))
  await screen.findByRole('dialog', { name: 'As fans see it' })
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
  expect(screen.getByRole('dialog', { name: 'Create Post' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await screen.findByRole('dialog', { name: 'Discard this post?' })
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
  expect(dialog.getByLabelText('Content')).toHaveValue('Some words')
})

/** Keeps what was scheduled. */
function acceptScheduled() {
  const scheduled: Record<string, unknown>[] = []
  network.use(
    http.post('*/rest/v1/scheduled_posts', async ({ request }) => {
      scheduled.push((await request.json()) as Record<string, unknown>)
      return new HttpResponse(null, { status: 201 })
    }),
  )
  return scheduled
}

it('schedules a post for a time of the creator’s own zone, which has to come yet [POST-17]', async () => {
  const { inserted } = accept()
  const scheduled = acceptScheduled()
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(dialog.getByRole('switch', { name: 'Schedule for later' }))
  const time = dialog.getByLabelText('Publish on')
  await userEvent.click(dialog.getByRole('button', { name: 'Schedule post' }))
  expect(await dialog.findByText('Choose a date and time')).toBeVisible()
  fireEvent.change(time, { target: { value: '2020-01-01T10:00' } })
  await userEvent.click(dialog.getByRole('button', { name: 'Schedule post' }))
  expect(await dialog.findByText('Choose a time in the future')).toBeVisible()
  expect(dialog.getByText(/^Your time zone \(/)).toBeVisible()
  const tomorrow = new Date(Date.now() + 86_400_000)
  fireEvent.change(time, { target: { value: toLocalInput(tomorrow) } })
  await userEvent.click(dialog.getByRole('button', { name: 'Schedule post' }))
  expect(await screen.findByText(/^Scheduled for /)).toBeVisible()
  expect(inserted).toEqual([])
  expect(scheduled).toMatchObject([{ content: 'Some words', post_type: 'free' }])
  expect(Math.abs(Date.parse(String(scheduled[0]?.publish_at)) - tomorrow.getTime())).toBeLessThan(60_000)
})

it('asks a question with a post, in one request [NOTI-16, ADM-31]', async () => {
  const scheduled = acceptScheduled()
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(dialog.getByRole('switch', { name: 'Add a poll' }))
  // There with the press: nothing comes late and pushes the next switch away.
  await userEvent.type(dialog.getByLabelText('Question'), 'Where to next?')
  await userEvent.type(dialog.getByLabelText('Option 1'), 'North')
  await submit(dialog)
  expect(await dialog.findByText('At least 2 poll options are required')).toBeVisible()
  expect(dialog.getByLabelText('Option 1')).not.toHaveAttribute('data-error')
  expect(dialog.getByLabelText('Option 2')).toHaveAttribute('data-error')
  await userEvent.type(dialog.getByLabelText('Option 2'), 'South')
  await submit(dialog)
  expect(await screen.findByText('Post created')).toBeVisible()
  expect(scheduled).toMatchObject([{ poll: { title: 'Where to next?', options: ['North', 'South'], days: 7 } }])
  expect(scheduled[0]).not.toHaveProperty('publish_at')
})

it('keeps what was written over a reload, until it is published or discarded [POST-17]', async () => {
  const first = await openComposer()
  await userEvent.type(first.getByLabelText('Content'), 'Some words')
  await userEvent.click(first.getByRole('radio', { name: 'Pay-per-view' }))
  await userEvent.type(await first.findByLabelText('Price in USD'), '12.5')
  cleanup()
  const second = await openComposer()
  expect(second.getByRole('status')).toHaveTextContent('We restored your draft. Please add your files again.')
  expect(second.getByLabelText('Content')).toHaveValue('Some words')
  expect(second.getByLabelText('Price in USD')).toHaveValue('$12.50')
  await userEvent.click(second.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }))
  cleanup()
  const third = await openComposer()
  expect(third.getByLabelText('Content')).toHaveValue('')
})

it('shows the post as fans see it, before and after they pay [POST-10, POST-11]', async () => {
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), `${'a'.repeat(100)} and the rest`)
  await userEvent.click(await dialog.findByRole('radio', { name: 'Monthly · $9.99 / month' }))
  await userEvent.click(dialog.getByLabelText('Add a poll'))
  await userEvent.type(await dialog.findByLabelText('Question'), 'Which pier?')
  await userEvent.type(dialog.getByLabelText('Option 1'), 'The third')
  await userEvent.click(dialog.getByRole('button', { name: 'Preview' }))
  const preview = within(await screen.findByRole('dialog', { name: 'As fans see it' }))
  expect(preview.queryByText('Which pier?')).not.toBeInTheDocument()
  expect(preview.getByText(`${'a'.repeat(100)}…`)).toBeVisible()
  expect(preview.getByText('Unlock with Monthly')).toBeVisible()
  await userEvent.click(preview.getByRole('radio', { name: 'After they pay' }))
  expect(preview.getByText(/and the rest$/)).toBeVisible()
  expect(preview.getByText('Which pier?')).toBeVisible()
  expect(preview.getByText('The third')).toBeVisible()
})
