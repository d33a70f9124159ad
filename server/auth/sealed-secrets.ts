import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Secrets } from '../secrets.ts'

/** Encryption at rest for data that must be readable later, such as TOTP secrets: neither a dump nor the database's owner can read it. */
export type Vault = {
  /** @param context the owner of the data; opening needs the same context, so that nobody's secret works for another user. */
  seal(text: string, context: string): string
  /** @throws Error if the text was sealed with another key or for another context. */
  open(sealed: string, context: string): string
}

const version = 'v1'
const ivLength = 12
const tagLength = 16

export function buildVault({ encryptionKey }: Pick<Secrets, 'encryptionKey'>): Vault {
  const key = Buffer.from(
    hkdfSync('sha256', Buffer.from(encryptionKey, 'hex'), '', 'ovation auth/v1 secrets at rest', 32),
  )
  return {
    seal(text, context) {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${version}.${sealed.toString('base64url')}`
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.slice(version.length + 1), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagLength))
      return Buffer.concat([decipher.update(bytes.subarray(ivLength, -tagLength)), decipher.final()]).toString('utf8')
    },
  }
}
