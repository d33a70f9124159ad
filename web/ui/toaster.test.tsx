import { notifications, notificationsStore } from '@mantine/notifications'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { renderPart } from '../testing/render-route.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { announce, toast } from './toast.ts'

afterEach(() => act(() => notifications.clean()))

const waiting = () => notificationsStore.getState().queue
const shown = () => notificationsStore.getState().notifications

describe('a toast', () => {
  it('disappears with the screen it belongs to, and so do the ones that wait [LOOP-18]', async () => {
    const { router } = renderPart(<p>Here</p>)
    for (const message of ['One', 'Two', 'Three', 'Four']) toast.info(message)
    expect(await screen.findByText('One')).toBeVisible()
    await waitFor(() => expect(waiting()).toHaveLength(1))
    await act(() => router.navigate('/?tab=about'))
    expect(screen.getByText('One')).toBeVisible()
    await act(() => router.navigate('/elsewhere'))
    await waitFor(() => expect(screen.queryByText('One')).not.toBeInTheDocument())
    expect(screen.queryByText('Four')).not.toBeInTheDocument()
    await act(() => router.navigate('/messages?with=mara'))
    toast.info('Of this conversation')
    expect(await screen.findByText('Of this conversation')).toBeVisible()
    await act(() => router.navigate('/messages?with=tomas'))
    await waitFor(() => expect(screen.queryByText('Of this conversation')).not.toBeInTheDocument())
  })

  it('stays through the navigation that its own action causes, and only through that one [LOOP-18]', async () => {
    const { router } = renderPart(<p>Here</p>)
    toast.leaving('Post deleted')
    expect(await screen.findByText('Post deleted')).toBeVisible()
    await act(() => router.navigate('/home'))
    expect(screen.getByText('Post deleted')).toBeVisible()
    await act(() => router.navigate('/elsewhere'))
    await waitFor(() => expect(screen.queryByText('Post deleted')).not.toBeInTheDocument())
  })

  it('is one of three at most, and equal ones are one [LOOP-18]', async () => {
    renderPart(<p>Here</p>)
    for (const message of ['One', 'One', 'Two', 'Three', 'Four']) toast.error(message)
    expect(await screen.findByText('Three')).toBeVisible()
    await waitFor(() => expect(waiting()).toHaveLength(1))
    expect(screen.getAllByRole('alert')).toHaveLength(3)
  })

  it('takes no focus; with it, no toast closes by itself, and it gives the focus back [LOOP-18]', async () => {
    renderPart(<button type="button">Save</button>)
    const save = screen.getByRole('button', { name: 'Save' })
    save.focus()
    toast.success('Saved')
    toast.error('And failed')
    expect(await screen.findByText('And failed')).toBeVisible()
    expect(save).toHaveFocus()
    expect(shown().map(({ autoClose }) => autoClose)).toEqual([4000, 6000])
    await userEvent.tab()
    await userEvent.tab()
    const [, close] = screen.getAllByRole('button', { name: 'Close' })
    expect(close).toHaveFocus()
    expect(shown().map(({ autoClose }) => autoClose)).toEqual([false, false])
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByText('And failed')).not.toBeInTheDocument())
    expect(save).toHaveFocus()
    expect(shown().map(({ autoClose }) => autoClose)).toEqual([4000])
  })

  it('takes back what was done, one toast for each [INBOX-01]', async () => {
    renderPart(<p>Here</p>)
    const undone: string[] = []
    for (const name of ['first', 'second']) toast.undo('Archived', () => undone.push(name))
    await waitFor(() => expect(screen.getAllByText('Archived')).toHaveLength(2))
    expect(shown().map(({ autoClose }) => autoClose)).toEqual([8000, 8000])
    const [first] = screen.getAllByRole('button', { name: 'Undo' })
    await userEvent.click(first as HTMLElement)
    await waitFor(() => expect(screen.getAllByText('Archived')).toHaveLength(1))
    expect(undone).toEqual(['first'])
  })

  it('closes with Escape, the newest one first, but not before a dialog [LOOP-18]', async () => {
    renderPart(
      <ConfirmDialog
        title="Sure?"
        message=""
        confirmLabel="Yes"
        onConfirm={() => undefined}
        onClose={() => undefined}
      />,
    )
    expect(await screen.findByRole('dialog')).toBeVisible()
    toast.error('Failed')
    expect(await screen.findByText('Failed')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    expect(shown()).toHaveLength(1)
  })

  it('closes with Escape while nothing else is open [LOOP-18]', async () => {
    renderPart(<p>Here</p>)
    toast.success('Saved')
    toast.error('Failed')
    expect(await screen.findByText('Failed')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    expect(shown().map(({ message }) => message)).toEqual(['Saved'])
    await userEvent.keyboard('{Escape}')
    expect(shown()).toEqual([])
  })
})

it('says for screen readers alone what the screen shows to everyone else [LOOP-18]', async () => {
  renderPart(<p>Here</p>)
  act(() => announce('Comment deleted'))
  expect(screen.getByText('Comment deleted')).toHaveAttribute('aria-live', 'polite')
  expect(shown()).toEqual([])
})
