import { timingSafeEqual } from 'node:crypto'

/** Whether two texts are equal, in a time that doesn't reveal where they differ. Compares bytes: equally long texts may differ in bytes. */
export function timingSafeEqualText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
