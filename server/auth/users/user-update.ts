import type { CodeChallenge } from '../sessions/code-challenge.ts'

/** What users change of their own account. */
export type UserUpdate = {
  readonly email: string | undefined
  /** Digits of the international number. */
  readonly phone: string | undefined
  readonly password: string | undefined
  /** Requested again by security-sensitive screens (SET-08, SET-14); compared whenever it is given. */
  readonly currentPassword: string | undefined
  /** Merged into the user's metadata; null removes a key. */
  readonly data: Readonly<Record<string, unknown>> | undefined
  /** The code from `GET /reauthenticate`; must be right whenever it is given. */
  readonly nonce: string | undefined
  readonly redirectTo: string
  readonly codeChallenge: CodeChallenge | undefined
}
