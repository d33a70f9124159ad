import { settingsTexts as texts } from '@ovation/contract/texts/settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { type Settings, settingsQuery } from './settings-query.ts'

/** A partial change: omitted settings stay (0007_profiles.sql). */
export type Change = {
  [Group in keyof Settings]?: Partial<Settings[Group]>
}

/** Saves settings optimistically (SET-07). */
export function useSaveSettings(profileId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = settingsQuery(profileId)
  // Changes made while an earlier save runs. They are sent with the next save, or when the page closes.
  const unsent = useRef<Change>({})
  const send = useCallback(async () => {
    const change = unsent.current
    unsent.current = {}
    if (Object.keys(change).length === 0) return
    await supabase.from('user_settings').update(change).eq('user_id', profileId).throwOnError()
  }, [profileId])
  useEffect(() => {
    // The page is closing, so nobody would see an error.
    const leave = () => void send().catch(() => undefined)
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [send])

  return useMutation({
    mutationKey: ['settings', profileId],
    // In order, so that the last click decides.
    scope: { id: 'settings' },
    mutationFn: (_change: Change) => send(),
    onMutate: async (change) => {
      unsent.current = mergeChanges(unsent.current, change)
      await queryClient.cancelQueries({ queryKey, exact: true })
      const before = queryClient.getQueryData(queryKey)
      if (before) queryClient.setQueryData(queryKey, mergeChanges(before, change))
      return before
    },
    onError: (_error, _change, before) => {
      if (before) queryClient.setQueryData(queryKey, before)
      toast.error(texts.saveFailed)
    },
    onSettled: () => {
      // Refetch once, after the last save: a pending change would be shown undone.
      if (queryClient.isMutating({ mutationKey: ['settings', profileId] }) === 1)
        void queryClient.invalidateQueries({ queryKey, exact: true })
    },
  })
}

/** Merges two changes, or a change into the settings; the later one wins. */
function mergeChanges<Into extends Change>(earlier: Into, later: Change): Into {
  const groups = Object.entries(later) as [keyof Change, object][]
  return { ...earlier, ...Object.fromEntries(groups.map(([name, group]) => [name, { ...earlier[name], ...group }])) }
}
