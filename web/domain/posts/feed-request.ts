import { feedPageSize } from '@ovation/contract/limits'
import { postColumns } from './post-columns.ts'

/** What the feed asks for. The document asks for its first page before the app is there (app/early.ts), and the app takes that very answer. */
export const feedRequest = { rpc: 'get_feed', args: { page_size: feedPageSize }, columns: postColumns } as const
