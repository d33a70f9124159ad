import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort } from 'node:worker_threads'
import { album, motion } from './album.ts'
import { develop, expose } from './render/film.ts'
import { encodeVideo } from './video.ts'
import { askWorkers } from './workers.ts'

/**
 * `npm run demo-pictures`: renders the demo's pictures and its video into server/demo. With names, only what begins with one of them:
 * `npm run demo-pictures -- mara-valley face-lena video`. For a quick look: `--size 0.4 --to test-output/demo bea-wool`.
 */
export type Order = { readonly size: number } & ({ readonly picture: string } | { readonly frame: number })
type Done = { readonly bytes: Uint8Array; readonly seconds: number }

const parent = parentPort
if (isMainThread) await renderAll(process.argv.slice(2))
else parent?.on('message', async (order: Order) => parent.postMessage(await render(order)))

async function render({ size, ...order }: Order): Promise<Done> {
  const startedAt = performance.now()
  const shot = 'picture' in order ? album[order.picture] : motion
  const scaled = { width: Math.round(shot.width * size), height: Math.round(shot.height * size) }
  const bytes =
    'picture' in order
      ? await develop(album[order.picture].take(scaled), shot.film, seedOf(order.picture))
      : expose(motion.take(scaled, order.frame / (motion.frames - 1)), shot.film, order.frame + 1)
  return { bytes, seconds: (performance.now() - startedAt) / 1000 }
}

const seedOf = (name: string) => [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)

async function renderAll(args: readonly string[]): Promise<void> {
  const { names, size, folder, withVideo } = readArguments(args)
  mkdirSync(folder, { recursive: true })
  let total = 0
  const orders = names.map((picture): Order => ({ picture, size }))
  await askWorkers<Order, Done>(fileURLToPath(import.meta.url), orders, ({ bytes, seconds }, index) => {
    writeFileSync(join(folder, `${names[index]}.webp`), bytes)
    total += bytes.length
    console.log(
      `${names[index].padEnd(20)} ${(bytes.length / 1000).toFixed(0).padStart(5)} kB ${seconds.toFixed(1).padStart(6)} s`,
    )
  })
  console.log(`${names.length} pictures, ${(total / 1e6).toFixed(2)} MB`)
  if (withVideo) await renderVideo(folder, size)
}

async function renderVideo(folder: string, size: number): Promise<void> {
  const frames: Uint8Array[] = []
  const orders = Array.from({ length: motion.frames }, (_, frame): Order => ({ frame, size }))
  await askWorkers<Order, Done>(fileURLToPath(import.meta.url), orders, ({ bytes }, frame) => {
    frames[frame] = bytes
  })
  const scaled = { width: Math.round(motion.width * size), height: Math.round(motion.height * size) }
  await encodeVideo(join(folder, '../video/hills.mp4'), frames, { ...scaled, perSecond: motion.perSecond })
}

function readArguments(args: readonly string[]) {
  const known = Object.keys(album)
  let size = 1
  let folder = fileURLToPath(new URL('../../server/demo/pictures', import.meta.url))
  const wanted: string[] = []
  for (let index = 0; index < args.length; index++) {
    const value = args[index]
    if (value === '--size') size = Number(args[++index])
    else if (value === '--to') folder = args[++index]
    else wanted.push(value)
  }
  const names = wanted.length === 0 ? known : known.filter((name) => wanted.some((start) => name.startsWith(start)))
  const withVideo = wanted.length === 0 || wanted.includes('video')
  if (names.length === 0 && !withVideo)
    throw new Error(`No picture begins with ${wanted.join(' or ')}. There are: video, ${known.join(', ')}.`)
  return { names, size, folder, withVideo }
}
