import { settingsTexts as texts } from '@ovation/contract/texts/settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { type Settings, settingsQuery } from './queries.ts'

/** A group in part: what it leaves out stays (0101_user_settings.sql). */
export type Change = {
  [Group in keyof Settings]?: Partial<Settings[Group]>
}

/** Saves a setting at once: shown before the server has it, and taken back when it refuses (SET-07). */
export function useSaveSettings(profileId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = settingsQuery(profileId)
  return useMutation({
    // One after the other, so that the last press decides.
    scope: { id: 'settings' },
    mutationFn: async (change: Change) => {
      await supabase.from('user_settings').update(change).eq('user_id', profileId).throwOnError()
    },
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey, exact: true })
      const before = queryClient.getQueryData(queryKey)
      if (before) queryClient.setQueryData(queryKey, merged(before, change))
      return before
    },
    onError: (_error, _change, before) => {
      if (before) queryClient.setQueryData(queryKey, before)
      toast.error(texts.saveFailed)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey, exact: true }),
  })
}

const merged = (settings: Settings, { notifications, privacy, security }: Change): Settings => ({
  notifications: { ...settings.notifications, ...notifications },
  privacy: { ...settings.privacy, ...privacy },
  security: { ...settings.security, ...security },
})
