import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runInNextFrame, runInOwnFrame } from './frame-scheduler.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A frame, and the pause after it. */
function drawFrame(): void {
  vi.advanceTimersToNextFrame()
  vi.advanceTimersByTime(1)
}

it('does one thing after each frame, in the order in which they were asked for', () => {
  const done: string[] = []
  for (const name of ['first', 'second', 'third']) runInOwnFrame(() => done.push(name))
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
  const takeBack = runInOwnFrame(() => done.push('passed by'))
  runInOwnFrame(() => done.push('in sight'))
  takeBack()
  drawFrame()
  expect(done).toEqual(['in sight'])
})

it('does first what is nearest', () => {
  const done: string[] = []
  runInOwnFrame(() => done.push('above'), 900)
  runInOwnFrame(() => done.push('in sight'), 100)
  runInOwnFrame(() => done.push('below'), 800)
  for (let frame = 0; frame < 3; frame++) drawFrame()
  expect(done).toEqual(['in sight', 'below', 'above'])
})

it('starts again after there was nothing to do', () => {
  const done: string[] = []
  runInOwnFrame(() => done.push('one'))()
  drawFrame()
  drawFrame()
  runInOwnFrame(() => done.push('another'))
  drawFrame()
  expect(done).toEqual(['another'])
})

it('does what is light together with the next thing, and by itself when there is no other', () => {
  const done: string[] = []
  runInOwnFrame(() => done.push('heavy'))
  runInOwnFrame(() => done.push('heavy too'))
  runInNextFrame(() => done.push('light'))
  drawFrame()
  expect(done).toEqual(['heavy', 'light'])
  drawFrame()
  runInNextFrame(() => done.push('light again'))
  drawFrame()
  expect(done).toEqual(['heavy', 'light', 'heavy too', 'light again'])
})
