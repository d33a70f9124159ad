import { LRUCache } from 'lru-cache'
import { errors } from '../../http/errors.ts'
import type { PictureDescription } from './describe-picture.ts'
import { drawPicture } from './draw-picture.ts'

/** The size of all cached pictures together; one has about 100 kB. */
const mostBytes = 32_000_000
/** More may not wait for their turn. */
const mostWaiting = 20

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
  #last: Promise<unknown> = Promise.resolve()

  constructor(read: ReadPicture) {
    this.#read = read
  }

  /** @throws GatewayError 503 when too many pictures are to be drawn. */
  async get(description: PictureDescription): Promise<Buffer> {
    const { version } = description
    const known = this.#drawn.get(version) ?? this.#drawing.get(version)
    if (known) return known
    if (this.#drawing.size >= mostWaiting) throw errors.overloaded()
    const turn = this.#last.then(() => this.#draw(description))
    this.#last = turn.catch(() => undefined)
    const drawing = turn.finally(() => this.#drawing.delete(version))
    this.#drawing.set(version, drawing)
    return drawing
  }

  async #draw({ texts, background, face, version }: PictureDescription): Promise<Buffer> {
    const [behind, beside] = await Promise.all([background, face].map((path) => path && this.#read(path)))
    const picture = await drawPicture({ texts, background: behind || undefined, face: beside || undefined })
    this.#drawn.set(version, picture)
    return picture
  }
}
