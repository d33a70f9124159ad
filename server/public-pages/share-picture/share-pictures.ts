import { LRUCache } from 'lru-cache'
import { errors } from '../../http/errors.ts'
import { buildWorkQueue } from '../../work-lanes.ts'
import type { PictureDescription } from './describe-picture.ts'

/** The size of all cached pictures together; one has about 100 kB. */
const mostBytes = 32_000_000
/** One at a time, and other clients' next, however many one of them asks for. */
const turns = { lanes: 1, maxWaiting: 19, maxWaitingPerKey: 4, burstMsPerKey: 2_000 }

/** Reads a picture of storage/v1 as a visitor. Undefined if there is none, or none that can be shown. */
export type ReadPicture = (path: string) => Promise<Buffer | undefined>

/**
 * The pictures that other sites show beside a link, drawn when they are first requested, one at a time. They are cached by what they are
 * made of, so a changed page has another one, and a page that is gone has none: its address is found first.
 */
export class SharePictures {
  readonly #read: ReadPicture
  readonly #drawn = new LRUCache<string, Buffer>({
    maxSize: mostBytes,
    sizeCalculation: ({ byteLength }) => byteLength,
  })
  readonly #drawing = new Map<string, Promise<Buffer>>()
  readonly #queue = buildWorkQueue(turns, {
    tooMany: errors.tooManyDrawings,
    busy: errors.overloaded,
    tooSlow: errors.overloaded,
  })

  constructor(read: ReadPicture) {
    this.#read = read
  }

  /**
   * @param client whose turn it takes, as the key of an address.
   * @throws GatewayError 503 when too many pictures are to be drawn, 429 when too many of them are this client's.
   */
  async get(description: PictureDescription, client?: string): Promise<Buffer> {
    const { version } = description
    const known = this.#drawn.get(version) ?? this.#drawing.get(version)
    if (known) return known
    const turn = this.#queue(() => this.#draw(description), { key: client })
    const drawing = turn.finally(() => this.#drawing.delete(version))
    this.#drawing.set(version, drawing)
    return drawing
  }

  async #draw({ texts, background, face, version }: PictureDescription): Promise<Buffer> {
    const [behind, beside] = await Promise.all([background, face].map((path) => path && this.#read(path)))
    const { drawPicture } = await import('./draw-picture.ts') // its fonts and their reader are large
    const picture = await drawPicture({ texts, background: behind || undefined, face: beside || undefined })
    this.#drawn.set(version, picture)
    return picture
  }
}
