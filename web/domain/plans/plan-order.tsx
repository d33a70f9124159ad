import { Stack, Text } from '@mantine/core'
import { subscriptionProductsTexts } from '@ovation/contract/texts/subscription-products'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { OrderList } from '../../ui/order-list.tsx'
import { PriceTag } from '../../ui/price-tag.tsx'
import { toast } from '../../ui/toast.ts'
import type { Product } from './queries.ts'
import { refreshPlans } from './refresh-plans.ts'

const texts = subscriptionProductsTexts.order

type Props = { creatorId: string; products: Product[]; onClose: () => void }

/** The order in which fans see the plans (LOOP-15). Plans that are off keep a place for when they are on again. */
export default function PlanOrder({ creatorId, products, onClose }: Props) {
  const queryClient = useQueryClient()
  const [order, setOrder] = useState(products)
  const save = useMutation({
    mutationFn: async () => {
      await supabase.rpc('arrange_plans', { plan_ids: order.map(({ id }) => id) }).throwOnError()
    },
    onSuccess: () => {
      toast.success(texts.saved)
      onClose()
      return refreshPlans(queryClient, creatorId)
    },
  })
  return (
    <Dialog title={texts.title} onClose={onClose} closable={!save.isPending}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {texts.hint}
          </Text>
          <OrderList
            items={order}
            keyOf={({ id }) => id}
            nameOf={({ name }) => name}
            texts={texts}
            disabled={save.isPending}
            onChange={setOrder}
          >
            {(plan) => (
              <>
                <bdi>{plan.name}</bdi> <PriceTag cents={plan.price_cents} interval={plan.interval} />
              </>
            )}
          </OrderList>
          <FormFoot
            submit={texts.save}
            pending={save.isPending}
            failed={texts.failed}
            error={save.error}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
