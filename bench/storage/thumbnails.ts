import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDiskStore } from '@ovation/server/storage/disk-store'
import { buildPictureCache } from '@ovation/server/storage/pictures/picture-cache'
import { buildPictureQueues } from '@ovation/server/storage/pictures/picture-queues'
import type { Rendering } from '@ovation/server/storage/pictures/render-picture'
import { renderStored } from '@ovation/server/storage/send-picture'
import sharp from 'sharp'
import { printTable, writeResult } from '../report.ts'

const rendering: Rendering = { transform: { width: 480 }, format: 'webp', mark: undefined }

/**
 * `npm run bench -- thumbnails [pictures]`: photos of twelve million pixels made 480 wide, by sharp alone and by what answers
 * `/render/image` (from the store, through the queue, into the cache), and read again from the cache. Pictures a second.
 */
export async function benchThumbnails([count = '32']: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ovation-thumbnails-'))
  try {
    const { bare, ours, cached } = await measure(folder, Number(count))
    const row = (name: string, perSecond: number) => [name, perSecond.toFixed(1), (perSecond / bare).toFixed(2)]
    printTable(
      ['480 px wide, WebP', 'pictures/s', 'ratio'],
      [row('sharp alone', bare), row('/render/image', ours), row('again', cached)],
    )
    process.stdout.write(
      `${writeResult('thumbnails', { pictures: Number(count), perSecond: { bare, ours, cached } })}\n`,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(folder: string, count: number) {
  const photo = join(folder, 'photo.jpg')
  await sharp({
    create: {
      width: 500,
      height: 375,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .resize(4000, 3000)
    .jpeg({ quality: 88 })
    .toFile(photo)
  const store = buildDiskStore(folder)
  const pictureQueues = buildPictureQueues({ deadlineMs: 30_000, renderingsPerAddress: 60 })
  const cache = buildPictureCache(join(folder, 'pictures'), 1024 ** 3)
  const versions = Array.from({ length: count }, () => randomUUID())
  for (const version of versions) await store.write(version, createReadStream(photo))

  const perSecond = async (work: (version: string) => Promise<unknown>) => {
    const startedAt = performance.now()
    await Promise.all(versions.map(work))
    return (count / (performance.now() - startedAt)) * 1000
  }
  const parts = { store, pictureQueues, scratch: join(folder, 'scratch') }
  const throughUs = (version: string) =>
    cache.get(version, 'small', (target) => renderStored(parts, version, target, rendering))
  const alone = (version: string) =>
    sharp(photo)
      .autoOrient()
      .resize(480)
      .webp({ quality: 80, effort: 2 })
      .toFile(join(folder, `${version}.webp`))

  await alone('warm-up')
  const bare = await perSecond(alone)
  const ours = await perSecond(throughUs)
  return { bare, ours, cached: await perSecond(throughUs) }
}
