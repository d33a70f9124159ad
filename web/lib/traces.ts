import { drafts } from './draft.ts'
import { videoPlaces } from './video-places.ts'

/* What a person leaves in the browser beside their session: it is nobody else's to find. */

/** Whoever signs out leaves nothing behind for the next person at this browser. */
export function forgetTraces(): void {
  drafts.forgetAll()
  videoPlaces.forgetAll()
}

/** Somebody is signed in. Another one may have been before whose session has ended without a sign-out, or in another tab. */
export function claimTraces(userId: string): void {
  drafts.claim(userId)
  videoPlaces.claim(userId)
}
