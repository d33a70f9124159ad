import { expect, it } from 'vitest'
import { WaitEstimate } from './wait-estimate.ts'

/** So many turns, one after the other. @returns when the last one was. */
function take(estimate: WaitEstimate, turns: number, everyMs: number, from = 0): number {
  for (let turn = 0; turn < turns; turn++) estimate.turn(10, from + turn * everyMs)
  return from + turns * everyMs
}

it('is the length of the queue times what a turn takes', () => {
  const estimate = new WaitEstimate()
  expect(estimate.milliseconds(1000)).toBe(0) // nothing is known: nobody is refused for it
  take(estimate, 100, 20)
  expect(estimate.milliseconds(50)).toBeGreaterThan(900)
  expect(estimate.milliseconds(50)).toBeLessThanOrEqual(1000)
})

it('follows when requests become quick again', () => {
  const estimate = new WaitEstimate()
  const now = take(estimate, 100, 20)
  take(estimate, 100, 1, now)
  expect(estimate.milliseconds(100)).toBeLessThan(110)
})

it('takes one long pause for no more than a pause', () => {
  const estimate = new WaitEstimate()
  const now = take(estimate, 1_000, 1)
  estimate.turn(250, now + 30_000)
  expect(estimate.isTooLong(250)).toBe(false)
})

it('learns nothing from the time in which nobody waited', () => {
  const estimate = new WaitEstimate()
  take(estimate, 100, 1)
  estimate.turn(0, 100)
  estimate.turn(1, 60_000)
  estimate.turn(1, 60_001)
  expect(estimate.milliseconds(100)).toBeLessThan(110)
})

it('lets a burst wait for two seconds, and a queue that stands for half of one', () => {
  const estimate = new WaitEstimate()
  const now = take(estimate, 1_000, 5)
  expect(estimate.isTooLong(390)).toBe(false)
  expect(estimate.isTooLong(410)).toBe(true)
  take(estimate, 1_200, 5, now)
  expect(estimate.isTooLong(90)).toBe(false)
  expect(estimate.isTooLong(110)).toBe(true)
})

it('takes what comes after an empty queue for a burst again', () => {
  const estimate = new WaitEstimate()
  const now = take(estimate, 3_000, 5)
  estimate.turn(0, now)
  expect(estimate.isTooLong(390)).toBe(false)
  estimate.turn(10, now + 60_000)
  expect(estimate.isTooLong(390)).toBe(false)
})
