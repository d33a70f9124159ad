import { Secret, TOTP } from 'otpauth'
import { toString as drawQrCode } from 'qrcode'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'

/** RFC 6238 with the parameters that every authenticator app supports. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** One step to either side: clocks differ, and people type slowly. */
const driftSteps = 1

/** @returns what an app needs (`totp` of the response), and the secret to encrypt. */
export async function drawTotp(issuer: string, label: string) {
  const totp = new TOTP({ ...form, issuer, label, secret: new Secret({ size: 20 }) })
  const uri = totp.toString()
  const svg = await drawQrCode(uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
  // auth-js puts the picture into a data URL unchanged, where a '#' would end it.
  return {
    qr_code: svg.replaceAll('#000000', 'black').replaceAll('#ffffff', 'white').trim(),
    secret: totp.secret.base32,
    uri,
  }
}

/** True once for each code: its step is stored, and no node accepts it or an earlier one again. */
export async function spendTotp(
  { vault }: AuthContext,
  db: CallerDb,
  factor: { readonly id: string; readonly secret: string },
  code: string,
): Promise<boolean> {
  const totp = new TOTP({ ...form, secret: Secret.fromBase32(vault.open(factor.secret, factor.id)) })
  const delta = totp.validate({ token: code, window: driftSteps })
  if (delta === null) return false
  const step = totp.counter() + delta
  const spent = await db.rows(sql`
    update auth.mfa_factors set last_totp_step = ${step}
    where id = ${factor.id} and coalesce(last_totp_step, -1) < ${step}::bigint returning id`)
  return spent.length > 0
}
