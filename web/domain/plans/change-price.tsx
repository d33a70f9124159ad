import { Stack } from '@mantine/core'
import { priceLockTexts } from '@ovation/contract/texts/price-lock'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { PriceInput } from '../../ui/price-input.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { wrongWithPrice } from './plan-values.ts'
import type { Product } from './queries.ts'
import { refreshPlans } from './refresh-plans.ts'

const texts = priceLockTexts.change

type Props = { product: Product; creatorId: string; onClose: () => void }

/** Another price for new subscribers (OFFER-08). */
export default function ChangePrice({ product, creatorId, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: { price: (product.price_cents / 100) as number | string },
    validate: {
      price: (price) => wrongWithPrice(price) ?? (centsOf(price) === product.price_cents ? texts.same : null),
    },
    draft: { key: `plan-price:${product.id}` },
  })
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  const save = useMutation({
    mutationFn: ({ price }: typeof form.values) =>
      callFunction('change-plan-price', { id: product.id, price_cents: centsOf(price) }),
    onSuccess: (_answer, { price }) => {
      toast.success(texts.saved(product.name, formatCents(centsOf(price))))
      close()
      return refreshPlans(queryClient, creatorId)
    },
  })
  return (
    <Dialog title={texts.title} onClose={close} closable={!save.isPending}>
      <form onSubmit={form.handleSubmit((values) => save.mutateAsync(values))} noValidate>
        <Stack>
          <PriceInput
            label={texts.label}
            description={texts.hint}
            required
            readOnly={save.isPending}
            {...form.getInputProps('price')}
          />
          <FormFoot
            submit={texts.save}
            pending={save.isPending}
            failed={texts.failed}
            error={save.error}
            onCancel={close}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
