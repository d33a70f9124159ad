import { expect, it } from 'vitest'
import { WaitEstimate } from './wait-estimate.ts'

/** A number of turns, one after the other. @returns when the last one was. */
function take(estimate: WaitEstimate, turns: number, everyMs: number, from = 0): number {
  for (let turn = 0; turn < turns; turn++) estimate.turn(10, from + turn * everyMs)
  return from + turns * everyMs
}

it('is the length of the queue times what a turn takes', () => {
  const estimate = new WaitEstimate(40)
  expect(estimate.milliseconds(1000)).toBe(0) // without data nobody is rejected
  take(estimate, 100, 20)
  expect(estimate.milliseconds(50)).toBeGreaterThan(900)
  expect(estimate.milliseconds(50)).toBeLessThanOrEqual(1000)
})

it('drops when requests become fast again', () => {
  const estimate = new WaitEstimate(40)
  const now = take(estimate, 100, 20)
  take(estimate, 100, 1, now)
  expect(estimate.milliseconds(100)).toBeLessThan(110)
})

it('counts one long pause as a pause only', () => {
  const estimate = new WaitEstimate(40)
  const now = take(estimate, 1_000, 1)
  estimate.turn(250, now + 30_000)
  expect(estimate.isTooLong(250)).toBe(false)
})

it('ignores the time in which nobody waited', () => {
  const estimate = new WaitEstimate(40)
  take(estimate, 100, 1)
  estimate.turn(0, 100)
  estimate.turn(1, 60_000)
  estimate.turn(1, 60_001)
  expect(estimate.milliseconds(100)).toBeLessThan(110)
})

it('allows a burst to wait a second and a half, and a persistent queue half of one', () => {
  const estimate = new WaitEstimate(40)
  const now = take(estimate, 1_000, 5)
  expect(estimate.isTooLong(290)).toBe(false)
  expect(estimate.isTooLong(310)).toBe(true)
  take(estimate, 1_200, 5, now)
  expect(estimate.isTooLong(90)).toBe(false)
  expect(estimate.isTooLong(110)).toBe(true)
})

it('counts requests after an empty queue as a burst again', () => {
  const estimate = new WaitEstimate(40)
  const now = take(estimate, 3_000, 5)
  estimate.turn(0, now)
  expect(estimate.isTooLong(290)).toBe(false)
  estimate.turn(10, now + 60_000)
  expect(estimate.isTooLong(290)).toBe(false)
})

it('adds what a request would wait elsewhere', () => {
  const estimate = new WaitEstimate(40)
  take(estimate, 1_000, 5)
  expect(estimate.isTooLong(200, 400)).toBe(false)
  expect(estimate.isTooLong(200, 600)).toBe(true)
})
