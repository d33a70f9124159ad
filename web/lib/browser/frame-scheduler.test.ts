import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runInNextFrame, runInOwnFrame } from './frame-scheduler.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A frame and the idle time after it. */
function drawFrame(): void {
  vi.advanceTimersToNextFrame()
  vi.advanceTimersByTime(1)
}

it('runs one task per frame, in order', () => {
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

it('skips canceled tasks', () => {
  const done: string[] = []
  const takeBack = runInOwnFrame(() => done.push('passed by'))
  runInOwnFrame(() => done.push('in sight'))
  takeBack()
  drawFrame()
  expect(done).toEqual(['in sight'])
})

it('runs the lowest rank first', () => {
  const done: string[] = []
  runInOwnFrame(() => done.push('above'), 900)
  runInOwnFrame(() => done.push('in sight'), 100)
  runInOwnFrame(() => done.push('below'), 800)
  for (let frame = 0; frame < 3; frame++) drawFrame()
  expect(done).toEqual(['in sight', 'below', 'above'])
})

it('starts again after it was empty', () => {
  const done: string[] = []
  runInOwnFrame(() => done.push('one'))()
  drawFrame()
  drawFrame()
  runInOwnFrame(() => done.push('another'))
  drawFrame()
  expect(done).toEqual(['another'])
})

it('runs light tasks with the next task, or alone if there is none', () => {
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
