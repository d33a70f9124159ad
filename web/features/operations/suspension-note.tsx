import { Alert } from '@mantine/core'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { IconUserOff } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { formatDate } from '../../lib/format.ts'
import { supabase } from '../../lib/supabase.ts'
import { profileKey } from '../profiles/queries.ts'

const texts = operationsTexts.suspension

/** Since when and why somebody is suspended; `null` for whoever is not. The server answers admins alone. */
const suspensionQuery = (profileId: string) =>
  queryOptions({
    queryKey: [...profileKey, 'suspension', profileId],
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .rpc('get_suspension', { profile_id: profileId })
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })

/** What an admin reads on the profile of somebody who is suspended. Others see a private profile. */
export default function SuspensionNote({ profileId }: { profileId: string }) {
  const { data: suspension } = useQuery(suspensionQuery(profileId))
  if (!suspension) return null
  return (
    <Alert
      role="status"
      variant="light"
      color="crimson"
      mb="md"
      title={texts.since(formatDate(suspension.since))}
      icon={<IconUserOff size={20} stroke={1.75} />}
    >
      {texts.means(suspension.reason)}
    </Alert>
  )
}
