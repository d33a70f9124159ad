import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { choose, photo } from '../../testing/composer.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'

afterEach(() => void vi.unstubAllGlobals())

type Width = 'phone' | 'tablet' | 'wide'
const queries = { phone: '47.99em', tablet: 'none', wide: '75em' }

/** A window of this width. @returns a function that changes it. */
function openWindow(width: Width): (width: Width) => void {
  const desktop = window.matchMedia
  const changed = new Set<() => void>()
  let shown = width
  vi.stubGlobal('matchMedia', (query: string) => {
    const matches = () => query.includes(queries[shown])
    return {
      ...desktop(query),
      matches: matches(),
      addEventListener: (_type: string, listener: (event: { matches: boolean }) => void) =>
        changed.add(() => listener({ matches: matches() })),
    }
  })
  return (next) =>
    act(() => {
      shown = next
      for (const tell of changed) tell()
    })
}

it.each<[string, Width, Width]>([
  ['a phone is turned', 'phone', 'tablet'],
  ['a window becomes wide', 'tablet', 'wide'],
  ['a window becomes narrow', 'wide', 'phone'],
])('keeps a post in progress, with its files, when %s [LOOP-07, POST-36]', async (_what, before, after) => {
  const resize = openWindow(before)
  signIn({ is_creator: true, is_verified: true })
  renderRoute('/nowhere')
  const create = await screen.findByRole('button', { name: 'Create' })
  await userEvent.click(create)
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Post' }))
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  choose(photo('pier.jpg'))
  expect(await dialog.findByText('pier.jpg')).toBeVisible()
  resize(after)
  await waitFor(() => expect(create).not.toBeInTheDocument())
  expect(dialog.getByLabelText('Content')).toHaveValue('Some words')
  expect(dialog.getByText('pier.jpg')).toBeVisible()
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
})
