import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { bringIntoSight, bringOutOfSight } from '../../testing/browser.ts'
import { PostWindow } from './post-window.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const height = 640

/** @returns the box, as the list has it. */
function renderWindow(): HTMLElement {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, height))
  const { container } = render(
    <PostWindow of="posts" id="a post" first>
      <p>The tide is out.</p>
    </PostWindow>,
  )
  return container.firstElementChild as HTMLElement
}

/** Runs what was scheduled for the next frame. */
const drawFrame = () =>
  act(() => {
    vi.advanceTimersToNextFrame()
    vi.advanceTimersByTime(1)
  })

const post = () => screen.queryByText('The tide is out.')

it('takes posts off far from the window, keeps their height, and puts them back [HOME-05]', () => {
  const box = renderWindow()
  act(() => bringOutOfSight(box))
  drawFrame()
  expect(post()).toBeNull()
  expect(box.style.height).toBe(`${height}px`)
  act(() => bringIntoSight(box))
  drawFrame()
  expect(post()).toBeVisible()
  expect(box.style.height).toBe('')
})

it('leaves what is come back to before the next frame as it is', () => {
  const box = renderWindow()
  act(() => {
    bringOutOfSight(box)
    bringIntoSight(box)
  })
  drawFrame()
  expect(post()).toBeVisible()
})

it('takes nothing off while the window is nothing, as for a moment when its picture is taken', () => {
  const box = renderWindow()
  act(() => bringOutOfSight(box, 1))
  drawFrame()
  expect(post()).toBeVisible()
})
