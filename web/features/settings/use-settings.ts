import { settingsTexts as texts } from '@ovation/contract/texts/settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { type Settings, settingsQuery } from './queries.ts'

/** A group in part: what it leaves out stays (0007_profiles.sql). */
export type Change = {
  [Group in keyof Settings]?: Partial<Settings[Group]>
}

/** Saves a setting at once: shown before the server has it, and taken back when it refuses (SET-07). */
export function useSaveSettings(profileId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = settingsQuery(profileId)
  // What is pressed while an earlier press is being saved: it goes with the next save, or as the page is left.
  const unsent = useRef<Change>({})
  const send = useCallback(async () => {
    const change = unsent.current
    unsent.current = {}
    if (Object.keys(change).length === 0) return
    await supabase.from('user_settings').update(change).eq('user_id', profileId).throwOnError()
  }, [profileId])
  useEffect(() => {
    // Unmounted: nobody is left to see a failure.
    const leave = () => void send().catch(() => undefined)
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [send])

  return useMutation({
    mutationKey: ['settings', profileId],
    // One after the other, so that the last press decides.
    scope: { id: 'settings' },
    mutationFn: (_change: Change) => send(),
    onMutate: async (change) => {
      unsent.current = together(unsent.current, change)
      await queryClient.cancelQueries({ queryKey, exact: true })
      const before = queryClient.getQueryData(queryKey)
      if (before) queryClient.setQueryData(queryKey, together(before, change))
      return before
    },
    onError: (_error, _change, before) => {
      if (before) queryClient.setQueryData(queryKey, before)
      toast.error(texts.saveFailed)
    },
    onSettled: () => {
      // Read again once, after the last: what waits would be shown as it was before it.
      if (queryClient.isMutating({ mutationKey: ['settings', profileId] }) === 1)
        void queryClient.invalidateQueries({ queryKey, exact: true })
    },
  })
}

/** Both changes, or settings with a change; where they differ, the later holds. */
function together<Into extends Change>(earlier: Into, later: Change): Into {
  const groups = Object.entries(later) as [keyof Change, object][]
  return { ...earlier, ...Object.fromEntries(groups.map(([name, group]) => [name, { ...earlier[name], ...group }])) }
}
