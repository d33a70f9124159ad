import { expect, it } from 'vitest'
import { layOutCard, layOutPage } from './media-layout.ts'

const image = (ratio: number) => ({ type: 'image' as const, preview: { width: ratio * 1000, height: 1000 } })
const images = (...ratios: number[]) => ratios.map(image)
const video = { ...image(16 / 9), type: 'video' as const }
/** The number of files in each row. */
const rowsOf = ({ rows }: ReturnType<typeof layOutCard>) => rows.map(({ ratios }) => ratios.length)

it.each([
  ['a 1:4 portrait', 1 / 4, 4 / 5],
  ['a 9:16 photo', 9 / 16, 4 / 5],
  ['a square', 1, 1],
  ['a 16:9 photo', 16 / 9, 16 / 9],
  ['a 6:1 panorama', 6, 6],
])('crops %s in the feed to 4:5 at most [LOOP-11]', (_name, ratio, shape) => {
  expect(layOutCard(images(ratio)).shape).toBeCloseTo(shape)
  expect(layOutPage(images(ratio)).shape).toBeCloseTo(ratio)
})

it.each([
  ['two portraits beside each other', images(0.75, 0.75), [2]],
  ['two landscapes beside each other', images(1.5, 1.5), [2]],
  ['a landscape above two others', images(1.5, 1.5, 1.5), [1, 2]],
  ['three portraits beside each other', images(0.8, 0.8, 0.8), [3]],
  ['two portraits above a landscape', images(0.8, 0.8, 1.5), [2, 1]],
  ['four of one shape two by two', images(1, 1, 1, 1), [2, 2]],
  ['a panorama above a portrait', images(6, 0.25), [1, 1]],
])('lays out a group by the shapes of its pictures: %s [LOOP-11]', (_name, files, rows) => {
  expect(rowsOf(layOutCard(files))).toEqual(rows)
})

it('shows four files in a list, and never a group much taller than wide [LOOP-11]', () => {
  const shapes = [0.25, 0.8, 1.5, 6]
  for (const a of shapes)
    for (const b of shapes)
      for (const c of shapes)
        for (const d of shapes) {
          const layout = layOutCard(images(a, b, c, d, 1))
          expect(layout.rows.flatMap(({ ratios }) => ratios)).toHaveLength(4)
          expect(1 / layout.shape).toBeLessThanOrEqual(1.45)
        }
})

it('shows every file on the post’s own page in its own proportions, and videos in rows of their own [LOOP-11]', () => {
  const files = [...images(0.25, 0.75, 1.5, 6, 1), video, ...images(0.75, 0.75)]
  const { rows } = layOutPage(files)
  const shown = rows.flatMap(({ from, ratios }) => ratios.map((ratio, index) => ({ at: from + index, ratio })))
  expect(shown.map(({ at }) => at)).toEqual(files.map((_, index) => index))
  for (const { at, ratio } of shown) {
    const { width = 0, height = 0 } = files[at]?.preview ?? {}
    expect(ratio).toBeCloseTo(width / height)
  }
  expect(rows.find(({ from }) => from === 5)?.ratios).toHaveLength(1)
})

it('gives a file of unknown size a usual shape', () => {
  expect(layOutCard([{ type: 'video' }])).toMatchObject({ shape: 1.25, rows: [{ from: 0, ratios: [1.25] }] })
})
