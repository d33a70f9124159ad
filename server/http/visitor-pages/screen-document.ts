import { type Compressor, type Encoding, pickEncoding } from '../compress.ts'
import { etagOf } from '../conditional.ts'

/** A document that is sent to many: its tag is computed once, and it is compressed once for each encoding. */
export class ScreenDocument {
  readonly html: string
  /** Quoted, without `W/`. */
  readonly etag: string
  readonly #encoded = new Map<Encoding, Buffer>()

  constructor(html: string) {
    this.html = html
    this.etag = etagOf(html)
  }

  /** @returns undefined if it is to be sent as it is. */
  async encode(accepted: string | undefined, compressor: Compressor) {
    const encoding = pickEncoding(accepted ?? '')
    const known = encoding && this.#encoded.get(encoding)
    if (!encoding || known) return known && { body: known, encoding }
    const made = await compressor.compress(this.html, encoding)
    if (made) this.#encoded.set(encoding, made.body)
    return made
  }
}
