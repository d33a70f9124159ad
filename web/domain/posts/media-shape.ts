import type { MediaPreview } from './queries.ts'

/** Width by height of two, three, and four files in one card. */
const ofSeveral = [8 / 5, 4 / 3, 5 / 4]
/** Of a single one that has not been measured. */
const usual = 5 / 4

/** As many as stand in a card; the rest is in the lightbox. */
export const shownInCard = 4

/** The shape of the media of a post: one file has its own, within reason. The same while it is locked, so that nothing moves when it is unlocked. */
export function mediaShape(count: number, { width, height }: MediaPreview = {}): number {
  if (count > 1) return ofSeveral[Math.min(count, shownInCard) - 2] ?? usual
  return width && height ? Math.min(Math.max(width / height, 4 / 5), 16 / 9) : usual
}
