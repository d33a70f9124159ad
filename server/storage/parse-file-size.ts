import { videoMaxBytes } from '@ovation/contract/limits'
import { storageErrors } from './errors.ts'

const units: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 }

/** A bucket's limit in bytes from a number of bytes or a text such as `20MB`. @throws InvalidRequest (400). */
export function parseFileSize(value: number | string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(gb|mb|kb|b)?$/i.exec(String(value)) ?? []
  if (amount === undefined)
    throw storageErrors.invalidRequest('Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B')
  const bytes = Math.floor(Number(amount) * (units[unit?.toLowerCase() ?? 'b'] ?? 1))
  if (bytes < 1 || bytes > videoMaxBytes) {
    throw storageErrors.invalidRequest(`A bucket's size limit lies between 1 and ${videoMaxBytes} bytes`)
  }
  return bytes
}
