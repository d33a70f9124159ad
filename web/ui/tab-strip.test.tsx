import { MantineProvider, Tabs } from '@mantine/core'
import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { TabStrip } from './tab-strip.tsx'
import { theme } from './theme.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('fades out only while there is more to scroll to, also after a tab gets a count', () => {
  // jsdom has no layout: these are the widths of a phone and of its tabs.
  const content = vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(300)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(358)
  const watched = new Map<Element, () => void>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly tell: () => void
      constructor(tell: () => void) {
        this.tell = tell
      }
      observe = (element: Element) => void watched.set(element, this.tell)
      disconnect = () => watched.clear()
    },
  )
  render(
    <MantineProvider theme={theme} env="test">
      <Tabs value="users">
        <TabStrip
          label="Admin"
          names={['users', 'polls']}
          open="users"
          words={{ users: 'All Users', polls: 'Polls' }}
        />
      </Tabs>
    </MantineProvider>,
  )
  const strip = screen.getByRole('tablist', { name: 'Admin' })
  expect(strip).not.toHaveAttribute('data-scrolls')
  content.mockReturnValue(400)
  act(() => watched.get(screen.getByRole('tab', { name: 'All Users' }))?.())
  expect(strip).toHaveAttribute('data-scrolls')
})
