import type { IncomingHttpHeaders } from 'node:http'
import { storageErrors } from '../errors.ts'

export const tusVersion = '1.0.0'
export const tusExtensions = [
  'creation',
  'creation-with-upload',
  'creation-defer-length',
  'expiration',
  'termination',
  'checksum',
  'concatenation',
] as const
export const checksumAlgorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const

export type Checksum = { readonly algorithm: string; readonly digest: Buffer }
export type Concatenation = { readonly kind: 'partial' } | { readonly kind: 'final'; readonly uploads: string[] }

/** @throws UnsupportedTusVersion (412). */
export function requireTusVersion(headers: IncomingHttpHeaders): void {
  if (headers['tus-resumable'] !== tusVersion) throw storageErrors.unsupportedTusVersion(tusVersion)
}

/** A whole number of bytes; undefined when the header is not there. @throws InvalidRequest (400). */
export function readBytes(headers: IncomingHttpHeaders, name: 'upload-offset' | 'upload-length'): number | undefined {
  const text = headers[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) throw storageErrors.invalidRequest(`Invalid ${name}`)
  return value
}

/**
 * `Upload-Metadata`: pairs of a key and a value in base64.
 * @throws InvalidRequest (400).
 */
export function readMetadata(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (const pair of (header ?? '').split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(/ +/)
    if (key === '' && value === '') continue
    const malformed = more.length > 0 || !/^[!-~]+$/.test(key) || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)
    if (malformed || pairs.has(key)) throw storageErrors.invalidRequest('Invalid upload-metadata')
    pairs.set(key, Buffer.from(value, 'base64').toString('utf8'))
  }
  return pairs
}

/** @throws InvalidRequest (400). */
export function readChecksum(headers: IncomingHttpHeaders): Checksum | undefined {
  const header = headers['upload-checksum']
  if (header === undefined) return undefined
  const [algorithm = '', digest = ''] = String(header).split(' ')
  if (!(checksumAlgorithms as readonly string[]).includes(algorithm) || digest === '') {
    throw storageErrors.invalidRequest(
      `Upload-Checksum takes one of ${checksumAlgorithms.join(', ')}, and the sum in base64`,
    )
  }
  return { algorithm, digest: Buffer.from(digest, 'base64') }
}

/**
 * `Upload-Concat`: `partial`, or `final;` and the addresses of its parts.
 * @returns for `final` the ids of the uploads, in order.
 * @throws InvalidRequest (400).
 */
export function readConcatenation(headers: IncomingHttpHeaders): Concatenation | undefined {
  const header = headers['upload-concat']
  if (header === undefined) return undefined
  const [kind, addresses = ''] = String(header).split(';')
  if (kind === 'partial') return { kind }
  const uploads = addresses.split(' ').flatMap((address) => address.split('/').at(-1) || [])
  if (kind !== 'final' || uploads.length === 0) throw storageErrors.invalidRequest('Invalid upload-concat')
  return { kind, uploads }
}
