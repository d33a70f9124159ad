import { Switch } from '@mantine/core'
import { subscriptionProductsTexts } from '@ovation/contract/texts/subscription-products'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { announce, toast } from '../../ui/toast.ts'
import { refreshPlans } from './refresh-plans.ts'

const texts = subscriptionProductsTexts.tieredAccess

const tieredAccessQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['tiered-access', creatorId],
    queryFn: async ({ signal }): Promise<boolean> => {
      const { data } = await supabase
        .from('profiles')
        .select('tiered_access')
        .eq('id', creatorId)
        .abortSignal(signal)
        .single()
        .throwOnError()
      return data.tiered_access
    },
  })

/** Whether a post for one plan excludes subscribers of cheaper plans (POST-43, D14). Saved on click. */
export function TieredAccessSwitch({ creatorId }: { creatorId: string }) {
  const queryClient = useQueryClient()
  const query = tieredAccessQuery(creatorId)
  const chosen = useQuery(query)
  const save = useMutation({
    mutationFn: async (on: boolean) => {
      await supabase.from('profiles').update({ tiered_access: on }).eq('id', creatorId).throwOnError()
      return on
    },
    onSuccess: (on) => {
      queryClient.setQueryData(query.queryKey, on)
      // What each plan includes.
      void refreshPlans(queryClient, creatorId)
      announce(on ? texts.on : texts.off)
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
  })
  return (
    <Switch
      label={texts.label}
      description={texts.hint}
      checked={save.isPending ? save.variables : chosen.data === true}
      disabled={chosen.data === undefined}
      // Not `disabled`, which would lose the focus.
      aria-disabled={save.isPending}
      onChange={(event) => {
        if (!save.isPending) save.mutate(event.currentTarget.checked)
      }}
      mt="lg"
    />
  )
}
