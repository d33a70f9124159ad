import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Long enough to press the button again, short enough that a link left in a history opens nothing. */
const lifetimeSeconds = 600

/** A link to one person's own data, signed with a key derived for this purpose alone: no token of ours opens it, and it opens nothing else. */
export function signExportLink(jwtSecret: string, userId: string, now = Date.now()): string {
  const body = `${userId}.${Math.floor(now / 1000) + lifetimeSeconds}`
  return `${body}.${sign(jwtSecret, body)}`
}

/** @returns auth.users.id; undefined for a link that is forged or too old. */
export function readExportLink(jwtSecret: string, token: string, now = Date.now()): string | undefined {
  const [, userId = '', expires = '', signature = ''] = /^([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  const expected = Buffer.from(sign(jwtSecret, `${userId}.${expires}`))
  const given = Buffer.from(signature)
  const isGood = given.length === expected.length && timingSafeEqual(given, expected)
  return isGood && Number(expires) > now / 1000 ? userId : undefined
}

function sign(jwtSecret: string, body: string): string {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'data export link', 32))
  return createHmac('sha256', key).update(body).digest('base64url')
}
