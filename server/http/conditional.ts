import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What the client may already hold: `etag` quoted, without its `W/`; `lastModified` to the second, if the content has a date. */
export type Validators = { readonly etag: string; readonly lastModified?: Date | undefined }

/** True when the client's copy is still valid: 304 (RFC 9110 §13.1). `If-None-Match` outranks the date. */
export function isNotModified(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const known = headers['if-none-match']
  if (known !== undefined) {
    return known.trim() === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  }
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return lastModified !== undefined && !Number.isNaN(since) && inSeconds(lastModified) <= inSeconds(new Date(since))
}

/** False when the object has changed since the client began to download it: the download then starts again (`If-Range`). */
export function mayResume(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const condition = headers['if-range']
  if (typeof condition !== 'string') return true
  if (condition.startsWith('"')) return condition === etag
  return lastModified !== undefined && inSeconds(new Date(condition)) === inSeconds(lastModified)
}

function inSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

/** A short hash of a text: an entity tag, quoted and without its `W/`. */
export const etagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
