import type { MediaPreview } from './queries.ts'

/** The most files in a card of a list; the post page and the lightbox have the rest. */
export const shownInCard = 4

/** The feed crops taller pictures to this aspect ratio (LOOP-11). */
const narrowestInFeed = 4 / 5
/** The aspect ratio of a file of unknown size. */
const usual = 5 / 4
/** The tallest group in a list, as height divided by width. */
const tallest = 1.45

type File = { type: 'image' | 'video'; preview?: MediaPreview | undefined }

/** Files of one height beside each other, as wide as the whole. */
export type MediaRow = {
  /** The position of the first file. */
  from: number
  /** The aspect ratios of the files. */
  ratios: number[]
}
/** @property shape the aspect ratio of the whole. */
export type MediaLayout = { rows: MediaRow[]; shape: number }

/**
 * Arranges the first files for a list (LOOP-11): each keeps its proportions, except that the feed crops tall pictures. Locked media have
 * the same layout, so that unlocking moves nothing.
 * @param narrowest the least aspect ratio of a picture: taller ones are cropped.
 */
export function layOutCard(files: readonly File[], narrowest = narrowestInFeed): MediaLayout {
  const ratios = files.slice(0, shownInCard).map(({ preview }) => Math.max(ratioOf(preview), narrowest))
  // A single row is the flattest layout, so a price for height is found that brings even the tallest files below the limit.
  for (let price = 0.3; ; price *= 1.5) {
    const layout = justify(ratios, ({ ratios: row }) => costOf(row, 0.5) + price * heightOf(row))
    if (layout.rows.length <= 1 || 1 / layout.shape <= tallest) return layout
  }
}

/**
 * Arranges all of a post's files for its own page, where nothing is cropped (LOOP-11). A video has a row of its own, because its controls
 * need the width.
 */
export function layOutPage(files: readonly File[]): MediaLayout {
  const ratios = files.map(({ preview }) => ratioOf(preview))
  return justify(ratios, ({ from, ratios: row }) => {
    const withVideo = files.slice(from, from + row.length).some(({ type }) => type === 'video')
    return withVideo && row.length > 1 ? Number.POSITIVE_INFINITY : costOf(row, 0.6)
  })
}

const ratioOf = ({ width, height }: MediaPreview = {}): number => (width && height ? width / height : usual)

/** The height of a row whose width is 1. */
const heightOf = (row: readonly number[]): number => 1 / row.reduce((sum, ratio) => sum + ratio, 0)

/** How far the files of a row are from the height that would suit them. Half of it is as bad as twice. */
const costOf = (row: readonly number[], height: number): number => row.length * Math.log(heightOf(row) / height) ** 2

/** Breaks files into rows with the lowest cost in total, as a paragraph is broken into lines. */
function justify(ratios: readonly number[], costOfRow: (row: MediaRow) => number): MediaLayout {
  /** The best rows for the first 0, 1, … files. */
  const best: { cost: number; rows: MediaRow[] }[] = [{ cost: 0, rows: [] }]
  for (let end = 1; end <= ratios.length; end++) {
    const options = best.map(({ cost, rows }, from) => {
      const row = { from, ratios: ratios.slice(from, end) }
      return { cost: cost + costOfRow(row), rows: [...rows, row] }
    })
    best.push(options.reduce((one, other) => (other.cost < one.cost ? other : one)))
  }
  const rows = best.at(-1)?.rows ?? []
  return { rows, shape: 1 / rows.reduce((sum, row) => sum + heightOf(row.ratios), 0) }
}
