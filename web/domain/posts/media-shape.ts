import type { MediaPreview } from './queries.ts'

/** The aspect ratio of a card with two, three, and four files. */
const ofSeveral = [8 / 5, 4 / 3, 5 / 4]
/** The aspect ratio of a single file of unknown size. */
const usual = 5 / 4

/** The most files in a card; the lightbox has the rest. */
export const shownInCard = 4

/**
 * The aspect ratio of a post's media. A single file keeps its own, within limits. Locked media have the same, so that unlocking moves
 * nothing.
 */
export function mediaShape(count: number, { width, height }: MediaPreview = {}): number {
  if (count > 1) return ofSeveral[Math.min(count, shownInCard) - 2] ?? usual
  return width && height ? Math.min(Math.max(width / height, 4 / 5), 16 / 9) : usual
}
