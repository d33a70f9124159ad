import { readFile } from 'node:fs/promises'
import decode from 'heic-decode'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { Pixels } from './decode-heic.ts'

/** The pixels move to the other thread instead of being copied: they are 50 MB of a common photo. */
export default async function decodeFile(file: string) {
  const { width, height, data } = await decode({ buffer: await readFile(file) })
  const pixels: Pixels = { width, height, data }
  return move({ [transferableSymbol]: [data.buffer], [valueSymbol]: pixels })
}
