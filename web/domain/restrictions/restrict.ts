import { restrictionTexts as texts } from '@ovation/contract/texts/restrictions'
import type { QueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { messagesKey } from '../messages/unread.ts'
import { notificationsKey } from '../notifications/unread.ts'
import { restrictionsKey } from './restricted-query.ts'

type Fan = { id: string; name: string }

async function set(queryClient: QueryClient, fan: Fan, isRestricted: boolean): Promise<boolean> {
  await queryClient.cancelQueries({ queryKey: restrictionsKey })
  for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: restrictionsKey })) {
    const asked = queryKey[1] as readonly string[]
    if (!asked.includes(fan.id)) continue
    queryClient.setQueryData<string[]>(queryKey, (known) => {
      const others = known?.filter((id) => id !== fan.id) ?? []
      return isRestricted ? [...others, fan.id] : others
    })
  }
  const { error } = await supabase.rpc('restrict_fan', { fan_profile_id: fan.id, is_restricted: isRestricted })
  if (error) toast.error(texts.failed)
  for (const queryKey of [restrictionsKey, messagesKey, notificationsKey])
    void queryClient.invalidateQueries({ queryKey })
  return !error
}

/** Restricts a fan of the viewer or lifts that, at once, and offers to undo it (LIST-05). */
export async function restrict(queryClient: QueryClient, fan: Fan, isRestricted: boolean): Promise<void> {
  if (!(await set(queryClient, fan, isRestricted))) return
  toast.undo(
    isRestricted ? texts.done(fan.name) : texts.lifted(fan.name),
    () => void set(queryClient, fan, !isRestricted),
  )
}
