import { statfs } from 'node:fs/promises'

/** Room that an ordinary user has on the disk of `directory`. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
