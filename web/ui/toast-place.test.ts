import { expect, it } from 'vitest'
import { type Box, mayStay, placeToasts } from './toast-place.ts'

const phone: Box = { left: 0, top: 0, right: 390, bottom: 844 }
const desktop: Box = { left: 0, top: 0, right: 1440, bottom: 900 }
const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
const covers = (toasts: Box, one: Box) =>
  toasts.left < one.right && toasts.right > one.left && toasts.top < one.bottom && toasts.bottom > one.top
const height = 72
const boxOf = ({ left, width, bottom }: ReturnType<typeof placeToasts>): Box => ({
  left,
  right: left + width,
  top: bottom - height,
  bottom,
})

it('stands at the bottom of a phone, and in the left corner of a wide screen [LOOP-18]', () => {
  expect(placeToasts(phone, height, [])).toEqual({ left: 16, width: 358, bottom: 828 })
  expect(placeToasts(desktop, height, [])).toEqual({ left: 16, width: 384, bottom: 884 })
})

it('stands above the bottom bar of a phone and above the message field [LOOP-18]', () => {
  const bar = { ...box(0, 784, 390, 60), inUse: true }
  expect(placeToasts(phone, height, [bar]).bottom).toBe(776)
  const field = { ...box(0, 720, 390, 64), inUse: true }
  expect(placeToasts(phone, height, [field, bar]).bottom).toBe(712)
})

it.each([
  ['phone', phone],
  ['desktop', desktop],
])('covers no button on a %s if there is room anywhere [LOOP-18]', (_name, area) => {
  // A list with a button in each row, and room only between the second and the third one.
  const buttons = [box(40, 20, 300, 40), box(40, 120, 300, 40), ...[320, 400, 480, 560, 640, 720, 800].map(rowAt)]
  const other = area === desktop ? [300, 420, 540, 660, 780].map((top) => box(1200, top, 100, 40)) : []
  const toasts = boxOf(placeToasts(area, height, [...buttons, ...other]))
  for (const one of [...buttons, ...other]) expect(covers(toasts, one)).toBe(false)
})
const rowAt = (top: number) => box(250, top, 100, 40)

it('moves to the right corner before it goes far up [LOOP-18]', () => {
  const rail = [500, 560, 620, 680, 740, 800].map((top) => box(40, top, 200, 44))
  expect(placeToasts(desktop, height, rail)).toEqual({ left: 1040, width: 384, bottom: 884 })
})

it('covers a part of a picture rather than a button, and any button rather than the control in use [LOOP-18]', () => {
  const picture = box(0, 100, 390, 500)
  const rows = [620, 660, 700, 740, 780].map((top) => box(20, top, 350, 36))
  const onPicture = boxOf(placeToasts(phone, height, [picture, ...rows, { ...box(0, 0, 390, 100), inUse: true }]))
  expect(onPicture.bottom).toBeLessThanOrEqual(612)
  const small: Box = { left: 0, top: 0, right: 390, bottom: 200 }
  const field = { ...box(0, 100, 390, 100), inUse: true }
  const toasts = boxOf(placeToasts(small, height, [field, box(20, 10, 100, 36)]))
  expect(covers(toasts, field)).toBe(false)
})

it('stays in view when nothing else is possible [LOOP-18]', () => {
  expect(placeToasts({ left: 0, top: 0, right: 320, bottom: 60 }, height, []).bottom).toBe(44)
})

it('considers what a dialog covers only where the dialog leaves a choice, so that nothing moves when it closes [LOOP-18]', () => {
  const behind = { ...box(20, 830, 200, 44), isBelow: true }
  const alone = placeToasts(desktop, height, [])
  const beside = placeToasts(desktop, height, [behind])
  expect(beside).not.toEqual(alone)
  expect(placeToasts(desktop, height, [{ ...behind, isBelow: false }])).toEqual(beside)
  // Its own buttons come first.
  const rows = Array.from({ length: 18 }, (_, row) => row * 50)
  const everywhere = rows.flatMap((top) => [box(20, top, 100, 44), box(1100, top, 100, 44)])
  const button = box(1060, 800, 300, 44)
  const chosen = boxOf(placeToasts(desktop, height, [...everywhere.map((one) => ({ ...one, isBelow: true })), button]))
  expect(covers(chosen, button)).toBe(false)
})

it('stays where it appeared, unless it would cover what is in use or leave the window [LOOP-18]', () => {
  const place = placeToasts(desktop, height, [])
  const link = box(20, 830, 200, 44)
  expect(mayStay(place, desktop, height, [link])).toBe(true)
  expect(mayStay(place, desktop, height, [{ ...link, inUse: true }])).toBe(false)
  expect(mayStay(place, { ...desktop, bottom: 600 }, height, [])).toBe(false)
  expect(mayStay(place, { ...desktop, right: 320 }, height, [])).toBe(false)
})
