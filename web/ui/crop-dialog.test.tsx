import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import CropDialog from './crop-dialog.tsx'
import { theme } from './theme.ts'

it('stays open while the picture has no size yet, as when the window changes before it has loaded [PROF-08]', async () => {
  vi.stubGlobal('ResizeObserver', Frame)
  render(
    <MantineProvider theme={theme} env="test">
      <CropDialog
        kind="avatar"
        file={new File(['x'], 'x.png', { type: 'image/png' })}
        onCropped={vi.fn()}
        onClose={vi.fn()}
      />
    </MantineProvider>,
  )
  const picture = () => document.querySelector('img[src="blob:chosen-file"]') as HTMLImageElement
  await waitFor(() => expect(picture()).toBeInTheDocument())
  fireEvent.load(picture())
  await screen.findByRole('application', { name: 'Image to crop' })
  fireEvent.keyDown(screen.getByRole('slider', { name: 'Zoom' }), { key: 'ArrowRight' })
  expect(screen.getByRole('dialog', { name: 'Crop profile picture' })).toBeVisible()
})

/** The frame has a size; jsdom lays nothing out, so the picture in it has none. */
class Frame implements ResizeObserver {
  readonly #tell: ResizeObserverCallback
  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell
  }
  observe() {
    const borderBoxSize = [{ inlineSize: 500, blockSize: 300 }]
    this.#tell([{ borderBoxSize, contentRect: new DOMRect() } as never], this)
  }
  unobserve() {}
  disconnect() {}
}
