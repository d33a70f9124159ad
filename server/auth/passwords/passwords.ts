import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { passwordMaxLength } from '@ovation/contract/limits'
import { authErrors } from '../errors.ts'
import type { AuthSettings } from '../settings.ts'
import { isBcryptHash, verifyBcrypt } from './bcrypt.ts'
import { isCommonPassword } from './common-passwords.ts'

// Runs on libuv's threads, so hashing never blocks the event loop.
const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const tagLength = 32

/** An argon2id hash in PHC string format: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const { memory, passes, parallelism } = cost
  const hash = await derive('argon2id', { message: password, nonce, tagLength, ...cost })
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(hash)}`
}

const phc = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

/** The hashes that can be imported: argon2id or bcrypt. */
export function isPasswordHash(text: string): boolean {
  return phc.test(text) || isBcryptHash(text)
}

/** True for a hash that should be replaced as soon as the password is known. */
export function isOutdated(encoded: string): boolean {
  const { memory, passes, parallelism } = cost
  return !encoded.startsWith(`$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`)
}

// Compared if there is no account: an unknown address takes as long as a wrong password.
const nobody = hashPassword(randomBytes(32).toString('hex'))

/** Also false if the account has no password, or doesn't exist; that takes as long as a wrong password. */
export async function verifyPassword(password: string, encoded: string | null | undefined): Promise<boolean> {
  if (encoded && isBcryptHash(encoded)) return verifyBcrypt(password, encoded)
  const stored = encoded ? phc.exec(encoded) : null
  const parts = stored ?? phc.exec(await nobody)
  if (!parts) throw new Error('hashPassword and verifyPassword disagree about the format')
  const [, memory, passes, parallelism, salt = '', hash = ''] = parts
  const expected = Buffer.from(hash, 'base64')
  const actual = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  })
  return timingSafeEqual(actual, expected) && stored !== null
}

/** @throws GatewayError 422 `weak_password` (AUTH-12), 400 `validation_failed` above the maximum length. */
export function requireStrongPassword(
  password: string,
  {
    passwordMinLength: minLength,
    refusesLeakedPasswords,
  }: Pick<AuthSettings, 'passwordMinLength' | 'refusesLeakedPasswords'>,
) {
  if ([...password].length < minLength) {
    throw authErrors.weakPassword(`Password should be at least ${minLength} characters.`, 'length')
  }
  if (password.length > passwordMaxLength) {
    throw authErrors.validationFailed(`Password cannot be longer than ${passwordMaxLength} characters`)
  }
  if (refusesLeakedPasswords && isCommonPassword(password)) {
    throw authErrors.weakPassword(
      'This password is known from leaks and easy to guess. Please choose another one.',
      'pwned',
    )
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
