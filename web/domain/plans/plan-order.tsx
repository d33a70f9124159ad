import { ActionIcon, Stack, Text } from '@mantine/core'
import { subscriptionProductsTexts } from '@ovation/contract/texts/subscription-products'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { PriceTag } from '../../ui/price-tag.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './plan-order.module.css'
import type { Product } from './queries.ts'
import { refreshPlans } from './refresh-plans.ts'

const texts = subscriptionProductsTexts.order

type Props = { creatorId: string; products: Product[]; onClose: () => void }

/** The order in which fans see the plans (LOOP-15). Plans that are off keep a place for when they are on again. */
export default function PlanOrder({ creatorId, products, onClose }: Props) {
  const queryClient = useQueryClient()
  const [order, setOrder] = useState(products)
  const [announced, setAnnounced] = useState('')
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
  const move = (plan: Product, step: 1 | -1) => {
    const to = order.indexOf(plan) + step
    if (to < 0 || to >= order.length || save.isPending) return
    setOrder(order.filter((other) => other !== plan).toSpliced(to, 0, plan))
    setAnnounced(texts.moved(plan.name, to + 1, order.length))
  }
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
          <ol className={classes.order}>
            {order.map((plan, index) => (
              <li key={plan.id}>
                <span className={classes.name}>
                  <bdi>{plan.name}</bdi> <PriceTag cents={plan.price_cents} interval={plan.interval} />
                </span>
                {/* Not disabled at the ends, which would lose the focus. */}
                <ActionIcon
                  variant="default"
                  aria-label={texts.up(plan.name)}
                  aria-disabled={index === 0 || save.isPending}
                  onClick={() => move(plan, -1)}
                >
                  <IconArrowUp size={18} stroke={1.6} />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  aria-label={texts.down(plan.name)}
                  aria-disabled={index === order.length - 1 || save.isPending}
                  onClick={() => move(plan, 1)}
                >
                  <IconArrowDown size={18} stroke={1.6} />
                </ActionIcon>
              </li>
            ))}
          </ol>
          <p className="visually-hidden" aria-live="polite">
            {announced}
          </p>
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
