import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export const storyAudiences = ['everyone', 'followers', 'subscribers', 'list'] as const
export type StoryAudience = (typeof storyAudiences)[number]

/** A story as the viewer sees it (STORY-01). */
export type Story = {
  id: string
  creator_id: string
  /** In bucket `stories`. */
  path: string
  media_type: 'image' | 'video'
  caption: string | null
  alt_text: string | null
  audience: StoryAudience
  /** For its creator only. */
  list_name: string | null
  width: number | null
  height: number | null
  /** In seconds; of videos only. */
  duration: number | null
  /** A ThumbHash in base64. */
  preview: string | null
  stream: boolean
  /** The languages of a video's captions. */
  captions: string[]
  created_at: string
  ends_at: string
  is_seen: boolean
  /** For its creator only. */
  viewers: number | null
}

/** A creator with stories, at the top of the home feed. */
export type StoryRing = {
  creator_id: string
  username: string
  display_name: string | null
  avatar_url: string | null
  updated_at: string
  stories: number
  unseen: number
  newest_at: string
}

export type StoryHighlight = {
  id: string
  name: string
  cover_path: string
  cover_type: 'image' | 'video'
  stories: number
}

export type StoryViewer = {
  profile_id: string
  username: string
  display_name: string | null
  avatar_url: string | null
  is_verified: boolean
  updated_at: string
  viewed_at: string
}

export const storiesKey = ['stories'] as const
const archivePageSize = 30
const viewersPageSize = 30

/** The viewer's own ring first, then those of followed creators: unseen and newest first. */
export const storyRingsQuery = () =>
  queryOptions({
    queryKey: [...storiesKey, 'rings'],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<StoryRing[]> => {
      const { data } = await supabase
        .rpc('get_story_rings', undefined, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as StoryRing[]
    },
  })

/** A creator's stories that haven't ended, oldest first. */
export const storiesQuery = (creatorId: string) =>
  queryOptions({
    queryKey: [...storiesKey, 'of', creatorId],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Story[]> => {
      const { data } = await supabase
        .rpc('get_stories', { creator_profile_id: creatorId }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as Story[]
    },
  })

/** The stories of a highlight, in its order. */
export const highlightStoriesQuery = (highlightId: string) =>
  queryOptions({
    queryKey: [...storiesKey, 'highlight', highlightId],
    queryFn: async ({ signal }): Promise<Story[]> => {
      const { data } = await supabase
        .rpc('get_highlight_stories', { highlight_id: highlightId }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as Story[]
    },
  })

export const highlightsQuery = (creatorId: string) =>
  queryOptions({
    queryKey: [...storiesKey, 'highlights', creatorId],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<StoryHighlight[]> => {
      const { data } = await supabase
        .rpc('get_story_highlights', { creator_profile_id: creatorId }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as StoryHighlight[]
    },
  })

/** One story that the viewer may see, in a list; an empty list for any other. */
export const storyQuery = (storyId: string) =>
  queryOptions({
    queryKey: [...storiesKey, 'story', storyId],
    queryFn: async ({ signal }): Promise<Story[]> => {
      const { data } = await supabase
        .rpc('get_story', { story_id: storyId }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as Story[]
    },
  })

/** The viewer's own stories, also after their end, newest first. */
export const archiveQuery = () =>
  infiniteQueryOptions({
    queryKey: [...storiesKey, 'archive'],
    initialPageParam: null as Story | null,
    getNextPageParam: (page: Story[]) => (page.length < archivePageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<Story[]> => {
      const { data } = await supabase
        .rpc(
          'get_story_archive',
          { page_size: archivePageSize, ...(last && { before: last.ends_at, before_id: last.id }) },
          { get: true },
        )
        .abortSignal(signal)
        .throwOnError()
      return data as Story[]
    },
  })

/** Who has seen one of the viewer's own stories, latest first (STORY-02). */
export const viewersQuery = (storyId: string) =>
  infiniteQueryOptions({
    queryKey: [...storiesKey, 'viewers', storyId],
    staleTime: 0,
    initialPageParam: null as StoryViewer | null,
    getNextPageParam: (page: StoryViewer[]) => (page.length < viewersPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<StoryViewer[]> => {
      const { data } = await supabase
        .rpc(
          'get_story_viewers',
          {
            story_id: storyId,
            page_size: viewersPageSize,
            ...(last && { before: last.viewed_at, before_id: last.profile_id }),
          },
          { get: true },
        )
        .abortSignal(signal)
        .throwOnError()
      return data as StoryViewer[]
    },
  })

/** The story that a message replies to; null for one that the viewer doesn't see, or not anymore. */
export const quotedStoryQuery = (storyId: string) =>
  queryOptions({
    queryKey: [...storiesKey, 'one', storyId],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('stories')
        // The hint, because viewers relate stories to profiles, too.
        .select('id, path, media_type, creator:profiles!stories_creator_id_fkey(username)')
        .eq('id', storyId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })

export type StoryCreator = {
  id: string
  username: string | null
  display_name: string | null
  avatar_url: string | null
  updated_at: string
}

/** Whose stories an address shows; null for nobody. */
export const storyCreatorQuery = (username: string) =>
  queryOptions({
    queryKey: [...storiesKey, 'creator', username],
    queryFn: async ({ signal }): Promise<StoryCreator | null> => {
      const { data } = await supabase
        .from('profiles')
        .select('id, username, display_name, avatar_url, updated_at')
        .eq('username', username)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data as StoryCreator | null
    },
  })
