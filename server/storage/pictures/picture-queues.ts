import { type WorkErrors, WorkLanes, type WorkQueue } from '../../work-lanes.ts'
import { storageErrors } from '../errors.ts'

export const pictureErrors: WorkErrors = {
  tooMany: storageErrors.tooManyPictures,
  busy: storageErrors.busy,
  tooSlow: storageErrors.slowPicture,
}

export type PictureQueues = { readonly uploads: WorkQueue; readonly renderings: WorkQueue }

/**
 * The queues of storage/v1 for uploads and renderings: each has a lane that the other can't take, and no account or address can take all.
 * libvips uses both cores for one picture where it can, and Node has four threads for files and libvips.
 */
export function buildPictureQueues({
  deadlineMs,
  renderingsPerAddress,
}: {
  deadlineMs: number
  renderingsPerAddress: number
}): PictureQueues {
  const lanes = new WorkLanes(3, pictureErrors)
  return {
    uploads: lanes.queue({ lanes: 2, maxWaiting: 500, lanesPerKey: 1, maxWaitingPerKey: 50, deadlineMs }),
    renderings: lanes.queue({
      lanes: 2,
      maxWaiting: 500,
      lanesPerKey: 1,
      maxWaitingPerKey: Math.max(0, renderingsPerAddress - 1),
      burstMsPerKey: 5_000, // more than a long page of new pictures takes
      deadlineMs,
    }),
  }
}
