import { subscriptionProductsTexts as texts } from '@ovation/contract/texts/subscription-products'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { announce, toast } from '../../ui/toast.ts'
import { type Product, productsQuery } from './queries.ts'
import { refreshPlans } from './refresh-plans.ts'

/** Activates or deactivates a plan, optimistically (PROD-10). */
export function useToggleProduct(creatorId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = productsQuery(creatorId)
  return useMutation({
    mutationFn: async ({ id, is_active }: Product) => {
      await supabase
        .from('subscription_products')
        .update({ is_active: !is_active })
        .eq('id', id)
        // Row-level security returns no row for another creator's plan; `single` turns that into an error.
        .select('id')
        .single()
        .throwOnError()
    },
    onMutate: async ({ id, is_active }) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, (products) =>
        products?.map((product) => (product.id === id ? { ...product, is_active: !is_active } : product)),
      )
      return { before }
    },
    onSuccess: (_answer, { name, is_active }) => announce(is_active ? texts.deactivated(name) : texts.activated(name)),
    onError: (error, _product, context) => {
      queryClient.setQueryData(queryKey, context?.before)
      toast.error(errorMessageOf(error), texts.changeFailed)
    },
    onSettled: () => refreshPlans(queryClient, creatorId),
  })
}
