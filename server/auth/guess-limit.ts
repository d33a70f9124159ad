import type { RateLimiter } from '../http/rate-limiter.ts'
import { addressKeyOf, type RequestOrigin } from './request-origin.ts'

/**
 * Limits guesses at what protects one account: a password, a code. They are counted for the account and the client's address, and
 * again for the account alone, with a higher limit. A remote attacker therefore uses up their own attempts and not the owner's. If many
 * addresses together exceed the account's limit, the owner can still sign in from a device that signed in before (known-device.ts), or by
 * the link in an email, which nobody can guess and which is counted only by address. Known devices share a separate limit for the account:
 * each sign-in makes one known, and a thief with an old password could have made many.
 */
export class GuessLimit {
  readonly #perPlace: RateLimiter
  readonly #perAccount: RateLimiter

  constructor(perPlace: RateLimiter, perAccount: RateLimiter) {
    this.#perPlace = perPlace
    this.#perAccount = perAccount
  }

  /** Counts a guess before it is checked, or many at once would pass. @returns 0, or the seconds to wait; then it wasn't counted. */
  async take(account: string, visitor: RequestOrigin): Promise<number> {
    const device = visitor.deviceOf?.(account)
    const place = placeKey(account, visitor, device)
    const wait = await this.#perPlace.take(place)
    if (wait > 0) return wait
    const waitOfAccount = await this.#perAccount.take(accountKey(account, device))
    if (waitOfAccount > 0) await this.#perPlace.giveBack(place)
    return waitOfAccount
  }

  /** The guess was right. */
  async giveBack(account: string, visitor: RequestOrigin): Promise<void> {
    const device = visitor.deviceOf?.(account)
    await this.#perPlace.giveBack(placeKey(account, visitor, device))
    await this.#perAccount.giveBack(accountKey(account, device))
  }
}

function placeKey(account: string, visitor: RequestOrigin, device: string | undefined): string {
  return `${account}\0${device ?? addressKeyOf(visitor)}`
}

function accountKey(account: string, device: string | undefined): string {
  return device === undefined ? account : `${account}\0known devices`
}
