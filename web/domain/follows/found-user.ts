import { type Byline, bylineColumns } from '../../lib/api/byline.ts'

/** A user as lists and search results show them. */
export type FoundUser = Byline & {
  bio: string | null
  is_creator: boolean
  followers_count: number
}

/** The columns of `profiles` for a `FoundUser`. */
export const foundUserColumns = `${bylineColumns}, bio, is_creator, followers_count` as const
