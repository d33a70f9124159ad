import { MantineProvider, Menu, ScrollArea } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { theme } from './theme.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('type-ahead in a menu', () => {
  function openMenu() {
    render(
      <MantineProvider theme={theme} env="test">
        <Menu defaultOpened>
          <Menu.Target>
            <button type="button">Open</button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item>Saved</Menu.Item>
            <Menu.Item>Settings</Menu.Item>
            <Menu.Item disabled>Secrets</Menu.Item>
            <Menu.Item>Share Profile</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </MantineProvider>,
    )
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  }
  const type = (key: string) => fireEvent.keyDown(document.activeElement?.closest('[role=menu]') ?? menu(), { key })
  const menu = () => screen.getByRole('menu')
  const entry = (name: string) => screen.getByRole('menuitem', { name })

  it('joins keys for one second [CONST-03]', () => {
    openMenu()
    type('s')
    expect(entry('Saved')).toHaveFocus()
    vi.advanceTimersByTime(999)
    type('e')
    expect(entry('Settings')).toHaveFocus()
    vi.advanceTimersByTime(999)
    type('t')
    expect(entry('Settings')).toHaveFocus()
    vi.advanceTimersByTime(1_000)
    type('s') // starts a new search for the next match
    expect(entry('Share Profile')).toHaveFocus()
  })

  it('cycles through matching items and skips disabled ones', () => {
    openMenu()
    for (const name of ['Saved', 'Settings', 'Share Profile', 'Saved']) {
      type('S')
      expect(entry(name)).toHaveFocus()
    }
  })

  it('ignores shortcuts and text without a match', () => {
    openMenu()
    type('s')
    fireEvent.keyDown(menu(), { key: 'h', ctrlKey: true })
    type('x')
    expect(entry('Saved')).toHaveFocus()
  })
})

describe('a scrollbar', () => {
  it('hides 600 ms after the pointer has left [CONST-04]', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame'] })
    // jsdom has no layout: this makes the content taller than its frame.
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(900)
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300)
    vi.stubGlobal('ResizeObserver', ResizeNow)
    const { container } = render(
      <MantineProvider theme={theme}>
        <ScrollArea.Autosize mah={300} type="hover">
          many lines
        </ScrollArea.Autosize>
      </MantineProvider>,
    )
    const area = container.querySelector('.mantine-ScrollAreaAutosize-root, .mantine-ScrollArea-root') as HTMLElement
    const state = () => container.querySelector('[data-orientation=vertical]')?.getAttribute('data-state') ?? 'hidden'
    const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
    expect(state()).toBe('hidden')
    fireEvent.pointerEnter(area)
    wait(100)
    expect(state()).toBe('visible')
    fireEvent.pointerLeave(area)
    wait(599)
    expect(state()).toBe('visible')
    wait(1)
    expect(state()).toBe('hidden')
  })
})

/** Reports a size as soon as it is observed, as browsers do. */
class ResizeNow implements ResizeObserver {
  readonly #tell: ResizeObserverCallback
  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell
  }
  observe() {
    this.#tell([], this)
  }
  unobserve() {}
  disconnect() {}
}
