import { readFile } from 'node:fs/promises'

/** One of the demo's pictures, which scripts/demo-pictures has rendered. */
export const readPicture = (name: string): Promise<Buffer> =>
  readFile(new URL(`pictures/${name}.webp`, import.meta.url))

export const pictureType = 'image/webp'
