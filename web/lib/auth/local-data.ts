import { drafts } from '../forms/draft.ts'
import { videoPositions } from '../media/video-positions.ts'

/* What a person leaves in the browser beside their session: it is nobody else's to find. */

/** Whoever signs out leaves nothing behind for the next person at this browser. */
export function forgetLocalData(): void {
  drafts.forgetAll()
  videoPositions.forgetAll()
}

/** Somebody is signed in. Another one may have been before whose session has ended without a sign-out, or in another tab. */
export function claimLocalData(userId: string): void {
  drafts.claim(userId)
  videoPositions.claim(userId)
}
