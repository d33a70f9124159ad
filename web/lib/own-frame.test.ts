import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inNextFrame, inOwnFrame } from './own-frame.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A frame, and the pause after it. */
function drawFrame(): void {
  vi.advanceTimersToNextFrame()
  vi.advanceTimersByTime(1)
}

it('does one thing after each frame, in the order in which they were asked for', () => {
  const done: string[] = []
  for (const name of ['first', 'second', 'third']) inOwnFrame(() => done.push(name))
  expect(done).toEqual([])
  drawFrame()
  expect(done).toEqual(['first'])
  drawFrame()
  expect(done).toEqual(['first', 'second'])
  drawFrame()
  expect(done).toEqual(['first', 'second', 'third'])
})

it('does not do what was taken back, and goes on with the rest', () => {
  const done: string[] = []
  const takeBack = inOwnFrame(() => done.push('passed by'))
  inOwnFrame(() => done.push('in sight'))
  takeBack()
  drawFrame()
  expect(done).toEqual(['in sight'])
})

it('does first what is nearest', () => {
  const done: string[] = []
  inOwnFrame(() => done.push('above'), 900)
  inOwnFrame(() => done.push('in sight'), 100)
  inOwnFrame(() => done.push('below'), 800)
  for (let frame = 0; frame < 3; frame++) drawFrame()
  expect(done).toEqual(['in sight', 'below', 'above'])
})

it('starts again after there was nothing to do', () => {
  const done: string[] = []
  inOwnFrame(() => done.push('one'))()
  drawFrame()
  drawFrame()
  inOwnFrame(() => done.push('another'))
  drawFrame()
  expect(done).toEqual(['another'])
})

it('does what is light together with the next thing, and by itself when there is no other', () => {
  const done: string[] = []
  inOwnFrame(() => done.push('heavy'))
  inOwnFrame(() => done.push('heavy too'))
  inNextFrame(() => done.push('light'))
  drawFrame()
  expect(done).toEqual(['heavy', 'light'])
  drawFrame()
  inNextFrame(() => done.push('light again'))
  drawFrame()
  expect(done).toEqual(['heavy', 'light', 'heavy too', 'light again'])
})
