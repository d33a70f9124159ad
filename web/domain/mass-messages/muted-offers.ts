import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { announce, toast } from '../../ui/toast.ts'
import { messagesKey } from '../messages/unread.ts'

const texts = massMessageTexts.mute

/** A creator whose offers the viewer has muted; without an id, those of all (MASS-05). */
export type MutedOffers = {
  creator_id: string | null
  username: string | null
  display_name: string | null
  avatar_url: string | null
  updated_at: string | null
}

export const mutedOffersQuery = () =>
  queryOptions({
    queryKey: ['muted-offers'],
    queryFn: async ({ signal }): Promise<MutedOffers[]> => {
      const { data } = await supabase
        .rpc('get_muted_offers', undefined, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as unknown as MutedOffers[]
    },
  })

/** @param creatorId null for the offers of everyone. */
export const hasMuted = (muted: readonly MutedOffers[], creatorId: string | null): boolean =>
  muted.some(({ creator_id }) => creator_id === creatorId)

type Creator = { id: string; name: string }

const unknown = { username: null, display_name: null, avatar_url: null, updated_at: null }

/** Mutes or unmutes offers, at once. @returns whether the server took it. */
async function set(queryClient: QueryClient, creator: Creator | null, isMuted: boolean): Promise<boolean> {
  const { queryKey } = mutedOffersQuery()
  const creatorId = creator?.id ?? null
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, (known) => {
    const others = known?.filter(({ creator_id }) => creator_id !== creatorId) ?? []
    return isMuted ? [...others, { ...unknown, creator_id: creatorId, display_name: creator?.name ?? null }] : others
  })
  const { error } = await supabase.rpc('mute_offers', { muted: isMuted, ...(creator && { creator: creator.id }) })
  if (error) toast.error(texts.failed)
  void queryClient.invalidateQueries({ queryKey })
  for (const part of ['conversations', 'conversation', 'unread'])
    void queryClient.invalidateQueries({ queryKey: [...messagesKey, part] })
  return !error
}

/** Mutes the offers of one creator or unmutes them, and offers to undo it. */
export async function muteOffers(queryClient: QueryClient, creator: Creator, isMuted: boolean): Promise<void> {
  if (!(await set(queryClient, creator, isMuted))) return
  toast.undo(
    isMuted ? texts.done(creator.name) : texts.undone(creator.name),
    () => void set(queryClient, creator, !isMuted),
  )
}

/** Mutes the offers of everyone, or unmutes them: a switch, which shows it. */
export async function muteAllOffers(queryClient: QueryClient, isMuted: boolean): Promise<void> {
  if (await set(queryClient, null, isMuted)) announce(isMuted ? texts.doneForAll : texts.undoneForAll)
}
