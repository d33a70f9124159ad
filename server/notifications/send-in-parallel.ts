import type { Announcement } from './post-announcements.ts'
import type { Services } from './services.ts'

type Steps<Taken, Found> = {
  /** Finds out where to send, for all of them at once. */
  find(userIds: readonly string[]): Promise<Found>
  send(one: Taken, found: Found): Promise<void>
  giveBack(one: Taken): Promise<void>
}

/**
 * Sends announcements side by side. Whatever fails, those that weren't sent are given back: they have been taken, so they would be lost.
 * @returns why some weren't sent.
 * @throws what `find` throws.
 */
export async function sendInParallel<Taken extends Announcement, Found>(
  { log }: Services,
  recipients: readonly Taken[],
  { find, send, giveBack }: Steps<Taken, Found>,
): Promise<unknown[]> {
  if (recipients.length === 0) return []
  const failures: unknown[] = []
  const finding = find(recipients.map(({ userId }) => userId))
  await Promise.all(
    recipients.map(async (one) => {
      const profileId = one.userId
      try {
        await send(one, await finding)
      } catch (err) {
        failures.push(err)
        log.warn({ err, profileId }, 'new posts were not announced to a user; this will be retried')
        await giveBack(one).catch((cause: unknown) =>
          log.error({ err: cause, profileId }, 'new posts were not announced to a user, and will not be'),
        )
      }
    }),
  )
  await finding
  return failures
}
