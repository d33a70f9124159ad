import { drafts } from '../forms/draft.ts'
import { videoPositions } from '../media/video-positions.ts'

/* A user's data in the browser besides the session. No other user may see it. */

/** At sign-out: deletes the user's local data. */
export function forgetLocalData(): void {
  drafts.forgetAll()
  videoPositions.forgetAll()
}

/** At sign-in: deletes the data of another user whose session ended without a sign-out, or in another tab. */
export function claimLocalData(userId: string): void {
  drafts.claim(userId)
  videoPositions.claim(userId)
}
