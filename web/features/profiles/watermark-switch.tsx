import { Switch } from '@mantine/core'
import { mediaTexts } from '@ovation/contract/texts/media'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { announce, toast } from '../../ui/toast.ts'

const { watermark: texts } = mediaTexts

/** Whether the creator's photos have the viewer's name as a watermark. Without a row, they don't. */
const watermarkQuery = (profileId: string) =>
  queryOptions({
    queryKey: ['media-settings', profileId],
    queryFn: async ({ signal }): Promise<boolean> => {
      const { data } = await supabase
        .from('media_settings')
        .select('watermark')
        .eq('profile_id', profileId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data?.watermark === true
    },
  })

/** Saved on click. With watermarks, only the creator and admins get originals (POST-47). */
export function WatermarkSwitch({ profileId }: { profileId: string }) {
  const queryClient = useQueryClient()
  const query = watermarkQuery(profileId)
  const chosen = useQuery(query)
  const save = useMutation({
    mutationFn: async (watermark: boolean) => {
      await supabase.from('media_settings').upsert({ profile_id: profileId, watermark }).throwOnError()
      return watermark
    },
    onSuccess: (watermark) => {
      queryClient.setQueryData(query.queryKey, watermark)
      announce(texts.saved)
    },
    onError: () => toast.error(texts.failed),
  })
  return (
    <Switch
      label={texts.label}
      description={texts.description}
      checked={save.isPending ? save.variables : chosen.data === true}
      disabled={chosen.data === undefined}
      // Not `disabled`, which would lose the focus.
      aria-disabled={save.isPending}
      onChange={(event) => {
        if (!save.isPending) save.mutate(event.currentTarget.checked)
      }}
    />
  )
}
