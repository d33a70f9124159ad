import { createHash } from 'node:crypto'
import { Crc32, Crc32c, Crc64Nvme } from '@aws-sdk/checksums/crc'
import { s3Errors } from './s3-errors.ts'

type Sum = { update(bytes: Uint8Array): void; digest(): Promise<Uint8Array> | Uint8Array }

const byHash = (name: string) => (): Sum => {
  const hash = createHash(name)
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest() }
}

/** Checksums that clients may send, as a header or a trailer, in base64. */
const kinds: Readonly<Record<string, () => Sum>> = {
  'content-md5': byHash('md5'),
  'x-amz-checksum-crc32': () => new Crc32(),
  'x-amz-checksum-crc32c': () => new Crc32c(),
  'x-amz-checksum-crc64nvme': () => new Crc64Nvme(),
  'x-amz-checksum-sha1': byHash('sha1'),
  'x-amz-checksum-sha256': byHash('sha256'),
}

/** Checks a body against checksums that come before or after it. */
export class Checksums {
  readonly #expected = new Map<string, string>()
  readonly #running: [string, Sum][] = []

  /** @param headers of the request; `x-amz-trailer` names the checksums that follow. */
  constructor(headers: Readonly<Record<string, string | string[] | undefined>>) {
    for (const [name, build] of Object.entries(kinds)) {
      const given = headers[name]
      if (typeof given === 'string') this.#expected.set(name, given)
      const follows = String(headers['x-amz-trailer'] ?? '')
        .toLowerCase()
        .split(/\s*,\s*/)
        .includes(name)
      if (typeof given === 'string' || follows) this.#running.push([name, build()])
    }
  }

  expect(name: string, value: string): void {
    if (Object.hasOwn(kinds, name)) this.#expected.set(name, value)
  }

  /** @throws BadDigest (400) at the end of a body that doesn't match. */
  async *check(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      for (const [, sum] of this.#running) sum.update(chunk)
      yield chunk
    }
    for (const [name, sum] of this.#running) {
      const expected = this.#expected.get(name)
      const actual = Buffer.from(await sum.digest()).toString('base64')
      if (expected !== actual) throw s3Errors.badDigest(name)
    }
  }
}
