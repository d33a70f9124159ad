import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { expect, it } from 'vitest'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'

function Opens({ name, children }: { name: string; children?: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open {name}
      </button>
      {open && (
        <Dialog title={name} onClose={() => setOpen(false)}>
          {children}
        </Dialog>
      )}
    </>
  )
}

const open = (name: string) => {
  fireEvent.click(screen.getByText(`Open ${name}`))
  return screen.findByRole('dialog', { name })
}
const shades = () => [...document.querySelectorAll('.mantine-Modal-overlay')]

it.each([
  [
    'from within it',
    <Opens key="within" name="lower">
      <Opens name="upper" />
    </Opens>,
  ],
  [
    'from elsewhere',
    <div key="elsewhere">
      <Opens name="lower" />
      <Opens name="upper" />
    </div>,
  ],
])(
  'dims the page once when a dialog is opened over another %s, and Escape closes the upper one',
  async (_where, page) => {
    render(<MantineProvider>{page}</MantineProvider>)
    const lower = await open('lower')
    expect(shades()).toHaveLength(1)
    const upper = await open('upper')
    await waitFor(() => expect(shades()).toHaveLength(1))
    // The overlay is between the two, and dims the lower one with the page.
    const [shade] = shades()
    expect(shade?.compareDocumentPosition(lower)).toBe(Node.DOCUMENT_POSITION_PRECEDING)
    expect(shade?.compareDocumentPosition(upper)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(upper).not.toBeInTheDocument())
    expect(lower).toBeVisible()
    expect(shades()).toHaveLength(1)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(lower).not.toBeInTheDocument())
  },
)

it.each([
  ['outlines the confirmation of a destructive action', false, 'default'],
  ['fills the confirmation of any other action', true, undefined],
])('%s [LOOP-28]', async (_what, primary, variant) => {
  render(
    <MantineProvider>
      <ConfirmDialog
        title="Sure?"
        message=""
        confirmLabel="Yes"
        primary={primary}
        onConfirm={() => undefined}
        onClose={() => undefined}
      />
    </MantineProvider>,
  )
  // Mantine's filled button is the one without a variant.
  expect((await screen.findByRole('button', { name: 'Yes' })).dataset.variant).toBe(variant)
  expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus()
})
