import { get, request } from 'node:http'
import autocannon from 'autocannon'

/** Requests a second, from 32 connections that stay open, asking for one address after another. */
export async function requestsPerSecond(
  origin: string,
  paths: readonly string[],
  headers: Record<string, string>,
  seconds: number,
) {
  const result = await autocannon({
    url: origin,
    connections: 32,
    duration: seconds,
    workers: 1,
    requests: paths.map((path) => ({ method: 'GET', path, headers })),
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers of ${origin} were no success`)
  return result.requests.average
}

/** Reads an answer and forgets it. @returns bytes a second. */
export function bytesPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (answer) => {
      let bytes = 0
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
      answer.on('end', () => resolve((bytes * 1000) / (performance.now() - startedAt)))
      answer.on('error', reject)
    }).on('error', reject)
  })
}

/** Sends so many bytes as one body. @throws Error when they are not taken. */
export function send(url: string, headers: Record<string, string>, sizeBytes: number): Promise<void> {
  const block = Buffer.alloc(256 * 1024, 'ovation')
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { ...headers, 'content-length': sizeBytes }, agent: false },
      (answer) => {
        answer.resume()
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${answer.statusCode}`)),
        )
      },
    )
    sent.on('error', reject)
    let left = sizeBytes
    const more = () => {
      while (left > 0) {
        const piece = block.subarray(0, left)
        left -= piece.length
        if (!sent.write(piece)) return void sent.once('drain', more)
      }
      sent.end()
    }
    more()
  })
}
