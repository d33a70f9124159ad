import { feedPageSize } from '@ovation/contract/limits'
import { postColumns } from './post-columns.ts'

/**
 * The request for a page of the feed. The document sends the first one before the app has loaded (app/early.ts), and the app uses its
 * response.
 */
export const feedRequest = { rpc: 'get_feed', args: { page_size: feedPageSize }, columns: postColumns } as const
